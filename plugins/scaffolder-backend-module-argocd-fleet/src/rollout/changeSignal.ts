import type {
  ArgocdFleetClient,
  ChangedEvent,
} from 'backstage-plugin-argocd-fleet-common';
import { pause } from '../pause';

/** Says when it is worth looking again. */
export interface ChangeSignal {
  /**
   * Resolves when something changed since it was last called, and after the given milliseconds at the latest; rejects when the
   * signal is aborted.
   */
  next(maxWaitMs: number): Promise<void>;
}

/**
 * Listens to the API's stream of changes until the signal is aborted. The stream only makes it quicker: while it is not to be
 * had, the longest wait given to `next` is how often one looks.
 */
export function createChangeSignal(options: {
  readonly client: Pick<ArgocdFleetClient, 'changes'>;
  readonly getToken: () => Promise<string>;
  /** Whether a change has to do with what is waited for. */
  readonly concerns: (event: ChangedEvent) => boolean;
  /** Milliseconds before a stream that ended is opened again. */
  readonly reconnectMs: number;
  readonly signal: AbortSignal;
  readonly onInterrupted: (error: unknown) => void;
}): ChangeSignal {
  const { client, getToken, concerns, reconnectMs, signal } = options;
  let changed = false;
  let wake = () => {};

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        const token = await getToken();
        for await (const event of client.changes({ token, signal })) {
          if (concerns(event)) {
            changed = true;
            wake();
          }
        }
      } catch (error) {
        if (!signal.aborted) {
          options.onInterrupted(error);
        }
      }
      await pause(reconnectMs, signal);
    }
  }
  follow();

  return {
    async next(maxWaitMs) {
      const woken = new AbortController();
      wake = () => woken.abort();
      if (changed) {
        wake();
      }
      await pause(maxWaitMs, AbortSignal.any([woken.signal, signal]));
      signal.throwIfAborted();
      changed = false;
      wake = () => {};
    },
  };
}
