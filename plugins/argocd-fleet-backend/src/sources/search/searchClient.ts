import {
  MAX_ANSWER_BYTES,
  TooDeepError,
  createConnector,
  errorMessage,
  parseExactJson,
  readBoundedText,
  startDeadline,
  adviceForTlsError,
  type Connection,
} from '../../kubernetes/client';
import { isRecord } from '../../model/json';
import type { SearchConfig } from './searchConfig';
import { SEARCH_QUERY, type SearchInput } from './searchQuery';

/**
 * Why a search has no result: `refused`: our token is not accepted; `untrusted`: the certificate is not trusted;
 * `unavailable`: no valid response in time; `failed`: Search reports an error.
 */
export type SearchErrorKind =
  'refused' | 'untrusted' | 'unavailable' | 'failed';

/** A search has no result. */
export class SearchError extends Error {
  readonly name = 'SearchError';

  constructor(
    readonly kind: SearchErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Client of RHACM's Search of one hub. */
export interface SearchClient {
  /**
   * Sends several searches in one request. Returns for each its result, or a SearchError.
   * @throws SearchError where all of them failed; the signal's reason where it is aborted
   */
  search(
    input: readonly SearchInput[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]>;
}

/**
 * Creates the client. Token and CA are read at the first request, and read again as those of a hub are.
 * @param maxAnswerBytes - bytes that an answer may have
 */
export function createSearchClient(
  hub: string,
  { access, timeoutMs }: Pick<SearchConfig, 'access' | 'timeoutMs'>,
  maxAnswerBytes = MAX_ANSWER_BYTES,
): SearchClient {
  const connector = createConnector({
    server: `Search of hub "${hub}"`,
    access,
  });

  async function post(
    { origin, basePath, headers, dispatcher }: Connection,
    body: string,
    signal: AbortSignal,
  ) {
    return dispatcher.request({
      origin,
      path: basePath || '/',
      method: 'POST',
      headers: {
        ...headers,
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'argocd-fleet',
      },
      body,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  /** Search returns 401 without a token, and 403 with an invalid or expired one. */
  async function postWithRenewal(body: string, signal: AbortSignal) {
    const connection = await connector.connect();
    const response = await post(connection, body, signal);
    const renewed = isRefusal(response.statusCode)
      ? await connector.renew(connection)
      : undefined;
    if (!renewed) {
      return response;
    }
    await response.body.dump();
    return post(renewed, body, signal);
  }

  async function requestJson(
    body: string,
    signal: AbortSignal,
  ): Promise<unknown> {
    const response = await postWithRenewal(body, signal);
    const text = await readBoundedText(response.body, maxAnswerBytes);
    const { statusCode } = response;
    if (statusCode !== 200) {
      throw new SearchError(
        isRefusal(statusCode) ? 'refused' : 'unavailable',
        `HTTP ${statusCode}`,
      );
    }
    return parsed(text);
  }

  return {
    async search(input, signal) {
      const deadline = startDeadline(timeoutMs, [signal]);
      try {
        const answer = await requestJson(
          JSON.stringify({ query: SEARCH_QUERY, variables: { input } }),
          deadline.signal,
        );
        return resultsOf(answer, input.length);
      } catch (error) {
        signal.throwIfAborted();
        connector.reconsider();
        throw searchError(error, deadline.expired ? timeoutMs : undefined);
      } finally {
        deadline.end();
      }
    },
  };
}

/** No message quotes an answer: it may be of an object that the reader may not see. */
function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    throw new SearchError(
      'unavailable',
      error instanceof TooDeepError ? error.message : 'the answer is not JSON',
    );
  }
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** GraphQL returns null for a failed search, and has its index in the path of an error. */
function resultsOf(answer: unknown, length: number): readonly unknown[] {
  const { data, errors } = isRecord(answer) ? answer : {};
  const results = isRecord(data) ? data.search : undefined;
  const problems = (Array.isArray(errors) ? errors : []).filter(isRecord);
  const reason = (index: number) =>
    problems.find(
      ({ path }) => !Array.isArray(path) || (path[1] ?? index) === index,
    )?.message;
  return Array.from({ length }, (_, index) => {
    const result: unknown = Array.isArray(results) ? results[index] : undefined;
    const message = reason(index);
    return message === undefined && isRecord(result)
      ? result
      : new SearchError(
          'failed',
          String(message ?? 'the response has no result'),
        );
  });
}

function searchError(error: unknown, expiredMs: number | undefined) {
  if (error instanceof SearchError) {
    return error;
  }
  if (expiredMs !== undefined) {
    return new SearchError(
      'unavailable',
      `no answer within ${expiredMs / 1000} s`,
      { cause: error },
    );
  }
  const untrusted = adviceForTlsError(Object(error)) !== undefined;
  return new SearchError(
    untrusted ? 'untrusted' : 'unavailable',
    errorMessage(error),
    { cause: error },
  );
}
