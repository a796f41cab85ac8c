import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  KubernetesError,
  type KubernetesClient,
  type WatchEvent,
} from '../../client';
import type { ListOptions } from '../../client/client';

type Page = Awaited<ReturnType<KubernetesClient['list']>>;

/** The one object whose history is modelled. */
export const NAMED = { namespace: 'default', name: 'named' };

/** The answer to a write that changed something. */
export type WriteAnswer =
  | { readonly written: KubernetesObject }
  /** Also for a delete that found nothing. */
  | { readonly deleted: true };

/**
 * An API server with the history of one name, and of others that only raise the resource version. It sends nothing of
 * its own accord: each answer to a list and each event of the watch is sent by a call.
 */
export interface ModelledServer {
  readonly client: KubernetesClient;
  readonly current: KubernetesObject | undefined;
  /** Whether there is nothing to send to the one that lists and watches. */
  readonly isDelivered: boolean;
  create(): WriteAnswer | undefined;
  /** Fails, as `undefined`, where the object has another version than `existing`. */
  patch(
    change: 'labels' | 'addFinalizer' | 'removeFinalizer',
    existing?: KubernetesObject,
  ): WriteAnswer | undefined;
  /** Fails where another object than `existing` has the name. */
  delete(existing?: KubernetesObject): WriteAnswer | undefined;
  /** Changes an object of another name. */
  changeAnother(): void;
  /** Takes the state that the pending list will answer with. */
  takeSnapshot(): void;
  /** Answers the pending request for a page. */
  sendPage(): void;
  /** Sends the next event to the open watch. */
  sendEvent(): void;
  /** Ends the list or the watch that is pending: with an error, or in the regular way without. */
  end(error?: KubernetesError): void;
}

/** Creates an API server without objects. */
export function createModelledServer(): ModelledServer {
  let version = 10;
  let incarnations = 0;
  let current: KubernetesObject | undefined;
  const log: WatchEvent<KubernetesObject>[] = [];

  let snapshot: Page | undefined;
  let pendingPage:
    | { resolve(page: Page): void; reject(error: KubernetesError): void }
    | undefined;
  let isSecondPage = false;
  /** What was sent to the open watch since it last took something. */
  let sent: (WatchEvent<KubernetesObject> | KubernetesError | undefined)[] = [];
  let watchedUpTo: number | undefined;
  let wake = () => {};

  function commit(
    type: 'ADDED' | 'MODIFIED' | 'DELETED',
    { metadata, ...rest }: KubernetesObject,
  ): KubernetesObject {
    version += 1;
    const object = {
      ...rest,
      metadata: { ...metadata, resourceVersion: String(version) },
    };
    log.push({ type, object });
    if (metadata.name === NAMED.name) {
      current = type === 'DELETED' ? undefined : object;
    }
    return object;
  }

  function somethingSent(): Promise<void> {
    return new Promise(resolve => {
      wake = resolve;
      if (sent.length > 0) {
        resolve();
      }
    });
  }

  function nextEvent() {
    return log.find(
      event => versionOfEvent(event) > (watchedUpTo ?? Number.NaN),
    );
  }

  const client = {
    list: async (_: unknown, options: ListOptions) => {
      isSecondPage = options.continue !== undefined;
      const page = await new Promise<Page>((resolve, reject) => {
        pendingPage = { resolve, reject };
      });
      page.items.forEach(item => options.onItem?.(item));
      return { ...page, items: [] };
    },
    async *watch(_: unknown, options: { resourceVersion: string }) {
      watchedUpTo = Number(options.resourceVersion);
      sent = [];
      try {
        while (true) {
          await somethingSent();
          for (const event of sent.splice(0)) {
            if (event === undefined) {
              return;
            }
            if (event instanceof KubernetesError) {
              throw event;
            }
            yield event;
          }
        }
      } finally {
        watchedUpTo = undefined;
      }
    },
  };

  function send(...events: typeof sent) {
    sent.push(...events);
    wake();
  }

  function takeSnapshot() {
    if (pendingPage) {
      snapshot ??= {
        items: current ? [current] : [],
        resourceVersion: String(version),
      };
    }
  }

  return {
    client: client as unknown as KubernetesClient,
    get current() {
      return current;
    },
    get isDelivered() {
      return !pendingPage && watchedUpTo !== undefined && !nextEvent();
    },
    create() {
      if (current) {
        return undefined;
      }
      incarnations += 1;
      return {
        written: commit('ADDED', {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { ...NAMED, uid: `uid ${incarnations}` },
        }),
      };
    },
    patch(change, existing) {
      const object = current;
      if (
        !object ||
        (existing &&
          existing.metadata.resourceVersion !== object.metadata.resourceVersion)
      ) {
        return undefined;
      }
      const { deletionTimestamp, finalizers = [] } = object.metadata;
      if (change === 'addFinalizer' && deletionTimestamp) {
        return undefined;
      }
      const patched = {
        ...object,
        metadata: {
          ...object.metadata,
          finalizers: {
            labels: finalizers,
            addFinalizer: ['test/finalizer'],
            removeFinalizer: [],
          }[change],
        },
      };
      if (deletionTimestamp && patched.metadata.finalizers.length === 0) {
        commit('DELETED', patched);
        // As kube-apiserver answers: without the version of the deletion.
        return { written: patched };
      }
      return { written: commit('MODIFIED', patched) };
    },
    delete(existing) {
      const object = current;
      if (!object) {
        return { deleted: true };
      }
      const { uid, finalizers = [], deletionTimestamp } = object.metadata;
      if (existing && existing.metadata.uid !== uid) {
        return undefined;
      }
      if (finalizers.length === 0) {
        commit('DELETED', object);
        return { deleted: true };
      }
      if (deletionTimestamp) {
        return { written: object };
      }
      const metadata = { ...object.metadata, deletionTimestamp: 'now' };
      return { written: commit('MODIFIED', { ...object, metadata }) };
    },
    changeAnother() {
      commit('MODIFIED', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { ...NAMED, name: 'another', uid: 'another' },
      });
    },
    takeSnapshot,
    sendPage() {
      const page = pendingPage;
      if (page) {
        takeSnapshot();
        pendingPage = undefined;
        if (isSecondPage) {
          page.resolve(snapshot!);
          snapshot = undefined;
        } else {
          page.resolve({ ...snapshot!, items: [], continue: 'second' });
        }
      }
    },
    sendEvent() {
      const event = nextEvent();
      if (event) {
        watchedUpTo = versionOfEvent(event);
        send(event);
      }
    },
    end(error) {
      if (pendingPage && error) {
        pendingPage.reject(error);
        pendingPage = undefined;
        snapshot = undefined;
      } else if (watchedUpTo !== undefined) {
        watchedUpTo = Infinity;
        send(error);
      }
    },
  };
}

function versionOfEvent(event: WatchEvent<KubernetesObject>): number {
  return event.type === 'BOOKMARK'
    ? Number(event.resourceVersion)
    : Number(event.object.metadata.resourceVersion);
}
