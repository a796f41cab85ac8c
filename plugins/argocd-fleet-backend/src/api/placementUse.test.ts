import {
  PLACEMENT_LABEL,
  type GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import { applicationSet } from '../model/__testUtils__/applications';
import { foreignUse, usersOf } from './placementUse';

const PLACEMENT = { namespace: 'argocd', name: 'second' };

function hub(options: { unsynced?: string[]; notServed?: string[] } = {}) {
  const { unsynced = [], notServed = [] } = options;
  const cache = {
    ...emptyCache(),
    unsyncedReasons: (names: readonly string[]) =>
      names.filter(name => unsynced.includes(name)),
    isNotServed: (name: string) => notServed.includes(name),
  };
  return { cache };
}

function generator(placement: string) {
  return {
    clusterDecisionResource: {
      labelSelector: { matchLabels: { [PLACEMENT_LABEL]: placement } },
    },
  };
}

it('an ApplicationSet uses the Placements of all of its generators', () => {
  const { cache } = hub();
  const set = applicationSet({
    spec: { generators: [generator('first'), generator('second')] },
  });
  cache.applyWriteResult('applicationSets', {
    ...set,
    metadata: { ...set.metadata, namespace: 'argocd' },
  });
  expect(usersOf({ cache }, PLACEMENT)).toHaveLength(1);
  expect(usersOf({ cache }, { ...PLACEMENT, name: 'third' })).toEqual([]);
});

it('an import of clusters uses its Placement', () => {
  const { cache } = hub();
  expect(foreignUse({ cache }, PLACEMENT, undefined)).toBe(false);
  cache.applyWriteResult('gitOpsClusters', {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'import', namespace: 'argocd' },
    spec: {
      argoServer: { argoNamespace: 'argocd' },
      placementRef: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'Placement',
        name: 'second',
      },
    },
  } as GitOpsCluster);
  expect(foreignUse({ cache }, PLACEMENT, undefined)).toBe(true);
});

it.each(['applicationSets', 'gitOpsClusters'])(
  'does not know who uses a Placement while %s are not known',
  resource => {
    expect(() =>
      foreignUse(hub({ unsynced: [resource] }), PLACEMENT, undefined),
    ).toThrow(resource);
  },
);

it('a hub that does not serve imports has none', () => {
  const gone = ['gitOpsClusters'];
  expect(
    foreignUse(hub({ unsynced: gone, notServed: gone }), PLACEMENT, undefined),
  ).toBe(false);
});
