import { emptyCache } from '../__testUtils__/emptyCache';
import { managedCluster } from '../__testUtils__/objects';
import { createCompetingController } from './competingController';
import type { StoredManifestWork } from './transforms';

/** Of a hub with so many clusters; `overwrite` lets another writer overwrite the work of a cluster for the second time. */
function setUp(clusters: number) {
  const cache = emptyCache();
  const names = Array.from({ length: clusters }, (_, index) => `c${index}`);
  for (const name of names) {
    const cluster = managedCluster(name);
    cache.applyWriteResult('clusters', {
      ...cluster,
      metadata: { ...cluster.metadata, uid: name, resourceVersion: '1' },
    });
  }
  const competitor = createCompetingController({
    cache,
    rhacmNamespace: 'open-cluster-management',
  });
  return {
    competitor,
    overwrite(count: number) {
      for (const namespace of names.slice(0, count)) {
        for (const generation of [1, 3, 5]) {
          const work = {
            metadata: { namespace, name: 'work', generation },
          } as StoredManifestWork;
          competitor.recordOverwrite(work, {
            ...work,
            metadata: { ...work.metadata, generation: generation + 1 },
          });
        }
      }
    },
  };
}

const scopes = ({ competitor }: ReturnType<typeof setUp>) => ({
  hub: competitor.blocksPropagation() !== undefined,
  overwritten: competitor.blocksPropagation(() => ['c0']) !== undefined,
});

it.each([
  [4, 2, false],
  [4, 3, true],
  [60, 3, true],
  // A few agents must not stop thousands of others.
  [3_500, 3, false],
  [3_500, 174, false],
  [3_500, 175, true],
])(
  'of %d clusters, where the works of %d are overwritten, propagation stops for all: %s',
  (clusters, overwritten, stopsForHub) => {
    const hub = setUp(clusters);
    hub.overwrite(overwritten);
    expect(scopes(hub)).toEqual({ hub: stopsForHub, overwritten: true });
  },
);
