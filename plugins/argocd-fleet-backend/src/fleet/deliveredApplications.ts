import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { steadyNow } from '../async';
import { objectKey } from '../kubernetes/client';
import { hubApplicationOf, isOrphan, isPullModel } from '../model/delivery';
import { WINDOW_MS, type WorksLeft } from '../model/removal';
import type { FleetCache } from './fleetCache';

interface Count {
  readonly at: number;
  readonly size: number;
}

/**
 * Counts the Applications of a hub that works deliver, or keep, and the most of them in the last minutes. Only works of
 * Applications that exist count: a cluster's agent may write any number of works into its namespace.
 */
export function createDeliveredApplications(cache: FleetCache): WorksLeft {
  /** UIDs of Applications: unlike keys, the cache has these strings already. */
  const delivered = new Set<string>();
  /** When Applications ceased to be delivered, by key: those of the last minutes, the oldest first. */
  const ceased = new Map<string, number>();
  /** Counts that no later one exceeds, from the largest on. */
  const peaks: Count[] = [];

  for (const key of cache.works.values('hubApplication')) {
    update(key);
  }
  cache.onChange(event => {
    if (event.resource === 'applications') {
      const { key, before, after } = event;
      if (before && before.metadata.uid !== after?.metadata.uid) {
        cease(key, before);
      }
      update(key);
    } else if (event.resource === 'works') {
      for (const work of [event.before, event.after]) {
        const name = work && hubApplicationOf(work);
        if (name) {
          update(objectKey(name));
        }
      }
    }
  });

  function update(key: string) {
    const application = cache.applications.get(key);
    if (!application) {
      return;
    }
    const { uid = '' } = application.metadata;
    if (!delivers(key, application)) {
      cease(key, application);
    } else if (!delivered.has(uid)) {
      delivered.add(uid);
      ceased.delete(key);
      note();
    }
  }

  function cease(key: string, { metadata }: ArgoApplication) {
    if (delivered.delete(metadata.uid ?? '')) {
      forgetCeased();
      ceased.set(key, steadyNow());
      note();
    }
  }

  function isDelivered(key: string): boolean {
    const application = cache.applications.get(key);
    return delivered.has(application?.metadata.uid ?? '');
  }

  function delivers(key: string, application: ArgoApplication): boolean {
    return (
      !application.metadata.deletionTimestamp &&
      cache.works
        .by('hubApplication', key)
        .some(work => isItsWork(work, application))
    );
  }

  function forgetCeased() {
    const since = steadyNow() - WINDOW_MS;
    for (const [key, at] of ceased) {
      if (at > since) {
        break;
      }
      ceased.delete(key);
    }
  }

  function note() {
    const at = steadyNow();
    const size = delivered.size;
    while (peaks.length > 0 && peaks[peaks.length - 1].size <= size) {
      peaks.pop();
    }
    peaks.push({ at, size });
  }

  return {
    has: isDelivered,
    ofSet(set) {
      let count = 0;
      for (const key of cache.applications.keysBy('applicationSet', set)) {
        count += isDelivered(key) ? 1 : 0;
      }
      return count;
    },
    get ofHub() {
      return delivered.size;
    },
    get peakOfHub() {
      const since = steadyNow() - WINDOW_MS;
      // The last count before the window still held when that began.
      while (peaks.length > 1 && peaks[1].at <= since) {
        peaks.shift();
      }
      return Math.max(delivered.size, peaks[0]?.size ?? 0);
    },
    hadSeen(key) {
      forgetCeased();
      return isDelivered(key) || ceased.has(key);
    },
  };
}

function isItsWork(work: ManifestWork, application: ArgoApplication): boolean {
  return (
    !work.metadata.deletionTimestamp &&
    (!isPullModel(application) || !isOrphan(work, application))
  );
}
