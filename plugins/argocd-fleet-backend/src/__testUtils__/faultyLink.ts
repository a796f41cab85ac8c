import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** Answers a request instead of the server, or changes its URL; undefined passes it on. */
export type Fault = (
  url: string,
  response: ServerResponse,
) => { readonly answered: true } | { readonly url: string } | undefined;

/** A proxy in front of a hub that can fail. */
export interface FaultyLink {
  readonly url: string;
  /** Applies to every request from now on; undefined passes all on. */
  setFault(fault: Fault | undefined): void;
  /** Breaks all connections; new ones work. */
  drop(): void;
  /** Connections stay open, and nothing of an answer passes, until `thaw`: like a server whose process is stopped. */
  freeze(): void;
  thaw(): void;
  /** Refuses connections, until `up` on the same port. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

/** The server behind a link. */
export interface LinkTarget {
  readonly url: string;
  /** PEM of the CA that signed the certificate of an `https:` server. */
  readonly certificate?: string;
}

/** Starts a link to a server; the link itself speaks plain HTTP. */
export async function startFaultyLink(target: LinkTarget): Promise<FaultyLink> {
  let fault: Fault | undefined;
  let sockets = new Set<Socket>();
  let frozen = false;
  const answers = new Set<Answer>();
  let port = 0;
  const server = createServer((incoming, response) => {
    const verdict = fault?.(incoming.url ?? '', response);
    if (!verdict || 'url' in verdict) {
      const url = verdict?.url ?? incoming.url ?? '';
      passOn(incoming, response, target, url, answer => {
        answers.add(answer);
        response.on('close', () => answers.delete(answer));
        if (!frozen) {
          answer.flow();
        }
      });
    }
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  async function up() {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }

  function drop() {
    sockets.forEach(socket => socket.destroy());
    sockets = new Set();
  }

  async function down() {
    const closed = once(server, 'close');
    server.close();
    drop();
    await closed;
  }

  await up();
  return {
    url: `http://127.0.0.1:${port}`,
    setFault(next) {
      fault = next;
    },
    drop,
    freeze() {
      frozen = true;
      answers.forEach(answer => answer.hold());
    },
    thaw() {
      frozen = false;
      answers.forEach(answer => answer.flow());
    },
    down,
    up,
    stop: async () => {
      if (server.listening) {
        await down();
      }
    },
  };
}

/** An answer of the server on its way to the client. */
interface Answer {
  flow(): void;
  hold(): void;
}

function passOn(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: LinkTarget,
  path: string,
  onAnswer: (answer: Answer) => void,
) {
  const url = new URL(path, target.url);
  const send = url.protocol === 'https:' ? requestSecurely : request;
  const outgoing = send(
    url,
    {
      method: incoming.method,
      headers: incoming.headers,
      ca: target.certificate,
    },
    answer => {
      onAnswer({
        flow() {
          if (!response.headersSent) {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            response.flushHeaders();
          }
          answer.pipe(response);
        },
        hold: () => answer.unpipe(response),
      });
      answer.on('error', () => response.destroy());
    },
  );
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
