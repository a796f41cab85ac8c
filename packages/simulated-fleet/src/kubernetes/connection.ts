import {
  createConfiguration,
  HttpMethod,
  KubeConfig,
  RequestContext,
  ResponseContext,
} from '@kubernetes/client-node';

import { apiErrorFrom } from './apiError';

// A plugin may renew the token: read the credentials again after this time.
const CREDENTIALS_MS = 60_000;
const REQUEST_TIMEOUT_MS = 30_000;

/** The parts of a request besides its method and path. */
export interface RequestOptions {
  query?: Record<string, string | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  contentType?: string;
  signal?: AbortSignal;
}

/** Authenticated requests to one API server over shared connections. */
export interface Connection {
  readonly server: string;
  /** Returns the response unread, for streams. Throws ApiError unless the response is a success. */
  send(
    method: HttpMethod,
    path: string,
    options: RequestOptions,
  ): Promise<ResponseContext>;
  /** Returns the response's JSON; aborts after 30 s. Throws ApiError unless the response is a success. */
  requestJson<T>(
    method: HttpMethod,
    path: string,
    options?: RequestOptions,
  ): Promise<T>;
  close(): Promise<void>;
}

/** Connects to the API server in the kubeconfig's current context. */
export function connectTo(config: KubeConfig): Connection {
  const server = config.getCurrentCluster()?.server.replace(/\/$/, '') ?? '';
  const { httpApi } = createConfiguration();
  let credentials: { context: RequestContext; until: number } | undefined;

  async function authenticated(url: string, method: HttpMethod) {
    if (!credentials || credentials.until < Date.now()) {
      const context = new RequestContext(server, HttpMethod.GET);
      await config.applySecurityAuthentication(context);
      // Every authentication creates a new connection pool. Keep the first one,
      // so that requests share connections.
      const pool = credentials?.context.getDispatcher();
      if (pool) {
        context.setDispatcher(pool);
      }
      credentials = { context, until: Date.now() + CREDENTIALS_MS };
    }
    const request = new RequestContext(url, method);
    for (const [key, value] of Object.entries(
      credentials.context.getHeaders(),
    )) {
      request.setHeaderParam(key, value);
    }
    const dispatcher = credentials.context.getDispatcher();
    if (dispatcher) {
      request.setDispatcher(dispatcher);
    }
    return request;
  }

  async function send(
    method: HttpMethod,
    path: string,
    options: RequestOptions,
  ): Promise<ResponseContext> {
    const url = new URL(server + path);
    for (const [key, value] of Object.entries(options.query ?? {})) {
      if (value) {
        url.searchParams.set(key, value);
      }
    }
    const request = await authenticated(url.toString(), method);
    request.setHeaderParam('Accept', 'application/json');
    if (options.body !== undefined) {
      request.setHeaderParam(
        'Content-Type',
        options.contentType ?? 'application/json',
      );
      request.setBody(JSON.stringify(options.body));
    }
    if (options.signal) {
      request.setSignal(options.signal);
    }
    const response = await httpApi.send(request).toPromise();
    if (response.httpStatusCode >= 300) {
      throw apiErrorFrom(
        `${method} ${path}`,
        response.httpStatusCode,
        await response.body.text(),
      );
    }
    return response;
  }

  async function requestJson<T>(
    method: HttpMethod,
    path: string,
    options: RequestOptions = {},
  ): Promise<T> {
    const signals = [AbortSignal.timeout(REQUEST_TIMEOUT_MS)];
    if (options.signal) {
      signals.push(options.signal);
    }
    const response = await send(method, path, {
      ...options,
      signal: AbortSignal.any(signals),
    });
    return JSON.parse(await response.body.text()) as T;
  }

  return {
    server,
    send,
    requestJson,
    async close() {
      await credentials?.context.getDispatcher()?.destroy();
    },
  };
}
