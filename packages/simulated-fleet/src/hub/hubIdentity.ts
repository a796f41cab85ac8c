import { HubClient } from '../kubernetes/client';
import { isOlderVersion } from '../kubernetes/objects';
import { namespaces } from '../kubernetes/resources';
import { FleetLogger } from '../runtime/logger';
import { backoffMs, pause } from '../runtime/backoff';

/** Detects that the hub behind the kubeconfig was replaced or restored. */
export interface HubIdentity {
  /** Remembers the current hub; retries until the hub answers or the signal aborts. */
  remember(): Promise<void>;
  /** Compares the hub with the remembered one; `versions` are the resource versions around a relist. */
  check(versions: { before: string; now: string }): Promise<void>;
  /** Calls the listener when {@link check} finds another hub or a restored one. */
  onReset(listener: () => void): void;
}

/**
 * The UID of the namespace kube-system identifies a hub, as is customary. If
 * the UID is the same and resource versions went back, the hub was restored.
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
          `Reading the UID of the hub failed, retry in ${delay} ms: ${error}`,
        );
        await pause(delay, signal);
      }
    }
    return undefined;
  }

  return {
    async remember() {
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
        reason = 'was replaced by another one';
      } else if (isOlderVersion(now, before)) {
        reason = `was restored: resource version ${before} went back to ${now}`;
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
