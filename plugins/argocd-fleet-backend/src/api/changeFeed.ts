import type {
  ArgoApplicationSet,
  ChangedEvent,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { ViewListener } from './fleetViews';

/** An ApplicationSet whose answers have changed. */
export interface ChangedSet {
  readonly ref: ObjectRef;
  /** It as it was, where it changed itself or is gone: who saw it then has to learn of the change. */
  readonly before: readonly ArgoApplicationSet[];
}

/** Changes of the API's answers, of which each subscriber sees some. */
export interface FeedEvent extends Omit<ChangedEvent, 'applicationSets'> {
  readonly applicationSets: readonly ChangedSet[];
}

/** Publishes changes of the API's answers to its subscribers, coalesced into few events. */
export interface ChangeFeed extends ViewListener {
  /** Calls back with each event; the returned function unsubscribes. */
  subscribe(listener: (event: FeedEvent) => void): () => void;
  /** Calls back once, when the feed is closed. The returned function removes the listener. */
  onClose(listener: () => void): () => void;
  close(): void;
}

/** Milliseconds during which changes are coalesced into one event. */
const COALESCE_MS = 250;

/** Creates the feed. */
export function createChangeFeed(coalesceMs = COALESCE_MS): ChangeFeed {
  const listeners = new Set<(event: FeedEvent) => void>();
  const closeListeners = new Set<() => void>();
  let sets = new Map<string, ChangedSet>();
  let hubs = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function publish() {
    timer = undefined;
    const event = { applicationSets: [...sets.values()], hubs: [...hubs] };
    sets = new Map();
    hubs = new Set();
    listeners.forEach(listener => listener(event));
  }

  function publishSoon() {
    if (listeners.size > 0) {
      timer ??= setTimeout(publish, coalesceMs);
    } else {
      // A later subscriber loads everything first.
      sets.clear();
      hubs.clear();
    }
  }

  return {
    applicationSetsChanged(changed, changedSet) {
      for (const ref of changed) {
        const key = `${ref.hub}/${ref.namespace}/${ref.name}`;
        const before = sets.get(key)?.before ?? [];
        const isItself =
          changedSet?.metadata.name === ref.name &&
          changedSet.metadata.namespace === ref.namespace;
        sets.set(key, {
          ref,
          before: isItself ? [...before, changedSet] : before,
        });
      }
      publishSoon();
    },
    hubChanged(hub) {
      hubs.add(hub);
      publishSoon();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close() {
      clearTimeout(timer);
      listeners.clear();
      closeListeners.forEach(listener => listener());
      closeListeners.clear();
    },
  };
}
