import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  KubernetesError,
  isKubernetesError,
  listPages,
  objectKey,
  resourceId,
  type KubernetesClient,
  type KubernetesErrorKind,
  type ResourceType,
  type ObjectSelector,
  type WatchEvent,
} from '../client';
import type { ObjectStore } from './objectStore';

/** How a reflector is doing. */
export interface ReflectorState {
  /** A full list has been completed, so that what is not in the store is not on the hub. */
  readonly synced: boolean;
  /** Why the store is not up to date now; undefined while it is. */
  readonly failure?: KubernetesError;
  /** Milliseconds since the epoch at which this state began. */
  readonly since: number;
}

/** Waiting times in milliseconds; tests shorten them. */
export interface ReflectorTiming {
  /** Seconds after which the API server ends a watch, and the watch is started again from where it was. */
  readonly watchSeconds: number;
  /** A watch has proved itself when it has told of anything, or has stayed open so long. */
  readonly watchProvenMs: number;
  readonly backoffMinMs: number;
  /** Between attempts where the hub does not answer. */
  readonly backoffMaxMs: number;
  /** Between full lists where these work and watches do not. */
  readonly relistMaxMs: number;
  /** Between attempts where the resource is missing or forbidden: somebody has to do something first. */
  readonly absentRetryMs: number;
  /** A list after an expired watch waits up to this long, so that not every replica lists at once. */
  readonly relistJitterMs: number;
}

export const DEFAULT_REFLECTOR_TIMING: ReflectorTiming = {
  watchSeconds: 60,
  watchProvenMs: 2_000,
  backoffMinMs: 200,
  backoffMaxMs: 5_000,
  relistMaxMs: 30_000,
  absentRetryMs: 3_000,
  relistJitterMs: 1_000,
};

/** A full list or a watch that is begun. */
export interface ListWatchStart {
  readonly resource: ResourceType;
  readonly kind: 'list' | 'watch';
  /** What came before it: the start, a list that is complete, the regular end of a watch, or an error. */
  readonly cause: 'start' | 'listed' | 'ended' | KubernetesErrorKind;
}

/** Keeps a store equal to one resource of a hub, until the signal is aborted. */
export interface Reflector {
  readonly state: ReflectorState;
  run(signal: AbortSignal): Promise<void>;
}

/** Creates a reflector; it does nothing until `run`. */
export function createReflector<T extends KubernetesObject>(options: {
  readonly client: KubernetesClient;
  readonly resource: ResourceType<T>;
  /** Which of its objects; all by default. */
  readonly selection?: ObjectSelector;
  /** Whether a hub does well without the resource: it is asked for less and less often, and nobody is warned. */
  readonly optional?: boolean;
  readonly store: ObjectStore<T>;
  readonly logger: LoggerService;
  readonly onStateChange: () => void;
  readonly onReading?: (reading: ListWatchStart) => void;
  readonly timing?: ReflectorTiming;
}): Reflector {
  const {
    client,
    resource,
    selection,
    optional = false,
    store,
    logger,
    onStateChange,
    onReading = () => {},
    timing = DEFAULT_REFLECTOR_TIMING,
  } = options;
  let state: ReflectorState = { synced: false, since: Date.now() };
  let resourceVersion: string | undefined;
  /** In a row; a list that succeeds is no proof that watches do, so each has its own. */
  let listFailures = 0;
  let watchFailures = 0;
  /** What is worth telling; the watch's stays until a watch has proved itself, however often lists succeed meanwhile. */
  let listError: KubernetesError | undefined;
  let watchError: KubernetesError | undefined;

  function tell(synced: boolean) {
    const failure = listError ?? watchError;
    if (
      synced === state.synced &&
      failure?.message === state.failure?.message
    ) {
      return;
    }
    if (failure && !state.failure) {
      const level = optional && failure.kind === 'notServed' ? 'debug' : 'warn';
      logger[level](failure.message, { resource: resourceId(resource) });
    }
    const same =
      Boolean(failure) === Boolean(state.failure) && synced === state.synced;
    state = { synced, failure, since: same ? state.since : Date.now() };
    onStateChange();
  }

  async function listAll(signal: AbortSignal) {
    const listing = store.startListing();
    let version = '';
    for await (const page of listPages(client, resource, {
      ...selection,
      signal,
    })) {
      await listing.take(page.items);
      version = page.resourceVersion;
    }
    // Only now: a list that failed half-way says nothing about what is not in it.
    await listing.complete(version);
    resourceVersion = version;
    listFailures = 0;
    listError = undefined;
    tell(true);
  }

  async function watchFrom(version: string, signal: AbortSignal) {
    let proven = false;
    let timer: NodeJS.Timeout | undefined;
    const prove = () => {
      proven = true;
      clearTimeout(timer);
      watchFailures = 0;
      watchError = undefined;
      tell(state.synced);
    };
    const events = client.watch(resource, {
      ...selection,
      resourceVersion: version,
      timeoutSeconds: Math.ceil(timing.watchSeconds * (1 + Math.random() / 4)),
      onOpen: () => {
        timer = setTimeout(prove, timing.watchProvenMs);
      },
      signal,
    });
    try {
      for await (const event of events) {
        take(event);
        if (!proven) {
          prove();
        }
      }
    } finally {
      clearTimeout(timer);
    }
    if (!proven && !signal.aborted) {
      throw new KubernetesError(
        'unavailable',
        `The watch of ${resourceId(resource)} is accepted and ends at once`,
      );
    }
  }

  function take(event: WatchEvent<T>) {
    if (event.type === 'BOOKMARK') {
      advance(event.resourceVersion);
      return;
    }
    advance(event.object.metadata.resourceVersion);
    if (event.type === 'DELETED') {
      store.remove(objectKey(event.object.metadata));
    } else {
      store.upsert(event.object);
    }
  }

  /** A version that goes backwards is that of another history: of a hub that was restored or made anew. */
  function advance(version: string | undefined) {
    if (Number(version) < Number(resourceVersion)) {
      throw new KubernetesError(
        'gone',
        `${resourceId(resource)} went back from version ${resourceVersion} to ${version}`,
      );
    }
    resourceVersion = version;
  }

  /** Milliseconds to wait before the next attempt. */
  function afterListFailure(error: KubernetesError): number {
    listFailures += 1;
    // A list that takes too long for its own continuation is begun anew.
    const expired = error.kind === 'gone';
    const everyday = expired || (isPassing(error) && state.synced);
    if (!everyday || listFailures > 1) {
      listError = error;
    }
    if (isAbsent(error)) {
      return optional
        ? backoff(listFailures, timing.absentRetryMs, timing.relistMaxMs)
        : spread(timing.absentRetryMs);
    }
    return backoff(listFailures, timing.backoffMinMs, timing.backoffMaxMs);
  }

  /** As {@link afterListFailure}. */
  function afterWatchFailure(error: KubernetesError): number {
    watchFailures += 1;
    const expired = error.kind === 'gone';
    // A watch that is dropped and taken up again, or that turns out to have expired meanwhile, is everyday life.
    const everyday = expired
      ? watchFailures <= 2
      : watchFailures === 1 && isPassing(error);
    if (!everyday) {
      watchError = error;
    }
    if (expired || isAbsent(error) || watchFailures > 1) {
      // Objects may be deleted and made again while it cannot be watched, and a hub that comes back may not be the one that was left:
      // what was known is no place to go on from.
      resourceVersion = undefined;
    }
    if (expired && everyday) {
      return Math.random() * timing.relistJitterMs;
    }
    return backoff(
      watchFailures,
      isAbsent(error) ? timing.absentRetryMs : timing.backoffMinMs,
      timing.relistMaxMs,
    );
  }

  return {
    get state() {
      return state;
    },
    async run(signal) {
      let cause: ListWatchStart['cause'] = 'start';
      while (!signal.aborted) {
        const version = resourceVersion;
        const kind = version === undefined ? 'list' : 'watch';
        onReading({ resource, kind, cause });
        try {
          if (version === undefined) {
            await listAll(signal);
            cause = 'listed';
          } else {
            await watchFrom(version, signal);
            cause = 'ended';
          }
        } catch (thrown) {
          if (signal.aborted) {
            return;
          }
          const error = isKubernetesError(thrown)
            ? thrown
            : new KubernetesError('unavailable', String(thrown), {
                cause: thrown,
              });
          cause = error.kind;
          const wait =
            version === undefined
              ? afterListFailure(error)
              : afterWatchFailure(error);
          tell(state.synced);
          const waitMs = Math.max(wait, (error.retryAfter ?? 0) * 1000);
          await sleep(waitMs, undefined, { signal }).catch(() => undefined);
        }
      }
    },
  };
}

function isPassing({ kind }: KubernetesError): boolean {
  return kind === 'unavailable' || kind === 'throttled';
}

function isAbsent({ kind }: KubernetesError): boolean {
  return kind === 'notServed' || kind === 'forbidden';
}

function backoff(failures: number, minMs: number, maxMs: number): number {
  return spread(Math.min(maxMs, minMs * 2 ** Math.min(failures - 1, 16)));
}

/** So that not all replicas ask at the same moment. */
function spread(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
