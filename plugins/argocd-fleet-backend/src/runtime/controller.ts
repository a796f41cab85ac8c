import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { FleetEvent, ClusterWideResource } from '../fleet';
import type { HubWriter } from './hubWriter';

/** What a reconciliation may use beside the cache. */
export interface ReconcileContext {
  readonly writer: HubWriter;
  readonly signal: AbortSignal;
  readonly logger: LoggerService;
  /** Whether another key was found to need nothing, with its inputs as they are now. */
  isUnchanged(key: string): boolean;
  /** Has the key looked at again after so many milliseconds, or earlier where something happens. */
  lookAgain(afterMs: number): void;
}

/**
 * One controller on one hub: level-triggered, so that a key says only what to look at. It fails by throwing; when it is tried again
 * is not its affair.
 */
export interface Controller {
  readonly name: string;
  /** What must be complete in the cache before anything is decided. */
  readonly needs: readonly ClusterWideResource[];
  /** Milliseconds during which several changes of one key are taken together. */
  readonly debounceMs: number;
  /** Once at the beginning of each run, when what it needs is complete. */
  prepare?(context: Pick<ReconcileContext, 'signal' | 'logger'>): Promise<void>;
  /** What is not right about the hub as a whole. */
  findings?(): readonly Finding[];
  /** Why nothing may be written now, so that it is as in `observe` mode; undefined where it may. */
  writeBlockedBy?(): Finding | undefined;
  /** All keys of a full pass. */
  listKeys(): Iterable<string>;
  /** Keys that a change of the cache may concern. */
  mapEventToKeys(change: FleetEvent): Iterable<string>;
  /** Calls back with keys that are to be looked at for another reason than a change of the cache, until the returned function is called. */
  onOutsideChange?(listener: (keys: readonly string[]) => void): () => void;
  /**
   * What the decision about a key rests on, compared element by element by identity: objects of the cache, which are replaced and never
   * changed, and plain values. A full pass leaves a key alone whose inputs are those with which it was last looked at, when nothing was
   * to be written and nothing is to be tried again. Undefined, or no such function: always look, as where the decision depends on the time.
   */
  dependencies?(key: string): readonly unknown[] | undefined;
  /** Makes what is be what should be, and answers with what is not right about it. */
  reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<readonly Finding[]>;
}

/** What a controller is allowed to do on a hub. */
export type ControllerMode = 'manage' | 'observe' | 'off';
