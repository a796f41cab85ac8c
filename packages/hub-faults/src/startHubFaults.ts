import { once } from 'node:events';
import { createServer } from 'node:http';
import { AddressInfo, Socket } from 'node:net';
import {
  forLocalClients,
  kubeconfigFor,
  listen,
  writeKubeconfig,
} from 'apimachinery';
import { ActiveFault, ActiveFaults } from './activeFaults';
import { handleControl, isControlRequest } from './control';
import { Fault, parseFault } from './fault';
import { FaultProxy } from './faultProxy';
import { createRandomNumbers } from './randomNumbers';
import { loadTarget, TargetSource } from './target';

const HOST = '127.0.0.1';

/** Longer than any client keeps an idle connection, so that only faults break connections. */
const KEEP_ALIVE_MS = 120_000;

export interface HubFaultsOptions {
  readonly target: TargetSource;
  /** TCP port; 0, the default, takes a free one. */
  readonly port?: number;
  /** File to write a kubeconfig to; its directory is created. */
  readonly kubeconfigPath?: string;
  /** Seed of probabilities and jitter; default 1. */
  readonly seed?: number;
}

/** A fault that was switched on. */
export interface FaultHandle {
  readonly id: string;
  /** Switches the fault off; watches that it silenced break. */
  remove(): void;
  /** Requests or watches that the fault has hit. */
  hits(): number;
}

/** A running proxy. */
export interface HubFaults {
  /** Base URL, for example `http://127.0.0.1:41234`; the control endpoint is below `/-/`. */
  readonly url: string;
  /** A kubeconfig for the proxy, as YAML. */
  kubeconfig(): string;
  /** Switches a fault on. @throws FaultError when the fault is not valid. */
  add(fault: Fault): FaultHandle;
  /** Switches all faults off. */
  clear(): void;
  /** Resets all connections; new ones work. */
  dropConnections(): void;
  /** Resets all connections and refuses new ones until `up`. */
  down(): Promise<void>;
  /** Listens again, on the same port. */
  up(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a proxy in front of a Kubernetes API server. It forwards all requests until faults are added.
 *
 * @throws Error when the target's kubeconfig cannot be used, or the port is in use.
 */
export async function startHubFaults(
  options: HubFaultsOptions,
): Promise<HubFaults> {
  const target = loadTarget(options.target);
  const faults = new ActiveFaults(createRandomNumbers(options.seed ?? 1));
  const proxy = new FaultProxy(target, faults);
  const sockets = new Set<Socket>();

  const add = (fault: unknown): ActiveFault => {
    const entry = faults.add(parseFault(fault));
    proxy.onFaultAdded(entry);
    return entry;
  };
  const remove = (id?: string): number => {
    const removed = faults.remove(id);
    proxy.onFaultsRemoved(removed);
    return removed.length;
  };
  const dropConnections = () => {
    sockets.forEach(socket => socket.resetAndDestroy());
  };
  const controls = {
    list: () => faults.list(),
    add,
    remove,
    dropConnections,
  };

  const server = createServer(
    forLocalClients((incoming, response) => {
      const handled = isControlRequest(incoming)
        ? handleControl(controls, incoming, response)
        : proxy.handle(incoming, response);
      // The client must not wait for ever when the proxy itself fails.
      handled.catch((error: Error) => response.destroy(error));
    }),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 5_000;
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  let port = options.port ?? 0;
  const up = async () => {
    await listen(server, port, HOST);
    ({ port } = server.address() as AddressInfo);
  };
  const down = async () => {
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      dropConnections();
      await closed;
    }
  };
  const stop = async () => {
    await down();
    target.close();
  };

  await up();
  const url = `http://${HOST}:${port}`;
  const kubeconfig = () => kubeconfigFor({ name: 'hub-faults', server: url });
  if (options.kubeconfigPath) {
    try {
      writeKubeconfig(options.kubeconfigPath, kubeconfig());
    } catch (error) {
      await stop();
      throw new Error(
        `The kubeconfig cannot be written to ${options.kubeconfigPath} (${error}): choose another file or make it writable`,
      );
    }
  }
  return {
    url,
    kubeconfig,
    add(fault) {
      const entry = add(fault);
      return {
        id: entry.id,
        remove: () => {
          remove(entry.id);
        },
        hits: () => entry.hits,
      };
    },
    clear: () => {
      remove();
    },
    dropConnections,
    down,
    up,
    stop,
  };
}
