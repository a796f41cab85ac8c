import { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { ActiveFault } from './activeFaults';
import { FaultError } from './fault';

/** Path prefix of the control endpoint; no path of a Kubernetes API begins with it. */
const ROOT = '/-/';

/** What the control endpoint can do. */
export interface FaultControls {
  list(): readonly ActiveFault[];
  add(fault: unknown): ActiveFault;
  /** Removes one fault, or all; returns how many were removed. */
  remove(id?: string): number;
  dropConnections(): void;
}

export function isControlRequest({ url }: IncomingMessage): boolean {
  return url?.startsWith(ROOT) ?? false;
}

interface ControlResponse {
  readonly code: number;
  readonly body: object;
}

/**
 * Answers `GET`, `POST` and `DELETE /-/faults`, `DELETE /-/faults/<id>` and
 * `DELETE /-/connections`.
 */
export async function handleControl(
  controls: FaultControls,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { code, body } = await dispatch(controls, incoming);
  response.writeHead(code, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
  if (incoming.method === 'DELETE' && pathOf(incoming) === 'connections') {
    // Sent first: the connection of this request breaks too.
    response.on('finish', () => controls.dropConnections());
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return new URL(url, 'http://hub').pathname.slice(ROOT.length);
}

async function dispatch(
  controls: FaultControls,
  incoming: IncomingMessage,
): Promise<ControlResponse> {
  const [resource, id, ...rest] = pathOf(incoming).split('/');
  const { method } = incoming;
  const operation = `${method} ${resource}${id ? '/id' : ''}`;
  if (rest.length === 0) {
    switch (operation) {
      case 'GET faults':
        return {
          code: 200,
          body: { faults: controls.list().map(describe) },
        };
      case 'POST faults':
        return add(controls, incoming);
      case 'DELETE faults':
        return { code: 200, body: { removed: controls.remove() } };
      case 'DELETE faults/id':
        return controls.remove(id) > 0
          ? { code: 200, body: { removed: 1 } }
          : {
              code: 404,
              body: {
                error: `There is no fault ${id}: GET ${ROOT}faults lists them`,
              },
            };
      case 'DELETE connections':
        return { code: 200, body: {} };
      default:
    }
  }
  return {
    code: 404,
    body: {
      error: `${method} ${incoming.url} is not supported. Supported are GET, POST and DELETE ${ROOT}faults, DELETE ${ROOT}faults/<id>, DELETE ${ROOT}connections`,
    },
  };
}

async function add(
  controls: FaultControls,
  incoming: IncomingMessage,
): Promise<ControlResponse> {
  let fault: unknown;
  try {
    fault = await json(incoming);
  } catch (error) {
    return {
      code: 400,
      body: {
        error: `The fault is not valid JSON: ${(error as Error).message}`,
      },
    };
  }
  try {
    return { code: 201, body: describe(controls.add(fault)) };
  } catch (error) {
    if (error instanceof FaultError) {
      return { code: 422, body: { error: error.message } };
    }
    throw error;
  }
}

function describe({ id, hits, fault }: ActiveFault) {
  return { id, hits, ...fault };
}
