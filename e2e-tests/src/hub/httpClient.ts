import {
  Agent as HttpAgent,
  IncomingHttpHeaders,
  IncomingMessage,
  request as httpRequest,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Connection, Headers } from './connection';
import { ResponseBody } from './responseBody';

/** A complete HTTP response. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body if it is JSON, otherwise an empty object. */
  readonly body: ResponseBody;
}

/** A plain HTTP client for a Kubernetes API: tests see every response unchanged. */
export class HttpClient {
  readonly #connection: Connection;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;

  constructor(connection: Connection) {
    this.#connection = connection;
    const isTls = connection.url.startsWith('https:');
    this.#request = isTls ? httpsRequest : httpRequest;
    this.#agent = isTls
      ? new HttpsAgent({ ...connection.tls, keepAlive: true })
      : new HttpAgent({ keepAlive: true });
  }

  /** Sends a request and resolves with the response once its headers arrive. */
  open(
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = {},
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    const text =
      body === undefined || typeof body === 'string'
        ? body
        : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const outgoing = this.#request(
        `${this.#connection.url}${path}`,
        {
          method,
          signal,
          agent: this.#agent,
          headers: {
            'content-type': 'application/json',
            'user-agent': 'contract/1.0 (suite)',
            ...this.#connection.headers,
            ...headers,
            ...(text === undefined
              ? {}
              : { 'content-length': String(Buffer.byteLength(text)) }),
          },
        },
        resolve,
      );
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }

  /** Sends a request and reads the whole response. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<ApiResponse> {
    const response = await this.open(method, path, body, headers);
    const chunks: Buffer[] = [];
    for await (const chunk of response) {
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const isJson = response.headers['content-type']?.includes('json');
    return {
      status: response.statusCode!,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    };
  }

  close(): void {
    this.#agent.destroy();
  }
}
