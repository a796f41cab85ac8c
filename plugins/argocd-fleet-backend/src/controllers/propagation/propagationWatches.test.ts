import {
  APP_NAMESPACE_ANNOTATION,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { pullApplication } from '../../__testUtils__/objects';
import type { EventOf } from '../../fleet/eventPredicates';
import type { FleetCache } from '../../fleet/fleetCache';
import { propagationWatches } from './propagationWatches';

function cacheWith(...applications: ArgoApplication[]) {
  const cache = emptyCache();
  applications.forEach(it => cache.applyWriteResult('applications', it));
  return cache;
}

const keysOf = (event: EventOf<'applications'>, cache: FleetCache) => [
  ...propagationWatches(cache).events.applications!(event),
];

const app = pullApplication('app', 'one', { resourceVersion: '1' });
const later: ArgoApplication['metadata'] = {
  ...app.metadata,
  resourceVersion: '2',
  generation: 7,
};

describe('a change of an Application', () => {
  it.each<[string, ArgoApplication | undefined, string[]]>([
    [
      'of nothing but its status enqueues no key',
      { ...app, metadata: later, status: { health: { status: 'Healthy' } } },
      [],
    ],
    [
      'of its spec enqueues it',
      { ...app, metadata: later, spec: { ...app.spec, project: 'other' } },
      ['argocd/app'],
    ],
    [
      'of an annotation enqueues it',
      {
        ...app,
        metadata: {
          ...later,
          annotations: { ...later.annotations, team: 'web' },
        },
      },
      ['argocd/app'],
    ],
    ['that is its deletion enqueues it', undefined, ['argocd/app']],
  ])('%s', (_, after, keys) => {
    const event = {
      resource: 'applications' as const,
      key: 'argocd/app',
      before: app,
      after,
    };
    expect(keysOf(event, cacheWith(app))).toEqual(keys);
  });

  it('enqueues those that wait for its target', () => {
    const competitor = pullApplication('app', 'one', { namespace: 'tenant' });
    const waiting: ArgoApplication = {
      ...competitor,
      metadata: {
        ...competitor.metadata,
        annotations: {
          ...competitor.metadata.annotations,
          [APP_NAMESPACE_ANNOTATION]: 'argocd',
        },
      },
    };
    const event = {
      resource: 'applications' as const,
      key: 'argocd/app',
      before: app,
      after: undefined,
    };
    expect(keysOf(event, cacheWith(waiting))).toEqual([
      'argocd/app',
      'tenant/app',
    ]);
  });
});
