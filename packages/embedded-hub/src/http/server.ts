import {
  createServer,
  IncomingMessage,
  Server,
  ServerResponse,
} from 'node:http';
import {
  forLocalClients,
  nextTurn,
  parseRequestInfo,
  RequestInfo,
} from 'apimachinery';
import { ApiError, badRequest } from '../api/statusErrors';
import { Authorizer } from '../authorization/authorizer';
import { requestAttributes } from '../authorization/requestAttributes';
import { HubContext } from '../operations/hubContext';
import { handleNonResource } from './nonResourceHandler';
import { RequestLog } from './requestLog';
import { handleResource } from './resourceHandler';
import { sendError } from './responses';

/** Longer than any client keeps an idle connection, so that no client writes to a connection that was just closed. */
const KEEP_ALIVE_MS = 120_000;

export interface HubServerOptions {
  readonly context: HubContext;
  readonly log: RequestLog;
  /** Address that it will listen on. */
  readonly host: string;
  /** Undefined where every request is allowed. */
  readonly authorizer?: Authorizer;
  /** Milliseconds between the bookmarks of a watch. */
  readonly bookmarkInterval: number;
  /** Called with failures of the hub itself. */
  onError(message: string, error: unknown): void;
}

/** The HTTP server of a hub, before it listens. */
export function createHubServer(options: HubServerOptions): Server {
  const server = createServer(
    forLocalClients(
      (request, response) => {
        void handleRequest(options, request, response);
      },
      { address: options.host },
    ),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = KEEP_ALIVE_MS + 5_000;
  return server;
}

function bearerToken(header: string | undefined): string | undefined {
  const match = /^Bearer\s+(\S+)$/i.exec(header ?? '');
  return match?.[1];
}

function readRequestInfo(method: string, url: URL): RequestInfo {
  try {
    return parseRequestInfo(method, url);
  } catch (error) {
    throw error instanceof URIError ? badRequest(error.message) : error;
  }
}

async function handleRequest(
  options: HubServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { log } = options;
  let { context } = options;
  const method = request.method ?? 'GET';
  const url = new URL(request.url ?? '/', 'http://hub');
  try {
    const info = readRequestInfo(method, url);
    const entry = {
      ...logFields(request, info),
      path: request.url ?? '/',
      method,
    };
    // Logged with the headers: the response of a watch ends long after it.
    onHeaders(response, status =>
      log.add({ ...entry, at: context.now(), status }),
    );
    if (options.authorizer) {
      const access = options.authorizer.accessOf(entry.token);
      access.assertAllowed(requestAttributes(info, url));
      context = { ...context, access };
    }
    if (method === 'GET') {
      // Requests with a body wait after they have read it.
      await nextTurn();
    }
    if (info.isResource) {
      await handleResource({
        context,
        request,
        response,
        info,
        query: url.searchParams,
        bookmarkInterval: options.bookmarkInterval,
      });
    } else {
      handleNonResource(context, request, response, url.pathname);
    }
  } catch (error) {
    sendFailure(options, `${method} ${request.url}`, response, error);
  }
}

function logFields(request: IncomingMessage, info: RequestInfo) {
  const { authorization } = request.headers;
  const names = info.isResource
    ? {
        group: info.group,
        version: info.version,
        resource: info.resource,
        subresource: info.subresource || undefined,
        namespace: info.namespace || undefined,
        name: info.name || undefined,
      }
    : {};
  return {
    verb: info.verb,
    ...names,
    userAgent: request.headers['user-agent'],
    token: bearerToken(authorization),
  };
}

/** Calls back once, with the status, when the response headers are written. */
function onHeaders(
  response: ServerResponse,
  callback: (status: number) => void,
): void {
  const writeHead = response.writeHead.bind(response) as (
    ...values: unknown[]
  ) => ServerResponse;
  response.writeHead = (...values: unknown[]) => {
    callback(values[0] as number);
    return writeHead(...values);
  };
}

function sendFailure(
  options: HubServerOptions,
  request: string,
  response: ServerResponse,
  error: unknown,
): void {
  if (response.headersSent) {
    // Too late for a status: a closed connection shows the client that the response is incomplete.
    response.destroy();
    options.onError(`${request} failed during the response`, error);
    return;
  }
  if (error instanceof ApiError) {
    sendError(response, error);
    return;
  }
  if (response.destroyed) {
    return;
  }
  options.onError(`${request} failed`, error);
  const text = error instanceof Error ? error.message : String(error);
  sendError(
    response,
    new ApiError(500, 'InternalError', `Internal error occurred: ${text}`, {
      causes: [{ message: text }],
    }),
  );
}
