import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import {
  AUTHORISING_RESOURCES,
  createAuthorisationWaiters,
  FLEET_RESOURCES,
  type FleetCache,
} from '../../fleet';
import { applicationFindings, controllerFindings } from '../../model/findings';

/** Applications that wait until it is known which PlacementDecisions count. */
export interface WaitingForAuthorisation {
  /** Must be called with the key of each Application that is reconciled, and why it is refused if it is. */
  note(key: string, refusal?: Finding): void;
  /** Calls back with the keys of those that wait, once more is known, until the returned function is called. */
  onKnown(listener: (keys: Iterable<string>) => void): () => void;
  /** Which resources cannot be read. */
  findings(): Finding[];
}

/** Creates the record of one hub. */
export function createWaitingForAuthorisation(
  cache: FleetCache,
): WaitingForAuthorisation {
  const waiters = createAuthorisationWaiters(cache);
  return {
    note(key, refusal) {
      if (refusal?.code === applicationFindings.authorisationUnknown.code) {
        waiters.add(key);
      } else {
        waiters.delete(key);
      }
    },
    onKnown: waiters.onKnown,
    findings() {
      const states = cache.states();
      return AUTHORISING_RESOURCES.flatMap(name => {
        const { failure } = states[name];
        return failure && !cache.isKnown(name)
          ? controllerFindings.deliveriesWait(
              cache.hub,
              FLEET_RESOURCES[name],
              { evidence: failure.message },
            )
          : [];
      });
    },
  };
}
