import {
  contentOfWork,
  fateOf,
  ownerOf,
  targetOf,
  wanted,
  type HubContents,
} from './expectedWorks';
import type { Timeline } from './wrongDeletions';

/**
 * Throws where the works are not those that the state of the hub asks for. The past counts only where an Application may not be
 * delivered now: what it has must have been allowed once.
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
    const fate = fateOf(application, hub);
    const places = works.map(({ metadata }) => metadata.namespace ?? '');
    if (fate.kind === 'delivered') {
      expect({ key, places }).toEqual({ key, places: [fate.namespace] });
      expect(fate.names).toContain(works[0].metadata.name);
      expect(contentOfWork(works[0])).toEqual(fate.content);
    } else if (fate.kind === 'none') {
      expect({ key, places }).toEqual({ key, places: [] });
    } else {
      const allowed = places.filter(
        place =>
          (fate.only ?? place) === place && mayHaveCome(key, place, timeline),
      );
      expect({ key, places }).toEqual({ key, places: allowed });
    }
    expect(works.filter(work => work.metadata.deletionTimestamp)).toEqual([]);
  }
}

function mayHaveCome(
  key: string,
  cluster: string,
  { applications, everDecided }: Timeline,
): boolean {
  const [namespace] = key.split('/');
  return (
    everDecided.has(`${namespace}/${cluster}`) &&
    (applications.get(key) ?? []).some(
      ({ application }) =>
        wanted(application) && targetOf(application) === cluster,
    )
  );
}
