import type { LoggerService } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { readFleetConfig } from '../../config/fleetConfig';
import { createFleetHub } from '../../fleetHub';

const silent: LoggerService = {
  error() {},
  warn() {},
  info() {},
  debug() {},
  child: () => silent,
};

/** The controllers of one hub, while they run. */
export interface ControllersAlone {
  stop(): Promise<void>;
}

/**
 * Runs the controllers of one hub as the plugin puts them together, without a Backstage around them and so without a claim: for tests
 * of the whole, in other packages.
 */
export function startControllersAlone(
  kubeconfigPath: string,
  controllers: JsonObject,
): ControllersAlone {
  const config = readFleetConfig(
    new ConfigReader({
      argocdFleet: {
        hubs: [{ name: 'hub', kubeconfig: { path: kubeconfigPath } }],
        controllers,
      },
    }),
  );
  const hub = createFleetHub({
    hub: config.hubs[0],
    config,
    logger: silent,
    onControllerChange: () => {},
  });
  const stop = new AbortController();
  const running = hub.runners
    .filter(({ mode }) => mode !== 'off')
    .map(async ({ run }) => {
      while (!stop.signal.aborted) {
        // A run that failed is followed by another one, as the scheduler does it.
        await run(stop.signal).catch(() => {});
      }
    });
  const reading = hub.cache.run(stop.signal);
  return {
    async stop() {
      stop.abort();
      await Promise.all([reading, ...running]);
      await hub.client.close();
    },
  };
}
