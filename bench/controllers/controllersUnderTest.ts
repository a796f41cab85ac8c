import { ConfigReader } from '@backstage/config';
import { readFleetConfig } from '../../plugins/argocd-fleet-backend/src/config/fleetConfig';
import type { FleetDatabase } from '../../plugins/argocd-fleet-backend/src/database/fleetDatabase';
import {
  createFleetHub,
  type FleetHub,
} from '../../plugins/argocd-fleet-backend/src/fleetHub';

/** Longer than any benchmark, in milliseconds, so that no run ends by itself. */
const RUN_WINDOW_MS = 3_600_000;

/** Formats each log line, for its cost, and drops it. */
const logger = {
  info: (message: string, meta?: object) =>
    void JSON.stringify({ message, meta }),
  warn: (message: string) => void process.stderr.write(`${message}\n`),
  error: (message: string) => void process.stderr.write(`${message}\n`),
  debug: () => {},
  child: () => logger,
};

/** The controllers of a backend on one hub, in this process. */
export interface ControllersUnderTest extends Pick<FleetHub, 'cache'> {
  /** Runs these controllers until the returned function is called. */
  start(...names: string[]): () => Promise<void>;
  /** Writes of a controller that the hub accepted. */
  writes(name: string): number;
  /** Completed full passes of a controller. */
  passes(name: string): number;
  /** Calls the listener on each successful response to a write. */
  onWrite(
    listener: ((verb: string, resource: string) => void) | undefined,
  ): void;
  /** Requests since the last call, by verb and resource. */
  requests(): Record<string, number>;
  close(): Promise<void>;
}

/** Creates the controllers as the backend does. They watch the hub at once, but reconcile only after `start`. */
export async function createControllersUnderTest(options: {
  readonly kubeconfig: string;
  readonly fullPassEveryMs: number;
  /** Where the fleet's state is recorded; without it, nothing is recorded. */
  readonly records?: FleetDatabase['records'];
  /** Where it is stored what decides about deletions; without it, in memory. */
  readonly removals?: FleetDatabase['removals'];
}): Promise<ControllersUnderTest> {
  const counts = new Map<string, number>();
  const passes = new Map<string, number>();
  let onWrite: ((verb: string, resource: string) => void) | undefined;
  const config = readFleetConfig(
    new ConfigReader({
      argocdFleet: {
        hubs: [{ name: 'bench', kubeconfig: { path: options.kubeconfig } }],
      },
    }),
  );
  const timing = {
    fullPassEveryMs: options.fullPassEveryMs,
    runWindowMs: RUN_WINDOW_MS,
  };
  const hub = createFleetHub({
    hub: config.hubs[0],
    config: {
      ...config,
      controllers: Object.fromEntries(
        Object.entries(config.controllers).map(([name, controller]) => [
          name,
          { ...controller, timing },
        ]),
      ) as typeof config.controllers,
    },
    logger,
    records: options.records,
    removals: options.removals,
    telemetry: {
      onRequestCompleted({ verb, resource, result }) {
        const key = `${verb} ${resource.plural}${result === 'ok' ? '' : ` ${result}`}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
        if (result === 'ok') {
          onWrite?.(verb, resource.plural);
        }
      },
      onListWatchStart() {},
      controller: name => ({
        span: (_, fn) => fn(),
        worked() {},
        wrote() {},
        retrying() {},
        passed: () => void passes.set(name, (passes.get(name) ?? 0) + 1),
      }),
    },
    onControllerChange() {},
  });
  const runner = (name: string) => {
    const found = hub.runners.find(({ controller }) => controller === name);
    if (!found) {
      throw new Error(`There is no controller "${name}"`);
    }
    return found;
  };
  const stop = new AbortController();
  const watching = hub.cache.run(stop.signal);
  await hub.cache.waitForSync(
    ['applications', 'works', 'clusters', 'decisions', 'applicationSets'],
    stop.signal,
  );
  return {
    cache: hub.cache,
    start(...names) {
      const end = new AbortController();
      const runs = names.map(name => runner(name).run(end.signal));
      return async () => {
        end.abort();
        await Promise.all(runs);
      };
    },
    writes: name => runner(name).status().writes ?? 0,
    passes: name => passes.get(name) ?? 0,
    onWrite(listener) {
      onWrite = listener;
    },
    requests() {
      const result = Object.fromEntries(counts);
      counts.clear();
      return result;
    },
    async close() {
      stop.abort();
      await watching;
      await hub.client.close();
    },
  };
}

/**
 * Waits until the condition holds; checks it every 5 ms.
 * @param what - the expected condition, for the error
 */
export async function until(
  condition: () => boolean,
  what: string,
  timeoutMs = 300_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) {
      throw new Error(`Not fulfilled after ${timeoutMs / 1000} s: ${what}`);
    }
    await new Promise(resolve => {
      setTimeout(resolve, 5);
    });
  }
}
