import type { Readable } from 'node:stream';
import { isError } from '@backstage/errors';
import { yieldToEventLoop } from '../../async';
import { MAX_ANSWER_BYTES, readBoundedText } from './boundedText';
import type { ResourceType } from './client';
import type { Connector } from './connection';
import {
  KubernetesError,
  errorFromResponse,
  isKubernetesError,
  type KubernetesErrorKind,
} from './errors';
import { TooDeepError, parseExactJson } from './exactJson';
import { createExchange } from './exchange';
import {
  createRateLimiter,
  type RateLimiter,
  type RequestKind,
} from './rateLimiter';
import { describeRequestTo, verbOf, type ApiRequest } from './request';
import { startDeadline } from './requestDeadline';
import { adviceForTlsError } from './tlsErrors';

/** The result of a request. */
export interface CompletedRequest {
  readonly verb: string;
  readonly resource: ResourceType;
  readonly result: 'ok' | KubernetesErrorKind;
  /**
   * From sending it to the end of its answer, or to the beginning for a watch; without the wait of the rate limiter.
   */
  readonly seconds: number;
}

/** Sends requests to an API server, each inside its deadline; whatever fails, fails with a `KubernetesError`. */
export interface RequestSender {
  /** Yields what `read` yields of the answer. */
  stream<R>(
    request: ApiRequest,
    read: (body: Readable) => AsyncIterable<R>,
  ): AsyncIterable<R>;
  /** Reads the answer as a whole. */
  json<R>(request: ApiRequest, parseWhole?: (text: string) => R): Promise<R>;
  /** Parses a part of an answer; a large one in a turn of the event loop of its own. */
  parse<R>(
    request: ApiRequest,
    text: string,
    parseText: (text: string) => R,
  ): Promise<R>;
  /** Ends every connection; requests under way fail with `aborted`. */
  close(): Promise<void>;
}

/** What a sender takes. */
export interface RequestSenderOptions {
  /** What messages call the API server: `hub "production"`. */
  readonly server: string;
  readonly connector: Connector;
  readonly userAgent: string;
  /** Bytes that an answer, or one event of a watch, may have. Default 256 MiB. */
  readonly maxAnswerBytes?: number;
  /** Without a limit by default. */
  readonly rateLimiter?: RateLimiter;
  readonly onRequestCompleted?: (request: CompletedRequest) => void;
}

/** Characters of a text that takes milliseconds to parse, and its value as long to process. */
const LARGE_TEXT = 100_000;

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** Seconds without requests after an API server answered with 429 and no `Retry-After`. */
const DEFAULT_RETRY_AFTER = 1;

/** Creates the sender; it connects with the first request. */
export function createRequestSender(
  options: RequestSenderOptions,
): RequestSender {
  const {
    server,
    connector,
    userAgent,
    maxAnswerBytes = MAX_ANSWER_BYTES,
    rateLimiter = createRateLimiter(),
    onRequestCompleted = () => {},
  } = options;
  const closed = new AbortController();
  const exchange = createExchange({ connector, userAgent });

  async function* stream<R>(
    request: ApiRequest,
    read: (body: Readable) => AsyncIterable<R>,
  ): AsyncGenerator<R> {
    const stops = [closed.signal];
    if (request.signal) {
      stops.push(request.signal);
    }
    const verb = verbOf(request);
    const kind = READING.has(verb) ? 'read' : 'write';
    await rateLimiter.pass(kind, () => AbortSignal.any(stops));
    const { timeoutMs, beginTimeoutMs } = request;
    const deadline = startDeadline(beginTimeoutMs ?? timeoutMs, stops);
    let begun = false;
    const sentAt = performance.now();
    const reportResult = (result: CompletedRequest['result']) =>
      onRequestCompleted({
        verb,
        resource: request.resource,
        result,
        seconds: (performance.now() - sentAt) / 1000,
      });
    try {
      const { statusCode, body, headers } = await exchange(
        request,
        deadline.signal,
      );
      begun = true;
      if (beginTimeoutMs !== undefined) {
        deadline.restart(timeoutMs);
      }
      if (statusCode >= 300) {
        const text = await readBoundedText(body, maxAnswerBytes);
        throw errorFromResponse(statusCode, text, {
          request: describeRequestTo(server, request),
          contentType: headers['content-type']?.toString(),
          retryAfterHeader: headers['retry-after']?.toString(),
        });
      }
      if (verb === 'watch') {
        reportResult('ok');
      }
      yield* read(body);
      if (verb !== 'watch') {
        reportResult('ok');
      }
    } catch (cause) {
      const error = isKubernetesError(cause)
        ? cause
        : unanswered(cause, request, deadline.expired && { begun });
      considerNext(error, kind, sentAt);
      reportResult(error.kind);
      throw error;
    } finally {
      deadline.end();
    }
  }

  async function json<R>(
    request: ApiRequest,
    parseWhole: (text: string) => R = parseExactJson,
  ): Promise<R> {
    let text = '';
    for await (const whole of stream(request, readWhole)) {
      text = whole;
    }
    return parse(request, text, parseWhole);
  }

  async function parse<R>(
    request: ApiRequest,
    text: string,
    parseText: (text: string) => R,
  ): Promise<R> {
    const isLarge = text.length >= LARGE_TEXT;
    try {
      if (isLarge) {
        await yieldToEventLoop();
      }
      const value = parseText(text);
      if (isLarge) {
        await yieldToEventLoop();
      }
      return value;
    } catch (error) {
      // Neither the text nor the parser's message, which quotes it: it may be of an object that the reader may not see.
      const reason =
        error instanceof TooDeepError ? error.message : 'it is not JSON';
      throw new KubernetesError(
        'unavailable',
        `Could not ${describeRequestTo(server, request)}: the answer cannot be read: ${reason}`,
      );
    }
  }

  /** Within the deadline of the request. */
  async function* readWhole(body: Readable) {
    yield await readBoundedText(body, maxAnswerBytes);
  }

  /** An error of the API server may concern the requests that follow. */
  function considerNext(
    error: KubernetesError,
    kind: RequestKind,
    sentAt: number,
  ) {
    if (error.kind === 'unauthorized') {
      connector.reconsider();
    } else if (error.kind === 'throttled') {
      const holdMs = (error.retryAfter ?? DEFAULT_RETRY_AFTER) * 1000;
      rateLimiter.slowDown(kind, sentAt, holdMs);
    }
  }

  /** The error of a request that was stopped, has expired (before or after its answer began), or lost its connection. */
  function unanswered(
    cause: unknown,
    request: ApiRequest,
    expired: false | { readonly begun: boolean },
  ): KubernetesError {
    const description = describeRequestTo(server, request);
    if (request.signal?.aborted || closed.signal.aborted) {
      return new KubernetesError(
        'aborted',
        `Stopped before it could ${description}`,
        { cause },
      );
    }
    connector.reconsider();
    return new KubernetesError(
      'unavailable',
      `Could not ${description}: ${expired ? expiry(request, expired.begun) : causeOf(cause)}`,
      { cause, silent: Boolean(expired) },
    );
  }

  return {
    stream,
    json,
    parse,
    async close() {
      closed.abort();
      await connector.close();
    },
  };
}

function expiry({ timeoutMs, beginTimeoutMs }: ApiRequest, begun: boolean) {
  return begun
    ? `the answer did not end within ${timeoutMs / 1000} s`
    : `no answer within ${(beginTimeoutMs ?? timeoutMs) / 1000} s`;
}

/** The innermost reason: HTTP clients wrap the system's error. */
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
