import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { readFleetConfig } from '../../../config/fleetConfig';
import { createFleetHub, type FleetHub } from '../../../fleetHub';

const silent: LoggerService = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  child: () => silent,
};

/** A hub's caches and controllers, as the plugin puts them together from such a configuration. */
export function composedHub(
  kubeconfigPath: string,
  controllers: JsonObject,
  recording?: Parameters<typeof createFleetHub>[0]['recording'],
  asking?: Parameters<typeof createFleetHub>[0]['asking'],
): FleetHub {
  const config = readFleetConfig(
    new ConfigReader({
      argocdFleet: {
        hubs: [{ name: 'hub', kubeconfig: { path: kubeconfigPath } }],
        controllers,
      },
    }),
  );
  return createFleetHub({
    hub: config.hubs[0],
    config,
    logger: silent,
    recording,
    asking,
    onControllerChange: () => {},
  });
}

/** Runs one controller again and again without the scheduler's claim, until the signal is aborted. */
export async function runForever(
  runner: FleetHub['runners'][number],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // A run that failed is followed by another one, as the scheduler does it; what failed is in the runner's status.
    await runner.run(signal).catch(() => {});
  }
}
