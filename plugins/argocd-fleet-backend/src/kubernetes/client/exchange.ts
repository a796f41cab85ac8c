import type { Dispatcher } from 'undici';
import type { Connection, Connector } from './connection';
import { KubernetesError } from './errors';
import { describeRequest, pathOf, type ApiRequest } from './request';

const JSON_TYPE = 'application/json';
/** @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const METADATA_ONLY = `${JSON_TYPE};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,${JSON_TYPE}`;

/** Sends one request and returns the head of the response. */
export type Exchange = (
  request: ApiRequest,
  signal: AbortSignal,
) => Promise<Dispatcher.ResponseData>;

/**
 * Creates the exchange. A request that is refused as unauthorized is sent once more where there are newer credentials.
 */
export function createExchange(options: {
  readonly connector: Connector;
  readonly userAgent: string;
}): Exchange {
  const { connector, userAgent } = options;

  /** Nothing is awaited between the check of the clock and the request. */
  async function sendOver(
    { origin, basePath, headers, dispatcher }: Connection,
    request: ApiRequest,
    signal: AbortSignal,
  ) {
    const { notAfter = Infinity } = request;
    if (Date.now() >= notAfter) {
      throw new KubernetesError(
        'aborted',
        `It is too late to ${describeRequest(request)}`,
      );
    }
    const hasBody = request.body !== undefined;
    return dispatcher.request({
      origin,
      path: basePath + pathOf(request),
      method: request.method,
      headers: {
        ...headers,
        accept: request.metadataOnly ? METADATA_ONLY : JSON_TYPE,
        'user-agent': userAgent,
        ...(hasBody && {
          'content-type': request.contentType ?? JSON_TYPE,
        }),
      },
      body: hasBody ? JSON.stringify(request.body) : undefined,
      signal,
      headersTimeout: request.timeoutMs,
      // A watch is silent while nothing changes: only the signal ends it.
      bodyTimeout: 0,
    });
  }

  return async (request, signal) => {
    const connection = await connector.connect();
    const response = await sendOver(connection, request, signal);
    // An unauthorized request has changed nothing: even a create may be sent again.
    const renewed =
      response.statusCode === 401
        ? await connector.renew(connection)
        : undefined;
    if (!renewed) {
      return response;
    }
    await response.body.dump();
    return sendOver(renewed, request, signal);
  };
}
