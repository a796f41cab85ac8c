import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';

import { createHubClient, HubClient } from '../kubernetes/client';
import { loadKubeConfig } from '../kubernetes/kubeConfig';
import { KubeObject } from '../kubernetes/objects';
import { Resource } from '../kubernetes/resources';
import { parseScenario } from '../scenario/loadScenario';
import {
  SimulatedFleet,
  SimulatedFleetOptions,
  startSimulatedFleet,
} from '../startSimulatedFleet';

/** An embedded hub for one test, and fleets on it. */
export interface FleetOnHub {
  readonly hub: EmbeddedHub;
  readonly client: HubClient;
  /** Starts a fleet from a scenario in YAML and waits until it is ready; `stop` stops it at the latest. */
  start(
    scenario: string,
    options?: Partial<
      Omit<SimulatedFleetOptions, 'scenario' | 'kubeconfig'>
    > & { kubeconfig?: string },
  ): Promise<SimulatedFleet>;
  /** Waits until `find` returns a result for the objects of a resource; calls it after every watch event. */
  until<T extends KubeObject, R>(
    resource: Resource<T>,
    find: (items: T[]) => R | undefined | false,
  ): Promise<R>;
  stop(): Promise<void>;
}

/** For hangs only, and shorter than Jest's limit of a test, whose message would not say what was waited for. */
const LIMIT_MS = 50_000;

/** Starts an embedded hub for one test. */
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

/**
 * Waits until `find` returns a result for the objects of a resource.
 *
 * @throws Error with the objects after 50 s.
 */
export async function untilFound<T extends KubeObject, R>(
  client: HubClient,
  resource: Resource<T>,
  find: (items: T[]) => R | undefined | false,
): Promise<R> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), LIMIT_MS);
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
    `not found within ${LIMIT_MS} ms: ${find}\n${JSON.stringify([...items.values()], null, 1).slice(0, 4000)}`,
  );
}
