import { timingSafeEqual } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { AddressInfo } from 'node:net';

import { listen } from 'apimachinery';
import { graphql, GraphQLError } from 'graphql';

import { isJsonObject } from '../kubernetes/json';
import { SimulatedCluster } from '../simulatedCluster';
import { runSearch } from './runSearch';
import { malformedItems, noTrouble, SearchTrouble } from './searchFaults';
import { searchItems } from './searchItems';
import { SearchInput, SearchItem, searchSchema } from './searchSchema';

const PATH = '/searchapi/graphql';
const MAX_BODY_BYTES = 1024 * 1024;

/** Search answers so to no token at all, and to one that is not valid (any more). */
const NO_TOKEN =
  '{"message":"Request didn\'t have a valid authentication token."}';
const WRONG_TOKEN = '{"message":"Invalid token"}';

const REFUSALS = {
  401: 'Unauthorized',
  403: 'Forbidden',
  500: 'Internal Server Error',
} as const;

/** What a Search endpoint is started with. */
export interface SearchEndpointOptions {
  /** Whose clusters are searched. */
  readonly fleet: { readonly clusters: ReadonlyMap<string, SimulatedCluster> };
  /** The bearer token that every request must carry. */
  readonly token: string;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** PEM texts; without them the endpoint speaks plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A Search endpoint that runs. */
export interface SearchEndpoint {
  /** Where to POST searches, for example `http://127.0.0.1:4010/searchapi/graphql`. */
  readonly url: string;
  /** How many searches were asked for, those within one request counted each. */
  readonly searches: number;
  /** What each request asked for, the last at the end, as far as it got to be answered. */
  readonly asked: readonly (readonly SearchInput[])[];
  /** Requests that it let hang, since it was started. */
  readonly hung: number;
  readonly trouble: SearchTrouble;
  /** Switches troubles on and off while it runs. */
  setTrouble(change: Partial<SearchTrouble>): void;
  /** Has another token be the one that is accepted. */
  setToken(token: string): void;
  /** Has the index hold these as well, in place of those of the last call. */
  setFurtherItems(items: readonly SearchItem[]): void;
  stop(): Promise<void>;
}

/**
 * Plays RHACM's Search v2 over what the fleet's clusters hold. A cluster that
 * is offline stays in the index as it was when it was last heard of.
 *
 * @throws Error when the port is taken or the certificate does not fit the key.
 */
export async function startSearchEndpoint(
  options: SearchEndpointOptions,
): Promise<SearchEndpoint> {
  const { fleet, port = 0, host = '127.0.0.1', tls } = options;
  const index = createSearchIndex(fleet.clusters);
  let trouble = noTrouble;
  let frozen: SearchItem[] | undefined;
  let token = options.token;
  let hung = 0;
  let furtherItems: readonly SearchItem[] = [];
  const asked: (readonly SearchInput[])[] = [];

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (trouble.hang) {
      hung += 1;
      return;
    }
    if (trouble.refuse) {
      send(response, trouble.refuse, REFUSALS[trouble.refuse]);
      return;
    }
    if (request.url !== PATH || request.method !== 'POST') {
      send(response, 404, `There is only POST ${PATH} here.`);
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
      send(response, 400, 'The body must be JSON with a query.');
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
    const items = [...(frozen ?? index.items()), ...furtherItems];
    asked.push(input ?? []);
    return (input ?? []).map((one, position) => {
      if (trouble.halfOfBatch && position % 2 === 1) {
        return new GraphQLError('canceling statement due to statement timeout');
      }
      const answer = runSearch(one, items);
      return trouble.malformed
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
      return asked.flat().length;
    },
    asked,
    get hung() {
      return hung;
    },
    get trouble() {
      return trouble;
    },
    setTrouble(change) {
      trouble = { ...trouble, ...change };
      frozen = trouble.stale ? (frozen ?? index.items()) : undefined;
    },
    setToken(next) {
      token = next;
    },
    setFurtherItems(items) {
      furtherItems = items;
    },
    stop: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

/** The items of all clusters, computed anew only where a cluster changed. */
function createSearchIndex(clusters: ReadonlyMap<string, SimulatedCluster>) {
  const known = new Map<string, SearchItem[]>();
  const changed = new Set(clusters.keys());
  for (const cluster of clusters.values()) {
    const markChanged = () => changed.add(cluster.name);
    cluster.store.onChange(() => {
      // What happens on a cluster that cannot be heard of is not known here.
      if (!cluster.trouble.offline) {
        markChanged();
      }
    });
    cluster.onTroubleChange(before => {
      if (
        cluster.trouble.offline &&
        !before.offline &&
        changed.has(cluster.name)
      ) {
        known.set(cluster.name, searchItems(cluster));
      }
      if (!cluster.trouble.offline) {
        markChanged();
      }
    });
  }
  return {
    items(): SearchItem[] {
      for (const name of changed) {
        const cluster = clusters.get(name);
        if (cluster && (!cluster.trouble.offline || !known.has(name))) {
          known.set(name, searchItems(cluster));
        }
      }
      changed.clear();
      return [...known.values()].flat();
    },
  };
}

function isAuthorized({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
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
