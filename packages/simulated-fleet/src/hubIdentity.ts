import { HubClient } from './kubernetes/client';
import { namespaces } from './kubernetes/resources';
import { FleetLogger } from './logger';
import { backoffMs, pause } from './runtime/backoff';

/** Knows whether the hub behind the kubeconfig is still the one that it was. */
export interface HubIdentity {
  /** Remembers the hub as it is now. */
  learn(): Promise<void>;
  /** Looks again, after something was listed anew. */
  check(versions: { before: string; now: string }): Promise<void>;
  onReset(listener: () => void): void;
}

/**
 * A hub is named by the UID of its namespace kube-system, as is customary. One
 * with the same name whose resource versions went back was restored.
 */
export function createHubIdentity(
  client: HubClient,
  logger: FleetLogger,
  signal: AbortSignal,
): HubIdentity {
  const listeners: (() => void)[] = [];
  let uid: string | undefined;

  async function currentUid(): Promise<string | undefined> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const { metadata } = await client.get(namespaces, {
          name: 'kube-system',
        });
        return metadata.uid;
      } catch (error) {
        const delay = backoffMs(attempt);
        logger.debug(
          `The hub could not be identified, again in ${delay} ms: ${error}`,
        );
        await pause(delay, signal);
      }
    }
    return undefined;
  }

  return {
    async learn() {
      uid = await currentUid();
    },
    async check({ before, now }) {
      const found = await currentUid();
      if (signal.aborted) {
        return;
      }
      let reason: string | undefined;
      if (found !== uid) {
        uid = found;
        reason = 'is another one than before';
      } else if (wentBack(before, now)) {
        reason = `was set back from resource version ${before} to ${now}`;
      }
      if (reason) {
        logger.info(`The hub ${client.server} ${reason}.`);
        listeners.forEach(listener => listener());
      }
    },
    onReset: listener => {
      listeners.push(listener);
    },
  };
}

function wentBack(before: string, now: string): boolean {
  return (
    /^\d+$/.test(before) && /^\d+$/.test(now) && BigInt(now) < BigInt(before)
  );
}
