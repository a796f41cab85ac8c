import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type { HubChange, HubResourceName } from '../hub';
import type { HubWriter } from './hubWriter';

/** What a reconciliation may use beside the cache. */
export interface ReconcileContext {
  readonly writer: HubWriter;
  readonly signal: AbortSignal;
  readonly logger: LoggerService;
}

/**
 * One controller on one hub: level-triggered, so that a key says only what to look at. It fails by throwing; when it is tried again
 * is not its affair.
 */
export interface Controller {
  readonly name: string;
  /** What must be complete in the cache before anything is decided. */
  readonly needs: readonly HubResourceName[];
  /** Milliseconds during which several changes of one key are taken together. */
  readonly debounceMs: number;
  /** Once at the beginning of each run, when what it needs is complete. */
  prepare?(context: Pick<ReconcileContext, 'signal' | 'logger'>): Promise<void>;
  /** What is not right about the hub as a whole. */
  findings?(): readonly Finding[];
  /** All keys of a full pass. */
  allKeys(): Iterable<string>;
  /** Keys that a change of the cache may concern. */
  keysOf(change: HubChange): Iterable<string>;
  /** Makes what is be what should be, and answers with what is not right about it. */
  reconcile(
    key: string,
    context: ReconcileContext,
  ): Promise<readonly Finding[]>;
}

/** What a controller is allowed to do on a hub. */
export type ControllerMode = 'manage' | 'observe' | 'off';
