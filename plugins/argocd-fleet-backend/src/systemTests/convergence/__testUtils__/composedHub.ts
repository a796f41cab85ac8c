import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { SHORT_REMOVAL_TIMES } from '../../../__testUtils__/fleetBackend';
import { readFleetConfig } from '../../../config/fleetConfig';
import { createFleetHub, type FleetHub } from '../../../fleetHub';

const silent: LoggerService = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  child: () => silent,
};

/**
 * A hub's cache and controllers, created as the plugin does from its configuration. By default that allows the namespace
 * tenant-a that of Argo CD on its clusters.
 */
export function composedHub(
  kubeconfigPath: string,
  controllers: JsonObject,
  records?: Parameters<typeof createFleetHub>[0]['records'],
  sources?: Parameters<typeof createFleetHub>[0]['sources'],
  appNamespaces: JsonObject = { 'tenant-a': ['tenant-a', 'argocd'] },
): FleetHub {
  const config = readFleetConfig(
    new ConfigReader({
      argocdFleet: {
        hubs: [
          {
            name: 'hub',
            kubeconfig: { path: kubeconfigPath },
            // A small fleet often loses most of its Applications.
            releaseHeldBefore: '2100-01-01T00:00:00Z',
          },
        ],
        controllers,
        propagation: { appNamespaces },
      },
    }),
  );
  return createFleetHub({
    hub: config.hubs[0],
    config,
    logger: silent,
    records,
    sources,
    removalTimes: SHORT_REMOVAL_TIMES,
    onControllerChange: () => {},
  });
}

/** Repeats the runs of a controller without the scheduler's claim until the signal is aborted. */
export async function runForever(
  runner: FleetHub['runners'][number],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    // The scheduler also starts the next run after a failed one; the error is in the runner's status.
    await runner.run(signal).catch(() => {});
  }
}
