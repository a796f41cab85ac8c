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

type HubOptions = Parameters<typeof createFleetHub>[0];

/**
 * A hub's cache and controllers, created as the plugin does from its configuration.
 * @param controllers - `argocdFleet.controllers` of the configuration
 * @param options.appNamespaces - `argocdFleet.propagation.appNamespaces`; by default, the namespace tenant-a may use
 * that of Argo CD on its clusters
 * @param options.holds - whether deletions are held that are too many; not by default, because a small fleet often loses
 * most of its Applications
 */
export function composedHub(
  kubeconfigPath: string,
  controllers: JsonObject,
  options: Pick<HubOptions, 'records' | 'sources' | 'removals'> & {
    readonly appNamespaces?: JsonObject;
    readonly holds?: boolean;
  } = {},
): FleetHub {
  const {
    appNamespaces = { 'tenant-a': ['tenant-a', 'argocd'] },
    holds = false,
    ...stores
  } = options;
  const config = readFleetConfig(
    new ConfigReader({
      argocdFleet: {
        hubs: [
          {
            name: 'hub',
            kubeconfig: { path: kubeconfigPath },
            ...(!holds && { releaseHeldBefore: '2100-01-01T00:00:00Z' }),
          },
        ],
        controllers,
        propagation: { appNamespaces },
      },
    }),
  );
  return createFleetHub({
    ...stores,
    hub: config.hubs[0],
    config,
    logger: silent,
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
