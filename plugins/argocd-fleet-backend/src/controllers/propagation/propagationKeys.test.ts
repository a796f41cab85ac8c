import {
  APP_NAMESPACE_ANNOTATION,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { pullApplication } from '../../__testUtils__/objects';
import { applicationsConcernedBy } from './propagationKeys';

function cacheWith(...applications: ArgoApplication[]) {
  const cache = emptyCache();
  applications.forEach(it => cache.applyWriteResult('applications', it));
  return cache;
}

const app = pullApplication('app', 'one', { resourceVersion: '1' });
const later: ArgoApplication['metadata'] = {
  ...app.metadata,
  resourceVersion: '2',
  generation: 7,
};

describe('a change of an Application', () => {
  it.each<[string, ArgoApplication | undefined, string[]]>([
    [
      'that is but its status wakes nobody',
      { ...app, metadata: later, status: { health: { status: 'Healthy' } } },
      [],
    ],
    [
      'of its spec wakes it',
      { ...app, metadata: later, spec: { ...app.spec, project: 'other' } },
      ['argocd/app'],
    ],
    [
      'of an annotation wakes it',
      {
        ...app,
        metadata: {
          ...later,
          annotations: { ...later.annotations, team: 'web' },
        },
      },
      ['argocd/app'],
    ],
    ['that is its end wakes it', undefined, ['argocd/app']],
  ])('%s', (_, after, keys) => {
    const change = {
      resource: 'applications' as const,
      key: 'argocd/app',
      before: app,
      after,
    };
    expect(applicationsConcernedBy(change, cacheWith(app))).toEqual(keys);
  });

  it('wakes those that wait for its place', () => {
    const rival = pullApplication('app', 'one', { namespace: 'tenant' });
    const waiting: ArgoApplication = {
      ...rival,
      metadata: {
        ...rival.metadata,
        annotations: {
          ...rival.metadata.annotations,
          [APP_NAMESPACE_ANNOTATION]: 'argocd',
        },
      },
    };
    const change = {
      resource: 'applications' as const,
      key: 'argocd/app',
      before: app,
      after: undefined,
    };
    expect(applicationsConcernedBy(change, cacheWith(waiting))).toEqual([
      'argocd/app',
      'tenant/app',
    ]);
  });
});
