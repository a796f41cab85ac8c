import { setTimeout } from 'node:timers/promises';
import type {
  ArgocdFleetClient,
  ChangedEvent,
} from 'backstage-plugin-argocd-fleet-common';

/** Waits for the next change on the hub. */
export interface ChangeSignal {
  /**
   * Resolves when something changed since the last call, and after the given milliseconds at the latest. Rejects when
   * the signal is aborted.
   */
  waitForChange(maxWaitMs: number): Promise<void>;
}

/**
 * Reads the API's stream of changes until the signal is aborted. The stream only shortens the wait: without it, the
 * caller polls at the interval that it gives to `waitForChange`.
 */
export function createChangeSignal(options: {
  readonly client: Pick<ArgocdFleetClient, 'changes'>;
  readonly getToken: () => Promise<string>;
  /** Whether a change concerns the rollout. */
  readonly isRelevant: (event: ChangedEvent) => boolean;
  /** Milliseconds before a stream that ended is opened again. */
  readonly reconnectMs: number;
  readonly signal: AbortSignal;
  readonly onInterrupted: (error: unknown) => void;
}): ChangeSignal {
  const { client, getToken, isRelevant, reconnectMs, signal } = options;
  let changed = false;
  let wake = () => {};

  async function readStream(): Promise<void> {
    while (!signal.aborted) {
      try {
        const token = await getToken();
        for await (const event of client.changes({ token, signal })) {
          if (isRelevant(event)) {
            changed = true;
            wake();
          }
        }
      } catch (error) {
        if (!signal.aborted) {
          options.onInterrupted(error);
        }
      }
      await setTimeout(reconnectMs, undefined, { signal }).catch(() => {});
    }
  }
  readStream();

  return {
    async waitForChange(maxWaitMs) {
      const woken = new AbortController();
      wake = () => woken.abort();
      if (changed) {
        wake();
      }
      await setTimeout(maxWaitMs, undefined, {
        signal: AbortSignal.any([woken.signal, signal]),
      }).catch(() => {});
      signal.throwIfAborted();
      changed = false;
      wake = () => {};
    },
  };
}
