import {
  Agent as HttpAgent,
  IncomingHttpHeaders,
  IncomingMessage,
  request as httpRequest,
} from 'node:http';
import {
  Agent as HttpsAgent,
  AgentOptions,
  request as httpsRequest,
} from 'node:https';
import { HubBody } from './hubBody';

export interface Headers {
  readonly [name: string]: string;
}

/** An answer as it came over the wire. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body where it is JSON, else an empty object. */
  readonly body: HubBody;
}

/** How to reach a Kubernetes API and who we are there. */
export interface Connection {
  readonly url: string;
  /** CA and client certificate where there are any. */
  readonly tls: AgentOptions;
  readonly headers: Headers;
}

/** Speaks HTTP and nothing more, so that a case sees each answer as it is. */
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

  /** Sends a request and settles with its answer once the head is there. */
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

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<Answer> {
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
