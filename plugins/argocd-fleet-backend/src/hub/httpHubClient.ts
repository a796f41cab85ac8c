import type { Readable } from 'node:stream';
import { isError } from '@backstage/errors';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  type DeleteOptions,
  type HubClient,
  type HubResource,
  type HubWatchEvent,
  type ListOptions,
  type ObjectName,
  type WatchOptions,
} from './hubClient';
import type { HubConnector } from './hubConnection';
import {
  apiVersionOf,
  describeRequest,
  pathOf,
  type HubRequest,
} from './hubRequest';
import {
  HubError,
  hubErrorFromResponse,
  hubErrorFromStatus,
  isHubError,
  type KubernetesStatus,
} from './hubError';

interface RawList<T> {
  readonly items?: readonly T[];
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
  };
}

interface RawWatchEvent<T> {
  readonly type: string;
  readonly object: T & KubernetesStatus;
}

/** Creates the client that speaks HTTP to a hub's API server, over kept-alive connections. */
export function createHttpHubClient(options: {
  readonly hub: string;
  readonly connector: HubConnector;
  /** Name under which the API server records our writes. */
  readonly fieldManager: string;
  /** Milliseconds for one request; a list's page takes three times as long at most. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that a watch may be late with its own end before it counts as silent. */
  readonly watchGraceMs?: number;
}): HubClient {
  const {
    hub,
    connector,
    fieldManager,
    requestTimeoutMs = 8_000,
    watchGraceMs = 10_000,
  } = options;
  const closed = new AbortController();

  /** Sends the request and reads its answer with `read`, all inside the request's deadline. */
  async function* send<R>(
    request: HubRequest,
    read: (body: Readable) => AsyncIterable<R>,
  ): AsyncGenerator<R> {
    const what = `${describeRequest(request)} on hub "${hub}"`;
    const timeout = AbortSignal.timeout(request.timeoutMs);
    const signals = [closed.signal, timeout];
    if (request.signal) {
      signals.push(request.signal);
    }
    try {
      const { origin, basePath, headers, dispatcher } =
        await connector.connect();
      const hasBody = request.body !== undefined;
      const { statusCode, body, ...response } = await dispatcher.request({
        origin,
        path: basePath + pathOf(request),
        method: request.method,
        headers: {
          ...headers,
          accept: 'application/json',
          'user-agent': fieldManager,
          ...(hasBody && {
            'content-type': request.contentType ?? 'application/json',
          }),
        },
        body: hasBody ? JSON.stringify(request.body) : undefined,
        signal: AbortSignal.any(signals),
        headersTimeout: request.timeoutMs,
        // A watch is silent for as long as nothing happens: its end is the signal's affair.
        bodyTimeout: 0,
      });
      if (statusCode >= 300) {
        throw hubErrorFromResponse(statusCode, await body.text(), {
          request: what,
          retryAfterHeader: response.headers['retry-after']?.toString(),
        });
      }
      yield* read(body);
    } catch (error) {
      if (isHubError(error)) {
        if (error.kind === 'unauthorized') {
          connector.reconsider();
        }
        throw error;
      }
      if (request.signal?.aborted || closed.signal.aborted) {
        throw new HubError('aborted', `Stopped before it could ${what}`, {
          cause: error,
        });
      }
      connector.reconsider();
      const reason = timeout.aborted
        ? `no answer within ${request.timeoutMs / 1000} s`
        : causeOf(error);
      throw new HubError('unavailable', `Could not ${what}: ${reason}`, {
        cause: error,
      });
    }
  }

  async function sendJson<R>(request: HubRequest): Promise<R> {
    const chunks: Buffer[] = [];
    for await (const chunk of send<Buffer>(request, body => body)) {
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new HubError(
        'unavailable',
        `Could not ${describeRequest(request)} on hub "${hub}": the answer is not JSON: ${text.slice(0, 200)}`,
        { cause: error },
      );
    }
  }

  return {
    async list<T extends KubernetesObject>(
      resource: HubResource<T>,
      { limit, continue: token, signal }: ListOptions = {},
    ) {
      const page = await sendJson<RawList<T>>({
        method: 'GET',
        resource,
        query: { limit: limit?.toString(), continue: token },
        signal,
        timeoutMs: 3 * requestTimeoutMs,
      });
      const apiVersion = apiVersionOf(resource);
      return {
        // Items of a list come without their type.
        items: (page.items ?? []).map(item => ({
          ...item,
          apiVersion,
          kind: resource.kind,
        })),
        resourceVersion: page.metadata?.resourceVersion ?? '0',
        continue: page.metadata?.continue || undefined,
      };
    },

    async *watch<T extends KubernetesObject>(
      resource: HubResource<T>,
      { resourceVersion, timeoutSeconds, onOpen, signal }: WatchOptions,
    ): AsyncGenerator<HubWatchEvent<T>> {
      const request: HubRequest = {
        method: 'GET',
        resource,
        query: {
          watch: 'true',
          allowWatchBookmarks: 'true',
          resourceVersion,
          timeoutSeconds: timeoutSeconds.toString(),
        },
        signal,
        timeoutMs: timeoutSeconds * 1000 + watchGraceMs,
      };
      const what = `${describeRequest(request)} on hub "${hub}"`;
      const read = (body: Readable) => {
        onOpen?.();
        return readLines(body);
      };
      for await (const line of send(request, read)) {
        yield readWatchEvent<T>(line, what);
      }
    },

    get: (resource, name, { signal } = {}) =>
      sendJson({
        method: 'GET',
        resource,
        ...name,
        signal,
        timeoutMs: requestTimeoutMs,
      }),

    create: (resource, object, { signal, dryRun } = {}) =>
      sendJson({
        method: 'POST',
        resource,
        namespace: object.metadata.namespace,
        query: { fieldManager, dryRun: dryRun ? 'All' : undefined },
        body: object,
        signal,
        timeoutMs: requestTimeoutMs,
      }),

    patch: (resource, name, patch, { signal, dryRun, resourceVersion } = {}) =>
      sendJson({
        method: 'PATCH',
        resource,
        ...name,
        query: { fieldManager, dryRun: dryRun ? 'All' : undefined },
        body: resourceVersion
          ? withResourceVersion(patch, resourceVersion)
          : patch,
        contentType: 'application/merge-patch+json',
        signal,
        timeoutMs: requestTimeoutMs,
      }),

    async delete<T extends KubernetesObject>(
      resource: HubResource<T>,
      name: ObjectName,
      { signal, dryRun, uid }: DeleteOptions,
    ) {
      const answer = await sendJson<T & KubernetesStatus>({
        method: 'DELETE',
        resource,
        ...name,
        body: {
          apiVersion: 'v1',
          kind: 'DeleteOptions',
          preconditions: { uid },
          propagationPolicy: 'Background',
          ...(dryRun ? { dryRun: ['All'] } : {}),
        },
        signal,
        timeoutMs: requestTimeoutMs,
      });
      return answer.kind !== 'Status' && answer.metadata?.deletionTimestamp
        ? answer
        : undefined;
    },

    async close() {
      closed.abort();
      await connector.close();
    },
  };
}

async function* readLines(body: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of body) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split(
      '\n',
    );
    pending = lines.pop() ?? '';
    yield* lines.filter(Boolean);
  }
}

function readWatchEvent<T extends KubernetesObject>(
  line: string,
  what: string,
): HubWatchEvent<T> {
  const { type, object }: RawWatchEvent<T> = JSON.parse(line);
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object };
    case 'BOOKMARK':
      return {
        type,
        resourceVersion: object.metadata.resourceVersion ?? '0',
      };
    default:
      throw hubErrorFromStatus(object, what);
  }
}

function withResourceVersion(
  patch: Readonly<Record<string, unknown>>,
  resourceVersion: string,
) {
  const metadata = patch.metadata as object | undefined;
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}

/** The innermost reason: HTTP clients wrap what the system said. */
function causeOf(error: unknown): string {
  if (!isError(error)) {
    return String(error);
  }
  const [first] = Array.isArray(error.errors) ? error.errors : [];
  const inner = first ?? error.cause;
  return isError(inner) ? causeOf(inner) : error.message;
}
