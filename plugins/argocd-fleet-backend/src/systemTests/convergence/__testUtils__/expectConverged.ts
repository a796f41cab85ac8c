import {
  contentOfWork,
  expectationFor,
  ownerOf,
  targetOf,
  isPropagated,
  type HubContents,
} from './expectedWorks';
import type { Timeline } from './wrongDeletions';

/**
 * Throws unless the works are those that the hub's state requires. History matters only for an Application that may not
 * be delivered now: its existing works must have been allowed at some time.
 */
export function expectConverged(hub: HubContents, timeline: Timeline): void {
  const keys = new Set([
    ...hub.applications.map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    ),
    ...hub.works.flatMap(work => ownerOf(work) ?? []),
  ]);
  for (const key of keys) {
    const application = hub.applications.find(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}` === key,
    );
    const works = hub.works.filter(work => ownerOf(work) === key);
    const expectation = expectationFor(application, hub);
    const clusters = works.map(({ metadata }) => metadata.namespace ?? '');
    if (expectation.kind === 'delivered') {
      expect({ key, clusters }).toEqual({
        key,
        clusters: [expectation.namespace],
      });
      expect(expectation.names).toContain(works[0].metadata.name);
      expect(contentOfWork(works[0])).toEqual(expectation.content);
    } else if (expectation.kind === 'none') {
      expect({ key, clusters }).toEqual({ key, clusters: [] });
    } else {
      const allowed = clusters.filter(cluster =>
        wasEverAllowed(key, cluster, timeline),
      );
      expect({ key, clusters }).toEqual({ key, clusters: allowed });
    }
    expect(works.filter(work => work.metadata.deletionTimestamp)).toEqual([]);
  }
}

function wasEverAllowed(
  key: string,
  cluster: string,
  { applications, everDecided }: Timeline,
): boolean {
  const [namespace] = key.split('/');
  return (
    everDecided.has(`${namespace}/${cluster}`) &&
    (applications.get(key) ?? []).some(
      ({ application }) =>
        isPropagated(application) && targetOf(application) === cluster,
    )
  );
}
