import {
  APP_NAMESPACE_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
} from 'backstage-plugin-argocd-fleet-common';
import { application } from '../__testUtils__/applications';
import { buildManifestWork } from '../manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../manifestwork/workPlan';
import {
  deliveryTarget,
  targetOwner,
  workTarget,
  type TargetClaim,
} from './deliveryTarget';

it('the delivery target is the same for an Application and its work', () => {
  const app = application({
    metadata: {
      annotations: {
        [MANAGED_CLUSTER_ANNOTATION]: 'cluster1',
        [APP_NAMESPACE_ANNOTATION]: 'argocd',
      },
    },
  });
  const work = buildManifestWork(
    app,
    { cluster: 'cluster1', name: 'work' },
    DEFAULT_PROPAGATION,
  );
  expect(deliveryTarget(app)).toBe('cluster1/argocd/cluster1-guestbook-app');
  expect(workTarget(work)).toBe(deliveryTarget(app));
});

it('an Application of another delivery model has no delivery target', () => {
  const app = application({ metadata: { labels: {} } });
  expect(deliveryTarget(app)).toBeUndefined();
});

describe('the owner of a delivery target', () => {
  const claim = (
    namespace: string,
    createdAt: string,
    delivered = false,
    allowed = true,
  ): TargetClaim => ({
    application: application({
      metadata: { namespace, creationTimestamp: createdAt },
    }),
    delivered,
    allowed,
  });

  it.each<[string, TargetClaim[], string]>([
    [
      'is the Application that is already delivered',
      [
        claim('a', '2026-01-01T00:00:00Z'),
        claim('b', '2026-02-01T00:00:00Z', true),
      ],
      'b',
    ],
    [
      'is the Application that the configuration allows, of two delivered ones',
      [
        claim('a', '2026-01-01T00:00:00Z', true, false),
        claim('b', '2026-02-01T00:00:00Z', true),
      ],
      'b',
    ],
    [
      'is the Application that was delivered before the configuration forbade it',
      [
        claim('a', '2026-01-01T00:00:00Z'),
        claim('b', '2026-02-01T00:00:00Z', true, false),
      ],
      'b',
    ],
    [
      'is the oldest if none is delivered',
      [claim('a', '2026-02-01T00:00:00Z'), claim('b', '2026-01-01T00:00:00Z')],
      'b',
    ],
    [
      'is the first by name of two created at the same time',
      [claim('b', '2026-01-01T00:00:00Z'), claim('a', '2026-01-01T00:00:00Z')],
      'a',
    ],
  ])('%s', (_, claims, namespace) => {
    expect(targetOwner(claims)?.metadata.namespace).toBe(namespace);
    expect(targetOwner(claims.toReversed())?.metadata.namespace).toBe(
      namespace,
    );
  });
});
