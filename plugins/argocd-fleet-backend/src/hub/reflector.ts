import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  objectKey,
  resourceId,
  type HubClient,
  type HubResource,
} from './hubClient';
import { HubError, isHubError } from './hubError';
import type { ObjectStore } from './objectStore';

/** How a reflector is doing. */
export interface ReflectorState {
  /** A full list has been completed, so that what is not in the store is not on the hub. */
  readonly synced: boolean;
  /** Why the store is not up to date now; undefined while it is. */
  readonly failure?: HubError;
  /** Milliseconds since the epoch at which this state began. */
  readonly since: number;
}

/** Waiting times in milliseconds; tests shorten them. */
export interface ReflectorTiming {
  /** Seconds after which the API server ends a watch, and the watch is started again from where it was. */
  readonly watchSeconds: number;
  readonly backoffMinMs: number;
  readonly backoffMaxMs: number;
  /** Between attempts where the resource is missing or forbidden: somebody has to do something first. */
  readonly absentRetryMs: number;
  /** A list after an expired watch waits up to this long, so that not every replica lists at once. */
  readonly relistJitterMs: number;
}

export const DEFAULT_REFLECTOR_TIMING: ReflectorTiming = {
  watchSeconds: 60,
  backoffMinMs: 200,
  backoffMaxMs: 5_000,
  absentRetryMs: 3_000,
  relistJitterMs: 1_000,
};

const PAGE_SIZE = 500;

/** Keeps a store equal to one resource of a hub, until the signal is aborted. */
export interface Reflector {
  readonly state: ReflectorState;
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a reflector; it does nothing until `run`. */
export function createReflector<T extends KubernetesObject>(options: {
  readonly client: HubClient;
  readonly resource: HubResource<T>;
  readonly store: ObjectStore<T>;
  readonly logger: LoggerService;
  readonly onStateChange: () => void;
  readonly timing?: ReflectorTiming;
}): Reflector {
  const {
    client,
    resource,
    store,
    logger,
    onStateChange,
    timing = DEFAULT_REFLECTOR_TIMING,
  } = options;
  let state: ReflectorState = { synced: false, since: Date.now() };
  let resourceVersion: string | undefined;
  let failures = 0;

  function setState(next: Omit<ReflectorState, 'since'>) {
    if (
      next.synced === state.synced &&
      next.failure?.message === state.failure?.message
    ) {
      return;
    }
    const sameTrouble = Boolean(next.failure) === Boolean(state.failure);
    state = {
      ...next,
      since:
        sameTrouble && next.synced === state.synced ? state.since : Date.now(),
    };
    onStateChange();
  }

  function healthy() {
    failures = 0;
    setState({ synced: true });
  }

  async function listAll(signal: AbortSignal) {
    const items: T[] = [];
    let token: string | undefined;
    let version = '';
    do {
      const page = await client.list(resource, {
        limit: PAGE_SIZE,
        continue: token,
        signal,
      });
      items.push(...page.items);
      token = page.continue;
      version = page.resourceVersion;
    } while (token);
    // Only now: a list that failed half-way says nothing about what is not in it.
    store.replace(items);
    resourceVersion = version;
    healthy();
  }

  async function watchFrom(version: string, signal: AbortSignal) {
    const events = client.watch(resource, {
      resourceVersion: version,
      timeoutSeconds: Math.ceil(timing.watchSeconds * (1 + Math.random() / 4)),
      onOpen: healthy,
      signal,
    });
    for await (const event of events) {
      advance(
        event.type === 'BOOKMARK'
          ? event.resourceVersion
          : event.object.metadata.resourceVersion,
      );
      if (event.type === 'BOOKMARK') {
        continue;
      }
      if (event.type === 'DELETED') {
        store.remove(objectKey(event.object.metadata));
      } else {
        store.upsert(event.object);
      }
    }
  }

  /** A version that goes backwards is that of another history: of a hub that was restored or made anew. */
  function advance(version: string | undefined) {
    if (Number(version) < Number(resourceVersion)) {
      throw new HubError(
        'gone',
        `${resourceId(resource)} went back from version ${resourceVersion} to ${version}`,
      );
    }
    resourceVersion = version;
  }

  /** Milliseconds to wait before the next attempt. */
  function afterFailure(error: HubError): number {
    if (error.kind === 'gone') {
      resourceVersion = undefined;
      return Math.random() * timing.relistJitterMs;
    }
    failures += 1;
    if (error.kind === 'notServed' || error.kind === 'forbidden') {
      // Objects may be deleted and made again while it cannot be watched: what was known is no place to go on from.
      resourceVersion = undefined;
      return timing.absentRetryMs * (0.75 + Math.random() / 2);
    }
    if (failures > 1) {
      // More than a dropped connection: a hub that comes back may not be the one that was left.
      resourceVersion = undefined;
    }
    const backoff = Math.min(
      timing.backoffMaxMs,
      timing.backoffMinMs * 2 ** Math.min(failures - 1, 16),
    );
    return Math.max(
      backoff * (0.5 + Math.random() / 2),
      (error.retryAfter ?? 0) * 1000,
    );
  }

  /** A watch that is dropped and taken up again at once is everyday life. */
  function isWorthTelling({ kind }: HubError) {
    const passing = kind === 'unavailable' || kind === 'throttled';
    return kind !== 'gone' && !(passing && state.synced && failures < 2);
  }

  return {
    get state() {
      return state;
    },
    async run(signal) {
      while (!signal.aborted) {
        try {
          if (resourceVersion === undefined) {
            await listAll(signal);
          } else {
            await watchFrom(resourceVersion, signal);
          }
        } catch (cause) {
          if (signal.aborted) {
            return;
          }
          const error = isHubError(cause)
            ? cause
            : new HubError('unavailable', String(cause), { cause });
          const wait = afterFailure(error);
          if (isWorthTelling(error)) {
            if (!state.failure) {
              logger.warn(error.message, { resource: resourceId(resource) });
            }
            setState({ synced: state.synced, failure: error });
          }
          await sleep(wait, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}
