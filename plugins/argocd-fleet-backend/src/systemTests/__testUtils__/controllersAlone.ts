import type { JsonObject } from '@backstage/types';
import {
  composedHub,
  runForever,
} from '../convergence/__testUtils__/composedHub';

/** The running controllers of one hub. */
export interface ControllersAlone {
  stop(): Promise<void>;
}

/**
 * Runs the controllers of one hub with the plugin's own setup, but without a Backstage backend and so without a claim.
 * @param controllers - `argocdFleet.controllers` of the configuration
 * @param appNamespaces - `argocdFleet.propagation.appNamespaces`; see `composedHub`
 */
export function startControllersAlone(
  kubeconfigPath: string,
  controllers: JsonObject,
  appNamespaces?: JsonObject,
): ControllersAlone {
  const hub = composedHub(kubeconfigPath, controllers, { appNamespaces });
  const stop = new AbortController();
  const running = hub.runners
    .filter(({ mode }) => mode !== 'off')
    .map(runner => runForever(runner, stop.signal));
  const watching = hub.cache.run(stop.signal);
  return {
    async stop() {
      stop.abort();
      await Promise.all([watching, ...running]);
      await hub.client.close();
    },
  };
}
