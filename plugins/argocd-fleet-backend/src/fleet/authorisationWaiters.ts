import { isAuthorisationKnown, isAuthorisationPending } from './authorisations';
import type { FleetCache } from './fleetCache';

/** Keys of a controller that wait until it is known which PlacementDecisions count. */
export interface AuthorisationWaiters {
  /** Must be called when the key was reconciled and has to wait. */
  add(key: string): void;
  /** Must be called when the key is reconciled again, so that no key outlives its object. */
  delete(key: string): void;
  /** Calls back with the keys for which more is known, until the returned function is called. */
  onKnown(listener: (keys: Iterable<string>) => void): () => void;
}

/** Creates the record of one hub. A list that ends changes a state, and no object: no other event says so. */
export function createAuthorisationWaiters(
  cache: FleetCache,
): AuthorisationWaiters {
  /** By key: whether it waits for a list, which ends also where it turns out that it is forbidden. */
  const waiting = new Map<string, boolean>();
  return {
    add(key) {
      waiting.set(key, isAuthorisationPending(cache));
    },
    delete(key) {
      waiting.delete(key);
    },
    onKnown: listener =>
      cache.onStateChange(() => {
        if (waiting.size === 0 || isAuthorisationPending(cache)) {
          return;
        }
        const isKnown = isAuthorisationKnown(cache);
        const keys = [...waiting].flatMap(([key, waitsForList]) =>
          waitsForList || isKnown ? [key] : [],
        );
        if (keys.length > 0) {
          keys.forEach(key => waiting.delete(key));
          listener(keys);
        }
      }),
  };
}
