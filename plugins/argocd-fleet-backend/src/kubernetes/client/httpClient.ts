import type { Readable } from 'node:stream';
import { isError } from '@backstage/errors';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type {
  DeleteOptions,
  KubernetesClient,
  ResourceType,
  WatchEvent,
  JsonPatchOperation,
  ListOptions,
  ObjectName,
  Patch,
  WatchOptions,
} from './client';
import type { Connector } from './connection';
import {
  KubernetesError,
  errorFromResponse,
  errorFromStatus,
  isKubernetesError,
  type KubernetesErrorKind,
  type KubernetesStatus,
} from './errors';
import { parseExactJson } from './exactJson';
import { createExchange } from './exchange';
import { createParsedTexts } from './parsedTexts';
import { createRateLimiter, type RateLimiter } from './rateLimiter';
import {
  apiVersionOf,
  describeRequest,
  verbOf,
  type ApiRequest,
} from './request';
import { startDeadline, type RequestDeadline } from './requestDeadline';
import { adviceForTlsError } from './tlsErrors';

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

/** Seconds that a hub is left in peace that asks for it and does not say how long. */
const DEFAULT_RETRY_AFTER = 1;

/** How a request went. */
export interface CompletedRequest {
  readonly verb: string;
  readonly resource: ResourceType;
  readonly result: 'ok' | KubernetesErrorKind;
  /** From its being sent to the end of its answer, to the beginning for a watch; without the wait for its turn. */
  readonly seconds: number;
}

/** Creates the client that speaks HTTP to a hub's API server, over kept-alive connections. */
export function createHttpClient(options: {
  readonly hub: string;
  readonly connector: Connector;
  /** Name under which the API server records our writes. */
  readonly fieldManager: string;
  /** Milliseconds for one request; a list's page takes three times as long at most. */
  readonly requestTimeoutMs?: number;
  /** Milliseconds that a watch may be late with its own end before it counts as silent. */
  readonly watchGraceMs?: number;
  /** Open to everything, if none is given. */
  readonly gate?: RateLimiter;
  readonly onAnswer?: (answer: CompletedRequest) => void;
}): KubernetesClient {
  const {
    hub,
    connector,
    fieldManager,
    requestTimeoutMs = 8_000,
    watchGraceMs = 10_000,
    gate = createRateLimiter(),
    onAnswer = () => {},
  } = options;
  const closed = new AbortController();
  const exchange = createExchange({ connector, userAgent: fieldManager });

  /** Sends the request and reads its answer with `read`, all inside the request's deadline. */
  async function* send<R>(
    request: ApiRequest,
    read: (body: Readable) => AsyncIterable<R>,
  ): AsyncGenerator<R> {
    const what = `${describeRequest(request)} on hub "${hub}"`;
    const stops = [closed.signal];
    if (request.signal) {
      stops.push(request.signal);
    }
    await gate.pass(() => AbortSignal.any(stops));
    const verb = verbOf(request);
    const deadline = startDeadline(request.timeoutMs, stops);
    const sentAt = performance.now();
    const tell = (result: CompletedRequest['result']) =>
      onAnswer({
        verb,
        resource: request.resource,
        result,
        seconds: (performance.now() - sentAt) / 1000,
      });
    try {
      const { statusCode, body, ...response } = await exchange(
        request,
        deadline.signal,
      );
      if (statusCode >= 300) {
        throw errorFromResponse(statusCode, await body.text(), {
          request: what,
          retryAfterHeader: response.headers['retry-after']?.toString(),
        });
      }
      if (verb === 'watch') {
        tell('ok');
      }
      yield* read(body);
      if (verb !== 'watch') {
        tell('ok');
      }
    } catch (cause) {
      const error = failureOf(cause, request, what, deadline);
      tell(error.kind);
      throw error;
    } finally {
      deadline.end();
    }
  }

  /** Tells apart who ended the request, and what that means for the next ones. */
  function failureOf(
    cause: unknown,
    request: ApiRequest,
    what: string,
    deadline: RequestDeadline,
  ): KubernetesError {
    if (isKubernetesError(cause)) {
      if (cause.kind === 'unauthorized') {
        connector.reconsider();
      } else if (cause.kind === 'throttled') {
        gate.hold((cause.retryAfter ?? DEFAULT_RETRY_AFTER) * 1000);
      }
      return cause;
    }
    if (request.signal?.aborted || closed.signal.aborted) {
      return new KubernetesError('aborted', `Stopped before it could ${what}`, {
        cause,
      });
    }
    connector.reconsider();
    const reason = deadline.expired
      ? `no answer within ${request.timeoutMs / 1000} s`
      : causeOf(cause);
    return new KubernetesError('unavailable', `Could not ${what}: ${reason}`, {
      cause,
    });
  }

  async function sendJson<R>(
    request: ApiRequest,
    parse: (text: string) => R = parseExactJson,
  ): Promise<R> {
    const chunks: Buffer[] = [];
    for await (const chunk of send<Buffer>(request, body => body)) {
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    try {
      return parse(text);
    } catch (error) {
      throw new KubernetesError(
        'unavailable',
        `Could not ${describeRequest(request)} on hub "${hub}": the answer is not JSON: ${text.slice(0, 200)}`,
        { cause: error },
      );
    }
  }

  /** What the watch tells of a write, it tells in the words of its answer, and either may come first. */
  const texts = createParsedTexts();
  let writing = 0;

  async function write<R>(request: ApiRequest): Promise<R> {
    writing += 1;
    try {
      // API servers end an answer with a line break.
      return await sendJson<R>(request, text => texts.parse(text.trimEnd()));
    } finally {
      writing -= 1;
      if (writing === 0) {
        texts.forgetAll();
      }
    }
  }

  function parseEvent<T>(line: string): RawWatchEvent<T> {
    const [begin, type] =
      (writing > 0 && /^\{"type":"(ADDED|MODIFIED)","object":/.exec(line)) ||
      [];
    return begin
      ? { type, object: texts.parse(line.slice(begin.length, -1)) }
      : parseExactJson(line);
  }

  return {
    async list<T extends KubernetesObject>(
      resource: ResourceType<T>,
      {
        limit,
        continue: token,
        signal,
        namespace,
        ...selection
      }: ListOptions = {},
    ) {
      const page = await sendJson<RawList<T>>({
        method: 'GET',
        resource,
        namespace,
        query: {
          ...selection,
          limit: limit?.toString(),
          continue: token,
        },
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
      resource: ResourceType<T>,
      {
        resourceVersion,
        timeoutSeconds,
        onOpen,
        signal,
        namespace,
        ...selection
      }: WatchOptions,
    ): AsyncGenerator<WatchEvent<T>> {
      const request: ApiRequest = {
        method: 'GET',
        resource,
        namespace,
        query: {
          ...selection,
          watch: 'true',
          allowWatchBookmarks: 'true',
          resourceVersion,
          timeoutSeconds: timeoutSeconds.toString(),
        },
        metadataOnly: resource.large,
        signal,
        timeoutMs: timeoutSeconds * 1000 + watchGraceMs,
      };
      const what = `${describeRequest(request)} on hub "${hub}"`;
      const read = (body: Readable) => {
        onOpen?.();
        return readLines(body);
      };
      for await (const line of send(request, read)) {
        yield readWatchEvent(parseEvent<T>(line), what);
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

    create: (resource, object, { signal, notAfter, dryRun } = {}) =>
      write({
        method: 'POST',
        resource,
        namespace: object.metadata.namespace,
        query: { fieldManager, dryRun: dryRun ? 'All' : undefined },
        metadataOnly: resource.large,
        body: object,
        signal,
        notAfter,
        timeoutMs: requestTimeoutMs,
      }),

    patch: (
      resource,
      name,
      patch,
      { signal, notAfter, dryRun, resourceVersion, subresource } = {},
    ) =>
      write({
        method: 'PATCH',
        resource,
        ...name,
        subresource,
        query: { fieldManager, dryRun: dryRun ? 'All' : undefined },
        metadataOnly: resource.large,
        body: resourceVersion
          ? withResourceVersion(patch, resourceVersion)
          : patch,
        contentType: `application/${isOperations(patch) ? 'json-patch' : 'merge-patch'}+json`,
        signal,
        notAfter,
        timeoutMs: requestTimeoutMs,
      }),

    async delete<T extends KubernetesObject>(
      resource: ResourceType<T>,
      name: ObjectName,
      { signal, notAfter, dryRun, uid }: DeleteOptions,
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
        notAfter,
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
  // In pieces: a large object comes in dozens of chunks, and to put it together with each would copy it as often.
  let pending: string[] = [];
  for await (const chunk of body) {
    const [rest, ...begun] = decoder
      .decode(chunk, { stream: true })
      .split('\n');
    pending.push(rest);
    if (begun.length > 0) {
      const lines = [pending.join(''), ...begun];
      pending = lines.splice(-1);
      yield* lines.filter(Boolean);
    }
  }
}

function readWatchEvent<T extends KubernetesObject>(
  { type, object }: RawWatchEvent<T>,
  what: string,
): WatchEvent<T> {
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
      throw errorFromStatus(object, what);
  }
}

function isOperations(patch: Patch): patch is readonly JsonPatchOperation[] {
  return Array.isArray(patch);
}

function withResourceVersion(patch: Patch, resourceVersion: string): Patch {
  if (isOperations(patch)) {
    // No `test`: that would fail as something that no server could do, and not as a conflict.
    const path = '/metadata/resourceVersion';
    return [{ op: 'replace', path, value: resourceVersion }, ...patch];
  }
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
  if (isError(inner)) {
    return causeOf(inner);
  }
  const advice = adviceForTlsError(error);
  return advice ? `${error.message}: ${advice}` : error.message;
}
