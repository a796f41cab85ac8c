import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type {
  ClusterWideResource,
  EventOf,
  FleetEvent,
  FleetResource,
} from '../fleet';
import type { HubWriter } from './hubWriter';

/**
 * One controller on one hub. It is level-triggered: a key says which object to reconcile, not what happened to it. A
 * reconcile fails by throwing; the runner decides when it is retried.
 */
export interface Controller {
  readonly name: string;
  readonly watches: Watches;
  /** What the findings about a failed key name. */
  readonly failureContext: FailureContext;
  /** What concerns the hub as a whole. */
  readonly hubChecks?: HubChecks;
  /** All keys of a full pass; a key may come more than once. */
  listKeys(): Iterable<string>;
  /**
   * What the decision about a key depends on: objects of the cache, which are replaced and never modified, and plain
   * values; compared element by element by identity. A full pass skips a key whose dependencies are the same as at its
   * last reconcile, if that wrote nothing and no retry is due. Undefined, or no such function: reconcile in each pass,
   * as where the decision depends on the time.
   */
  dependencies?(key: string): readonly unknown[] | undefined;
  /** Brings what exists in line with what is desired. */
  reconcile(key: string, context: ReconcileContext): Promise<ReconcileResult>;
}

/** Which events enqueue which keys. */
export interface Watches {
  /** Resources that must be complete in the cache before any key is reconciled. */
  readonly synced: readonly ClusterWideResource[];
  /** Milliseconds during which the events of one key are taken together; 0 if left out. */
  readonly debounceMs?: number;
  /** Keys that an event of a resource concerns. What has no function here waits for the next full pass. */
  readonly events: {
    readonly [Name in FleetResource]?: (
      event: EventOf<Name>,
    ) => Iterable<string>;
  };
  /** Calls back with keys to reconcile for a reason outside the hub, until the returned function is called. */
  onOutsideEvent?(listener: (keys: Iterable<string>) => void): () => void;
}

const NO_KEYS: readonly string[] = [];

/** Keys that an event concerns. */
export function mapEventToKeys(
  { events }: Watches,
  event: FleetEvent,
): Iterable<string> {
  const map = events[event.resource] as
    ((event: FleetEvent) => Iterable<string>) | undefined;
  return map ? map(event) : NO_KEYS;
}

/** What a reconcile may use beside the cache. */
export interface ReconcileContext {
  readonly writer: HubWriter;
  readonly signal: AbortSignal;
  readonly logger: LoggerService;
  /** Whether another key needed nothing at its last reconcile, and its dependencies are still the same. */
  isUnchanged(key: string): boolean;
}

/** What a reconcile leaves behind. */
export interface ReconcileResult {
  /** What is wrong with the key's object. */
  readonly findings?: readonly Finding[];
  /**
   * Reconcile the key again after so many milliseconds, or earlier if an event concerns it. It holds within this run
   * only: `dependencies` must return undefined as long as the time decides, so that the passes of later runs reconcile
   * the key too.
   */
  readonly requeueAfterMs?: number;
}

/** What the findings about a failed key name. */
export interface FailureContext {
  objectOf(key: string): NonNullable<Finding['object']>;
  /** Name of the file in `deploy/rbac/` with the controller's rules. */
  readonly rbacFile: string;
}

/** What concerns the hub as a whole. */
export interface HubChecks {
  /** Called once at the beginning of each run, when the required resources are synced. */
  prepare?(context: Pick<ReconcileContext, 'signal' | 'logger'>): Promise<void>;
  findings?(): readonly Finding[];
  /** Why nothing may be written for the key now, as in `observe` mode; undefined where writing is allowed. */
  writeBlockedBy?(key: string): Finding | undefined;
}

/** The object of a key `<namespace>/<name>`. */
export function objectOfKind(kind: string): FailureContext['objectOf'] {
  return key => {
    const [namespace, name] = key.split('/');
    return { kind, namespace, name };
  };
}

/** What a controller is allowed to do on a hub. */
export type ControllerMode = 'manage' | 'observe' | 'off';
