import { ApiError } from './kubernetes/apiError';
import { HubClient } from './kubernetes/client';
import { requiredResources, resourceName } from './kubernetes/resources';
import { FleetLogger } from './runtime/logger';
import { backoffMs, pause } from './runtime/backoff';

const ATTEMPTS = 6;

/**
 * Checks that the hub answers and serves the resources that the fleet uses.
 *
 * @throws Error with the hub's URL if the hub does not answer after six attempts or refuses the
 * credentials, or with the resources whose CustomResourceDefinition is missing.
 */
export async function checkHub(
  client: HubClient,
  logger: FleetLogger,
  signal: AbortSignal,
): Promise<void> {
  const missing: string[] = [];
  for (const resource of requiredResources) {
    const served = await withRetries(() => client.serves(resource));
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

  async function withRetries<T>(request: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request();
      } catch (error) {
        const isPermanent =
          error instanceof ApiError && [401, 403].includes(error.code);
        if (isPermanent || attempt === ATTEMPTS || signal.aborted) {
          throw new Error(
            `The hub ${client.server} cannot be used: ${describe(error)}`,
          );
        }
        const delay = backoffMs(attempt);
        logger.warn(
          `The hub ${client.server} does not answer, retry in ${delay} ms: ${describe(
            error,
          )}`,
        );
        await pause(delay, signal);
      }
    }
  }
}

/** The reason of a network error of fetch is only in its cause. */
function describe(error: unknown): string {
  return error instanceof Error && error.cause
    ? `${error.message}: ${error.cause}`
    : String(error);
}
