import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { json } from 'node:stream/consumers';
import { mockServices } from '@backstage/backend-test-utils';
import {
  createArgocdFleetClient,
  type ApplicationSetDetail,
} from 'backstage-plugin-argocd-fleet-common';
import { createFleetAccess, type FleetAccess } from '../fleetAccess';
import { REF } from './applicationSet';

/** One write request. */
export interface Write {
  readonly path: string;
  readonly body: unknown;
  readonly authorization?: string;
}

/** A stand-in for the argocd-fleet API with one ApplicationSet. */
export interface FakeFleetApi {
  readonly writes: Write[];
  /** Handles one request; its path is relative to the plugin's base path. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Replaces the ApplicationSet and sends an event on the streams; `undefined` deletes it. */
  show(detail: ApplicationSetDetail | undefined): void;
  /** Answers every request but the stream with this error, until called with `undefined`. */
  fail(error: { status: number; message: string } | undefined): void;
  /** How often the ApplicationSet was read. */
  reads: number;
  /** Open streams of changes. */
  readonly streams: Set<ServerResponse>;
  /** Resolves when all streams are closed. */
  allStreamsClosed(): Promise<void>;
  /** Called when the ApplicationSet is written. */
  onWrite?: () => void;
}

export function createFakeFleetApi(): FakeFleetApi {
  let applicationSet: ApplicationSetDetail | undefined;
  let failure: { status: number; message: string } | undefined;
  const streams = new Set<ServerResponse>();
  const closings = new EventEmitter();
  const known = new Set<string>();

  function refuse(
    response: ServerResponse,
    status: number,
    error: { name: string; message: string },
  ) {
    answer(response, status, { error, response: { statusCode: status } });
  }

  function answer(response: ServerResponse, status: number, body: unknown) {
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  const api: FakeFleetApi = {
    writes: [],
    reads: 0,
    streams,
    show(detail) {
      applicationSet = detail;
      const event = JSON.stringify({ applicationSets: [REF], hubs: [] });
      for (const stream of streams) {
        stream.write(`event: changed\ndata: ${event}\n\n`);
      }
    },
    async allStreamsClosed() {
      while (streams.size > 0) {
        await once(closings, 'close');
      }
    },
    fail(error) {
      failure = error;
    },
    async handle(request, response) {
      const path = request.url ?? '';
      if (path === '/events') {
        response.writeHead(200, { 'Content-Type': 'text/event-stream' });
        response.write(': connected\n\n');
        streams.add(response);
        response.on('close', () => {
          streams.delete(response);
          closings.emit('close');
        });
        return;
      }
      if (failure) {
        const { status, message } = failure;
        refuse(response, status, { name: 'FakeError', message });
        return;
      }
      if (request.method === 'PUT') {
        const body = await json(request);
        const { authorization } = request.headers;
        api.writes.push({ path, body, authorization });
        const result = known.has(path) ? 'unchanged' : 'created';
        known.add(path);
        api.onWrite?.();
        answer(response, 200, { ref: REF, result });
        return;
      }
      api.reads++;
      if (applicationSet) {
        answer(response, 200, applicationSet);
      } else {
        const message = 'No ApplicationSet openshift-gitops/guestbook';
        refuse(response, 404, { name: 'NotFoundError', message });
      }
    },
  };
  return api;
}

/** Serves the API on a free port; `fleet` calls it as the scaffolder does. */
export async function serveFleetApi(
  api: FakeFleetApi,
): Promise<{ fleet: FleetAccess; close(): Promise<void> }> {
  const server: Server = createServer((request, response) =>
    api.handle(request, response),
  );
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    fleet: createFleetAccess({
      auth: mockServices.auth({ pluginId: 'scaffolder' }),
      client: createArgocdFleetClient({
        discoveryApi: { getBaseUrl: async () => `http://127.0.0.1:${port}` },
      }),
    }),
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
