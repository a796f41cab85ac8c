import {
  defaultScenario,
  startSimulatedFleet,
  type SimulatedFleet,
} from 'simulated-fleet';
import type { TestHub } from './hubFixture';

/** The ApplicationSet of the product documentation's example. */
export const EXAMPLE_SET = {
  namespace: 'openshift-gitops',
  name: 'guestbook-allclusters-app-set',
};

/** Its API path on a hub called `hub`. */
export const EXAMPLE_SET_PATH = `/api/argocd-fleet/applicationsets/hub/${EXAMPLE_SET.namespace}/${EXAMPLE_SET.name}`;

/**
 * Starts the simulated fleet of the product documentation's example and waits until it is on the hub.
 * @param speed - how many times faster than real time
 */
export async function startExampleFleet(
  { adminKubeconfigPath }: TestHub,
  speed = 20,
): Promise<SimulatedFleet> {
  const fleet = await startSimulatedFleet({
    kubeconfig: { path: adminKubeconfigPath },
    scenario: defaultScenario,
    speed,
  });
  await fleet.ready;
  return fleet;
}
