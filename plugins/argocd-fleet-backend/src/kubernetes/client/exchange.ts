import type { Dispatcher } from 'undici';
import type { Connection, Connector } from './connection';
import { KubernetesError } from './errors';
import { describeRequest, pathOf, type ApiRequest } from './request';

const JSON_TYPE = 'application/json';
/** @see https://kubernetes.io/docs/reference/using-api/api-concepts/#metadata-only-fetches */
const METADATA_ONLY = `${JSON_TYPE};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,${JSON_TYPE}`;

/** Sends one request and answers with the head of what the API server says. */
export type Exchange = (
  request: ApiRequest,
  signal: AbortSignal,
) => Promise<Dispatcher.ResponseData>;

/** Creates the exchange; a request that was refused for our credentials is sent once more where there are newer ones by now. */
export function createExchange(options: {
  readonly connector: Connector;
  readonly userAgent: string;
}): Exchange {
  const { connector, userAgent } = options;

  /** With nothing to wait for between the look at the clock and the sending. */
  async function sendOver(
    { origin, basePath, headers, dispatcher }: Connection,
    request: ApiRequest,
    signal: AbortSignal,
  ) {
    const { notAfter = Infinity } = request;
    if (Date.now() >= notAfter) {
      throw new KubernetesError(
        'aborted',
        `It was too late to ${describeRequest(request)}`,
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
      // A watch is silent for as long as nothing happens: its end is the signal's affair.
      bodyTimeout: 0,
    });
  }

  return async (request, signal) => {
    const connection = await connector.connect();
    const response = await sendOver(connection, request, signal);
    // Who is not known has had nothing done: even a create may be sent again.
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
