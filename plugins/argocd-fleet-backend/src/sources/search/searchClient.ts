import {
  createConnector,
  errorMessage,
  startDeadline,
  adviceForTlsError,
  type Connection,
} from '../../kubernetes/client';
import { isRecord } from '../../model/json';
import type { SearchConfig } from './searchConfig';
import { SEARCH_QUERY, type SearchInput } from './searchQuery';

/**
 * Why a search has no result: our token is not accepted, the certificate is not trusted, no answer that could be understood came
 * in time, or Search says itself that it failed.
 */
export type SearchErrorKind =
  'refused' | 'untrusted' | 'unavailable' | 'failed';

/** A search that has no result. */
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

/** Asks RHACM's Search of one hub. */
export interface SearchClient {
  /**
   * Sends searches in one request, and answers for each with its result or with why it has none.
   * @throws SearchError where all of them failed; the signal's reason where it is aborted
   */
  search(
    input: readonly SearchInput[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]>;
}

/** Creates the client; token and CA are read at the first request, and again as those of a hub are. */
export function createSearchClient(
  hub: string,
  { access, timeoutMs }: Pick<SearchConfig, 'access' | 'timeoutMs'>,
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

  /** Search answers 401 without a token, and 403 with one that is not valid (any more). */
  async function postAsSomebodyKnown(body: string, signal: AbortSignal) {
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

  async function answerOf(body: string, signal: AbortSignal): Promise<unknown> {
    const response = await postAsSomebodyKnown(body, signal);
    const text = await response.body.text();
    const { statusCode } = response;
    if (statusCode !== 200) {
      throw new SearchError(
        isRefusal(statusCode) ? 'refused' : 'unavailable',
        `HTTP ${statusCode}: ${text.trim().slice(0, 300)}`,
      );
    }
    return JSON.parse(text);
  }

  return {
    async search(input, signal) {
      const deadline = startDeadline(timeoutMs, [signal]);
      try {
        const answer = await answerOf(
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

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

/** GraphQL answers null for a search that failed, and names it in the path of an error. */
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
      : new SearchError('failed', String(message ?? 'there is no result'));
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
