import type {
  ChangedEvent,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { ViewListener } from './fleetViews';

/** Publishes changes of the API's answers to its subscribers, coalesced into few events. */
export interface ChangeFeed extends ViewListener {
  /** Calls back with each event; the returned function unsubscribes. */
  subscribe(listener: (event: ChangedEvent) => void): () => void;
  /** Calls back once, when the feed is closed. The returned function removes the listener. */
  onClose(listener: () => void): () => void;
  close(): void;
}

/** Milliseconds during which changes are coalesced into one event. */
const COALESCE_MS = 250;

/** Creates the feed. */
export function createChangeFeed(coalesceMs = COALESCE_MS): ChangeFeed {
  const listeners = new Set<(event: ChangedEvent) => void>();
  const closeListeners = new Set<() => void>();
  let refs = new Map<string, ObjectRef>();
  let hubs = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  function publish() {
    timer = undefined;
    const event = { applicationSets: [...refs.values()], hubs: [...hubs] };
    refs = new Map();
    hubs = new Set();
    listeners.forEach(listener => listener(event));
  }

  function publishSoon() {
    if (listeners.size > 0) {
      timer ??= setTimeout(publish, coalesceMs);
    } else {
      // A later subscriber loads everything first.
      refs.clear();
      hubs.clear();
    }
  }

  return {
    applicationSetsChanged(changed) {
      for (const ref of changed) {
        refs.set(`${ref.hub}/${ref.namespace}/${ref.name}`, ref);
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
