import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request that a {@link FakeHost} got. */
export interface HostRequest {
  /** Method and path. */
  readonly route: string;
  readonly authorization?: string;
  readonly body?: unknown;
}

/** A stand-in for the API of a source control. */
export interface FakeHost {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly requests: HostRequest[];
  /** Answers by method and path; a number is a status without a body. All else is 404. */
  answers: Record<string, unknown>;
  stop(): Promise<void>;
}

export async function startFakeHost(): Promise<FakeHost> {
  const state: Pick<FakeHost, 'answers' | 'requests'> = {
    answers: {},
    requests: [],
  };
  const server = createServer(async (request, response) => {
    const route = `${request.method} ${request.url}`;
    const body = await text(request);
    const { authorization } = request.headers;
    state.requests.push({
      route,
      ...(authorization && { authorization }),
      ...(body && { body: JSON.parse(body) }),
    });
    const answer = state.answers[route] ?? 404;
    const isStatus = typeof answer === 'number';
    response.writeHead(isStatus ? answer : 200, {
      'Content-Type': 'application/json',
    });
    response.end(
      JSON.stringify(isStatus ? { message: `refused ${route}` } : answer),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  });
}
