import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  KubernetesError,
  isKubernetesError,
  listPages,
  resourceId,
  type KubernetesClient,
  type KubernetesErrorKind,
  type ResourceType,
  type ObjectSelector,
  type WatchEvent,
} from '../client';
import { createListWatchFailures } from './listWatchFailures';
import type { ObjectStore } from './objectStore';
import {
  DEFAULT_REFLECTOR_TIMING,
  type ReflectorTiming,
} from './reflectorTiming';

/** How a reflector is doing. */
export interface ReflectorState {
  /** A full list has been completed, so that the API server had no other objects than the store. */
  readonly synced: boolean;
  /** The API server answers again after a time without any answer: what changed meanwhile is being listed. */
  readonly relisting: boolean;
  /** Why the store is not up to date now; undefined while it is. */
  readonly failure?: KubernetesError;
  /** Milliseconds since the epoch at which this state began. */
  readonly since: number;
  /** Milliseconds since the epoch of the last sign of life of the API server; undefined before the first. */
  readonly heardAt?: number;
}

/** A full list or a watch that starts. */
export interface ListWatchStart {
  readonly resource: ResourceType;
  readonly kind: 'list' | 'watch';
  /** What came before it: the start, a completed list, the regular end of a watch, or an error. */
  readonly cause: 'start' | 'listed' | 'ended' | KubernetesErrorKind;
}

/** Keeps a store equal to one resource of an API server, until the signal is aborted. */
export interface Reflector {
  readonly state: ReflectorState;
  /** Whether the store is complete and up to date, as the state says; it is asked for each key of each controller. */
  readonly isUpToDate: boolean;
  /** Ends a wait that an API server without any answer has caused. */
  retryNow(): void;
  run(signal: AbortSignal): Promise<void>;
}

/** What a reflector takes besides its store. */
export interface ReflectorOptions<T extends KubernetesObject> {
  readonly client: KubernetesClient;
  readonly resource: ResourceType<T>;
  /** Which of its objects; all by default. */
  readonly selection?: ObjectSelector;
  /**
   * Whether an API server may do without the resource: then the reflector retries less and less often, and logs no
   * warning.
   */
  readonly optional?: boolean;
  readonly logger: LoggerService;
  readonly onStateChange: () => void;
  /** The API server answers again after a time without any answer. */
  readonly onReturn?: () => void;
  readonly onListWatchStart?: (start: ListWatchStart) => void;
  readonly timing?: ReflectorTiming;
}

/** Creates a reflector; it does nothing until `run`. */
export function createReflector<T extends KubernetesObject>(
  options: ReflectorOptions<T> & {
    readonly store: Pick<
      ObjectStore<T, unknown>,
      'startListing' | 'upsert' | 'remove'
    >;
  },
): Reflector {
  const {
    client,
    resource,
    selection,
    optional = false,
    store,
    logger,
    onStateChange,
    onReturn = () => {},
    onListWatchStart = () => {},
    timing = DEFAULT_REFLECTOR_TIMING,
  } = options;
  const failures = createListWatchFailures(timing, optional);
  let state: ReflectorState = {
    synced: false,
    relisting: false,
    since: Date.now(),
  };
  /** Where the next watch starts; undefined where a full list has to come first. */
  let resourceVersion: string | undefined;
  /** The last list got no answer at all. */
  let away = false;
  let waiting: AbortController | undefined;
  let heardAt: number | undefined;
  const hear = () => {
    heardAt = Date.now();
  };

  async function run(signal: AbortSignal) {
    let cause: ListWatchStart['cause'] = 'start';
    while (!signal.aborted) {
      const startedAt = Date.now();
      const version = resourceVersion;
      const kind = version === undefined ? 'list' : 'watch';
      onListWatchStart({ resource, kind, cause });
      try {
        if (version === undefined) {
          await list(signal);
          cause = 'listed';
        } else {
          await watch(version, signal);
          cause = 'ended';
        }
      } catch (thrown) {
        if (signal.aborted) {
          return;
        }
        const error = asKubernetesError(thrown);
        if (error.status !== undefined) {
          hear();
        }
        const answered = heardAt !== undefined && heardAt >= startedAt;
        away = !answered && (away || kind === 'list');
        cause = error.kind;
        const waitMs = Math.max(
          waitAfter(kind, error),
          (error.retryAfter ?? 0) * 1000,
        );
        updateState(state.synced);
        waiting = answered ? undefined : new AbortController();
        await sleep(waitMs, undefined, {
          signal: waiting ? AbortSignal.any([signal, waiting.signal]) : signal,
        }).catch(() => undefined);
      }
    }
  }

  async function list(signal: AbortSignal) {
    const listing = store.startListing();
    let version = '';
    for await (const page of listPages(client, resource, {
      ...selection,
      signal,
      onItem: listing.add,
    })) {
      hear();
      if (away) {
        away = false;
        failures.answersAgain();
        updateState(state.synced, state.synced);
        onReturn();
      }
      version = page.resourceVersion;
    }
    // Only now: objects that are missing from a part of a list may exist.
    await listing.complete(version);
    resourceVersion = version;
    failures.listSucceeded();
    updateState(true);
  }

  async function watch(version: string, signal: AbortSignal) {
    let proven = false;
    let open = false;
    let timer: NodeJS.Timeout | undefined;
    const prove = () => {
      proven = true;
      clearTimeout(timer);
      failures.watchProven();
      updateState(state.synced);
    };
    const events = client.watch(resource, {
      ...selection,
      resourceVersion: version,
      timeoutSeconds: Math.ceil(timing.watchSeconds * (1 + Math.random() / 4)),
      onOpen: () => {
        open = true;
        hear();
        timer = setTimeout(prove, timing.watchProvenMs);
      },
      signal,
    });
    try {
      for await (const event of events) {
        hear();
        handleEvent(event);
        if (!proven) {
          prove();
        }
      }
      hear();
    } catch (error) {
      // A connection that was open and breaks has been alive until then; an overdue watch has not.
      if (open && !asKubernetesError(error).silent) {
        hear();
      }
      throw error;
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

  function handleEvent(event: WatchEvent<T>) {
    if (event.type === 'BOOKMARK') {
      advanceTo(event.resourceVersion);
      return;
    }
    advanceTo(event.object.metadata.resourceVersion);
    if (event.type === 'DELETED') {
      store.remove(event.object);
    } else {
      store.upsert(event.object);
    }
  }

  /** A version that goes backwards is that of another history: the API server was restored or created again. */
  function advanceTo(version: string | undefined) {
    if (Number(version) < Number(resourceVersion)) {
      throw new KubernetesError(
        'gone',
        `${resourceId(resource)} went back from version ${resourceVersion} to ${version}`,
      );
    }
    resourceVersion = version;
  }

  /** Milliseconds to wait before the next attempt. */
  function waitAfter(kind: ListWatchStart['kind'], error: KubernetesError) {
    if (kind === 'list') {
      return failures.listFailed(error, state.synced);
    }
    const { waitMs, relist } = failures.watchFailed(error);
    if (relist) {
      resourceVersion = undefined;
    }
    return waitMs;
  }

  function updateState(synced: boolean, relisting = false) {
    const failure = failures.error;
    if (
      synced === state.synced &&
      relisting === state.relisting &&
      failure?.message === state.failure?.message
    ) {
      return;
    }
    if (failure && !state.failure) {
      const level = optional && failure.kind === 'notServed' ? 'debug' : 'warn';
      logger[level](failure.message, { resource: resourceId(resource) });
    }
    const same =
      Boolean(failure) === Boolean(state.failure) &&
      synced === state.synced &&
      relisting === state.relisting;
    state = {
      synced,
      relisting,
      failure,
      since: same ? state.since : Date.now(),
    };
    onStateChange();
  }

  return {
    get state() {
      return { ...state, heardAt };
    },
    get isUpToDate() {
      return state.synced && !state.relisting && !state.failure;
    },
    retryNow: () => waiting?.abort(),
    run,
  };
}

function asKubernetesError(thrown: unknown): KubernetesError {
  return isKubernetesError(thrown)
    ? thrown
    : new KubernetesError('unavailable', String(thrown), { cause: thrown });
}
