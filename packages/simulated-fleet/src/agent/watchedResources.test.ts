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
  it('are those with the scrape type Watch, up to the limit of each cluster', () => {
    const watched = createWatchedResources(2);
    watched.update('w1', 'c', work(['a', 'b', 'c']));
    watched.update('w2', 'c', work(['d'], 'Poll'));
    watched.update('w3', 'other', work(['c']));
    expect(
      ['a', 'b', 'c', 'd'].map(name => watched.has('c', ref(name))),
    ).toEqual([true, true, false, false]);
    expect(watched.has('other', ref('c'))).toBe(true);
  });

  it('make room for others after no work requests them', () => {
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
