import { ApiError } from './kubernetes/apiError';
import { HubClient } from './kubernetes/client';
import { requiredResources, resourceName } from './kubernetes/resources';
import { FleetLogger } from './logger';
import { backoffMs, pause } from './runtime/backoff';

const ATTEMPTS = 6;

/**
 * Makes sure that the hub answers and serves what the fleet works with.
 *
 * @throws Error that names the hub, or the resources whose CustomResourceDefinition is missing.
 */
export async function checkHub(
  client: HubClient,
  logger: FleetLogger,
  signal: AbortSignal,
): Promise<void> {
  const missing: string[] = [];
  for (const resource of requiredResources) {
    const served = await patiently(() => client.serves(resource));
    if (!served) {
      missing.push(resourceName(resource));
    }
  }
  if (missing.length > 0) {
    throw new Error(
      `The hub ${client.server} does not serve ${missing.join(
        ', ',
      )}: install the CustomResourceDefinition of each, then start the fleet again.`,
    );
  }

  async function patiently<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        const hopeless =
          error instanceof ApiError && [401, 403].includes(error.code);
        if (hopeless || attempt === ATTEMPTS || signal.aborted) {
          throw new Error(
            `The hub ${client.server} cannot be used: ${describe(error)}`,
          );
        }
        const delay = backoffMs(attempt);
        logger.warn(
          `The hub ${client.server} does not answer, again in ${delay} ms: ${describe(
            error,
          )}`,
        );
        await pause(delay, signal);
      }
    }
  }
}

/** Network errors of fetch say what happened only in their cause. */
function describe(error: unknown): string {
  return error instanceof Error && error.cause
    ? `${error.message}: ${error.cause}`
    : String(error);
}
