import { ManifestWork } from '../kubernetes/workTypes';
import { createWatchedResources } from './watchedResources';

const work = (names: string[], scrape = 'Watch'): ManifestWork => ({
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name: 'w', namespace: 'c' },
  spec: {
    workload: {
      manifests: names.map(name => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: 'ns' },
      })),
    },
    manifestConfigs: [
      {
        resourceIdentifier: {
          resource: 'configmaps',
          namespace: 'ns',
          name: '*',
        },
        feedbackScrapeType: scrape,
      },
    ],
  },
});
const ref = (name: string) => ({
  group: '',
  resource: 'configmaps',
  namespace: 'ns',
  name,
});

describe('the resources that an agent watches', () => {
  it('are those that ask for it, as long as there is room, on each cluster', () => {
    const watched = createWatchedResources(2);
    watched.update('w1', 'c', work(['a', 'b', 'c']));
    watched.update('w2', 'c', work(['d'], 'Poll'));
    watched.update('w3', 'other', work(['c']));
    expect(
      ['a', 'b', 'c', 'd'].map(name => watched.has('c', ref(name))),
    ).toEqual([true, true, false, false]);
    expect(watched.has('other', ref('c'))).toBe(true);
  });

  it('give way when nobody needs them any more', () => {
    const watched = createWatchedResources(2);
    watched.update('w1', 'c', work(['a', 'b']));
    watched.update('w2', 'c', work(['a', 'c']));
    watched.update('w1', 'c', undefined);
    watched.update('w2', 'c', work(['a', 'c']));
    expect(['a', 'b', 'c'].map(name => watched.has('c', ref(name)))).toEqual([
      true,
      false,
      true,
    ]);
  });
});
