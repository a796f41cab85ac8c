import {
  MANAGED_CLUSTER_ANNOTATION,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { application, deepFreeze } from '../__testUtils__/applications';
import { workOf } from '../__testUtils__/works';
import { withoutArgoFinalizers } from './finalizers';
import { hubApplicationOf, isOrphan, orphanReason } from './workOwnership';

const work = workOf();
const foreign = deepFreeze({
  ...work,
  metadata: { name: 'argo-admin', namespace: 'cluster1' },
});
const long = deepFreeze({
  ...work,
  metadata: {
    ...work.metadata,
    name: 'cluster1-guestbook-app-2fc44e07-6c4c-4b0e-9a49-2f2d7f9d3c11',
  },
});

it('reads the hub Application of a work from its annotations', () => {
  expect(hubApplicationOf(work)).toEqual({
    namespace: 'openshift-gitops',
    name: 'cluster1-guestbook-app',
  });
  expect(hubApplicationOf(foreign)).toBeUndefined();
});

it.each(
  [
    '..',
    '../../secrets',
    'a/b',
    'a%2fb',
    'a?watch=true',
    '-rf',
    'a\u202Eb',
    'x'.repeat(10_000),
  ].map(evil => [evil.slice(0, 30), evil]),
)('takes no name from an agent that is none: %j', (_, evil) => {
  for (const part of ['namespace', 'name']) {
    const annotations = {
      ...work.metadata.annotations,
      [`apps.open-cluster-management.io/hub-application-${part}`]: evil,
    };
    const forged = { ...work, metadata: { ...work.metadata, annotations } };
    expect(hubApplicationOf(forged)).toBeUndefined();
    expect(orphanReason(forged, undefined)).toBeUndefined();
  }
});

describe('an orphan', () => {
  it.each<[string, string, ArgoApplication | undefined]>([
    ['was deleted', 'applicationGone', undefined],
    [
      'lost its pull label',
      'notPullModel',
      application({ metadata: { labels: {} } }),
    ],
    [
      'was re-created',
      'recreated',
      application({
        metadata: { uid: '9ab01c11-6c4c-4b0e-9a49-2f2d7f9d3c11' },
      }),
    ],
    [
      'now has another target cluster',
      'retargeted',
      application({
        metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'cluster2' } },
      }),
    ],
  ])('is a work whose Application %s', (_, reason, app) => {
    expect(orphanReason(work, app)).toBe(reason);
    expect(isOrphan(work, app)).toBe(true);
  });

  it.each([
    ['whose Application exists', work, application()],
    ['with the long name', long, application()],
    ['without annotations of the pull model', foreign, undefined],
    [
      'whose Application names no cluster, which may be a typing error',
      work,
      application({ metadata: { annotations: {} } }),
    ],
  ])('is never a work %s', (_, own, app) => {
    expect(isOrphan(own, app)).toBe(false);
  });
});

it('removes only the finalizers of Argo CD', () => {
  const app = application({
    metadata: {
      finalizers: [
        'resources-finalizer.argocd.argoproj.io',
        'resources-finalizer.argocd.argoproj.io/background',
        'resources-finalizer.argocd.argoproj.io/foreground',
        'post-delete-finalizer.argocd.argoproj.io',
        'post-delete-finalizer.argocd.argoproj.io/cleanup',
        'pre-delete-finalizer.argocd.argoproj.io',
        'pre-delete-finalizer.argocd.argoproj.io/cleanup',
        'example.com/resources-finalizer.argocd.argoproj.io',
        'team.example/guard',
      ],
    },
  });
  expect(withoutArgoFinalizers(app)).toEqual([
    'example.com/resources-finalizer.argocd.argoproj.io',
    'team.example/guard',
  ]);
});
