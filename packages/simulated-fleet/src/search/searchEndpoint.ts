import { timingSafeEqual } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { AddressInfo } from 'node:net';

import { listen } from 'apimachinery';
import { graphql, GraphQLError } from 'graphql';

import { isJsonObject } from '../kubernetes/json';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { runSearch } from './runSearch';
import { malformedItems, noFaults, SearchFaults } from './searchFaults';
import { createSearchIndex } from './searchIndex';
import { SearchInput, SearchItem, searchSchema } from './searchSchema';

const PATH = '/searchapi/graphql';
const MAX_BODY_BYTES = 1024 * 1024;

/** Search's responses to a request without a token, and to one with an invalid or expired token. */
const NO_TOKEN =
  '{"message":"Request didn\'t have a valid authentication token."}';
const WRONG_TOKEN = '{"message":"Invalid token"}';

const REFUSALS = {
  401: 'Unauthorized',
  403: 'Forbidden',
  500: 'Internal Server Error',
} as const;

/** Options of {@link startSearchEndpoint}. */
export interface SearchEndpointOptions {
  /** The fleet whose clusters are searched. */
  readonly fleet: { readonly clusters: ReadonlyMap<string, SimulatedCluster> };
  /** The bearer token that every request must carry. */
  readonly token: string;
  /** 0, the default, chooses a free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** PEM texts; without them the endpoint serves plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A running Search endpoint. */
export interface SearchEndpoint {
  /** The URL for POST requests, for example `http://127.0.0.1:4010/searchapi/graphql`. */
  readonly url: string;
  /** The number of searches in all {@link batches}. */
  readonly searches: number;
  /** The searches of each request that passed the checks of URL, method, token and body; oldest first. */
  readonly batches: readonly (readonly SearchInput[])[];
  /** The number of requests that were left hanging, since the start. */
  readonly hungRequests: number;
  /** Switches faults on and off. */
  setFaults(change: Partial<SearchFaults>): void;
  /** Replaces the accepted token. */
  setToken(token: string): void;
  /** Adds items to the index; replaces the items of the last call. */
  setExtraItems(items: readonly SearchItem[]): void;
  stop(): Promise<void>;
}

/**
 * Simulates RHACM's Search v2 over the fleet's clusters. The items of an
 * offline cluster stay in the index as they were when it went offline.
 *
 * @throws Error if the port is taken or the certificate does not match the key.
 */
export async function startSearchEndpoint(
  options: SearchEndpointOptions,
): Promise<SearchEndpoint> {
  const { fleet, port = 0, host = '127.0.0.1', tls } = options;
  const index = createSearchIndex(fleet.clusters);
  let faults = noFaults;
  let staleItems: SearchItem[] | undefined;
  let token = options.token;
  let hungRequests = 0;
  let extraItems: readonly SearchItem[] = [];
  const batches: (readonly SearchInput[])[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (faults.hang) {
      hungRequests += 1;
      return;
    }
    if (faults.refuse) {
      send(response, faults.refuse, REFUSALS[faults.refuse]);
      return;
    }
    if (request.url !== PATH || request.method !== 'POST') {
      send(response, 404, `The only endpoint is POST ${PATH}.`);
      return;
    }
    if (!request.headers.authorization) {
      send(response, 401, NO_TOKEN);
      return;
    }
    if (!isAuthorized(request, token)) {
      send(response, 403, WRONG_TOKEN);
      return;
    }
    const query = parseQuery(await bodyOf(request));
    if (!query) {
      send(response, 400, 'The body must be a JSON object with a query.');
      return;
    }
    const answer = await graphql({
      schema: searchSchema,
      source: query.query,
      variableValues: query.variables,
      operationName: query.operationName,
      rootValue: { search },
    });
    send(response, 200, answer);
  }

  function search({ input }: { input?: SearchInput[] | null }) {
    const items = [...(staleItems ?? index.items()), ...extraItems];
    batches.push(input ?? []);
    return (input ?? []).map((searchInput, position) => {
      if (faults.halfOfBatch && position % 2 === 1) {
        return new GraphQLError('canceling statement due to statement timeout');
      }
      const answer = runSearch(searchInput, items);
      return faults.malformed
        ? { ...answer, items: malformedItems(answer.items) }
        : answer;
    });
  }

  const listener = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch(error =>
      send(response, 500, `The search failed: ${error}`),
    );
  };
  const server = tls
    ? createTlsServer({ ...tls }, listener)
    : createServer(listener);
  await listen(server, port, host);
  const address = server.address() as AddressInfo;

  return {
    url: `${tls ? 'https' : 'http'}://${host}:${address.port}${PATH}`,
    get searches() {
      return batches.flat().length;
    },
    batches,
    get hungRequests() {
      return hungRequests;
    },
    setFaults(change) {
      faults = { ...faults, ...change };
      staleItems = faults.stale ? (staleItems ?? index.items()) : undefined;
    },
    setToken(next) {
      token = next;
    },
    setExtraItems(items) {
      extraItems = items;
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const desired = Buffer.from(`Bearer ${token}`);
  return given.length === desired.length && timingSafeEqual(given, desired);
}

function send(response: ServerResponse, status: number, body: object | string) {
  response.writeHead(status, {
    'Content-Type':
      typeof body === 'string' ? 'text/plain' : 'application/json',
  });
  response.end(typeof body === 'string' ? `${body}\n` : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) {
      throw new Error(`the body has more than ${MAX_BODY_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf-8');
}

function parseQuery(body: string) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isJsonObject(parsed) || typeof parsed.query !== 'string') {
    return undefined;
  }
  const { query, variables, operationName } = parsed;
  return {
    query,
    variables: isJsonObject(variables) ? variables : undefined,
    operationName:
      typeof operationName === 'string' ? operationName : undefined,
  };
}
