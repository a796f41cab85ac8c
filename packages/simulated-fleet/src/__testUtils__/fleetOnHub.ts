import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';

import { createHubClient, HubClient } from '../kubernetes/client';
import { loadKubeConfig } from '../kubernetes/kubeConfig';
import { KubeObject } from '../kubernetes/objects';
import { Resource } from '../kubernetes/resources';
import { FleetLogger } from '../logger';
import { parseScenario } from '../scenario/loadScenario';
import { SimulatedFleet, startSimulatedFleet } from '../startSimulatedFleet';

/** An embedded hub of its own for every test, and fleets on it. */
export interface FleetOnHub {
  readonly hub: EmbeddedHub;
  readonly client: HubClient;
  /** Starts a fleet of a scenario in YAML and waits until it is ready; `stop` ends it with the test at the latest. */
  start(
    scenario: string,
    options?: { speed?: number; logger?: FleetLogger; kubeconfig?: string },
  ): Promise<SimulatedFleet>;
  /** Waits until the objects of a resource are as expected, by looking at every change. */
  until<T extends KubeObject, R>(
    resource: Resource<T>,
    find: (items: T[]) => R | undefined | false,
  ): Promise<R>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 40_000;

export async function startHubForFleets(): Promise<FleetOnHub> {
  const hub = await startEmbeddedHub();
  const client = createHubClient(loadKubeConfig(hub.kubeconfig()));
  const fleets: SimulatedFleet[] = [];
  return {
    hub,
    client,
    async start(scenario, options = {}) {
      const fleet = await startSimulatedFleet({
        kubeconfig: hub.kubeconfig(),
        scenario: parseScenario(scenario, 'the test'),
        speed: 20,
        ...options,
      });
      fleets.push(fleet);
      await fleet.ready;
      return fleet;
    },
    until: (resource, find) => untilFound(client, resource, find),
    async stop() {
      await Promise.all(fleets.map(fleet => fleet.stop()));
      await client.close();
      await hub.stop();
    },
  };
}

export async function untilFound<T extends KubeObject, R>(
  client: HubClient,
  resource: Resource<T>,
  find: (items: T[]) => R | undefined | false,
): Promise<R> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  const items = new Map<string, T>();
  try {
    const list = await client.list(resource);
    list.items.forEach(item => items.set(item.metadata.uid ?? '', item));
    let found = find([...items.values()]);
    if (found) {
      return found;
    }
    for await (const { type, object } of client.watch(
      resource,
      { resourceVersion: list.resourceVersion },
      abort.signal,
    )) {
      if (type === 'DELETED') {
        items.delete(object.metadata.uid ?? '');
      } else if (type !== 'BOOKMARK') {
        items.set(object.metadata.uid ?? '', object);
      }
      found = find([...items.values()]);
      if (found) {
        return found;
      }
    }
  } catch (error) {
    if (!abort.signal.aborted) {
      throw error;
    }
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
  throw new Error(
    `never came about: ${find}\n${JSON.stringify([...items.values()], null, 1).slice(0, 4000)}`,
  );
}
