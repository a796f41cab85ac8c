import { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { failureStatus } from 'apimachinery';
import { ActiveFault, ActiveFaults } from './activeFaults';
import { ApiRequest, readApiRequest } from './apiRequest';
import { CompleteFault, FaultOf } from './fault';
import { ListPages } from './listPages';
import { OpenWatch, OpenWatches } from './openWatches';
import { FailureStatus, statusOf } from './status';
import { Target } from './target';

/** Headers that concern one connection only. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);

/** The faults that hit one request. */
interface Hits {
  /** Milliseconds of all latencies together. */
  readonly latency: number;
  /** The first other fault that hits; it replaces or breaks the response. */
  readonly active?: ActiveFault;
}

/** One request and its response. */
interface Exchange {
  readonly request: ApiRequest;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/** Forwards requests to a target, except where a fault hits. */
export class FaultProxy {
  private readonly watches = new OpenWatches();
  private readonly pages = new ListPages();

  constructor(
    private readonly target: Target,
    private readonly faults: ActiveFaults,
  ) {}

  /** Lets a new fault hit the watches that are already open. */
  onFaultAdded(entry: ActiveFault): void {
    if (entry.fault.type !== 'watchSilence') {
      return;
    }
    for (const watch of this.watches.receiving()) {
      if (
        this.faults.appliesTo(entry, watch.request) &&
        this.faults.drawHit(entry)
      ) {
        watch.silencedBy = entry;
      }
    }
  }

  onFaultsRemoved(entries: readonly ActiveFault[]): void {
    this.watches.breakSilenced(entries);
  }

  async handle(
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const request = readApiRequest(incoming);
    const { latency, active } = this.drawHits(request);
    if (latency > 0) {
      await sleep(latency);
      if (response.destroyed) {
        return;
      }
    }
    const fault = active?.fault;
    const status = fault && statusOf(fault, request);
    if (status) {
      // An unread body would block the next request of this connection.
      incoming.resume();
      refuse(response, status, fault);
    } else if (fault?.type === 'reset' && fault.when === 'beforeRequest') {
      incoming.socket.resetAndDestroy();
    } else {
      await this.forward({ request, incoming, response }, active);
    }
  }

  private drawHits(request: ApiRequest): Hits {
    let latency = 0;
    let active: ActiveFault | undefined;
    for (const entry of this.faults.applicable(request)) {
      const { fault } = entry;
      if (fault.type === 'latency') {
        if (this.faults.drawHit(entry)) {
          latency += this.faults.drawLatency(fault);
        }
      } else if (
        !active &&
        this.isOnPage(fault, request) &&
        this.faults.drawHit(entry)
      ) {
        active = entry;
      }
    }
    return { latency, active };
  }

  private isOnPage(fault: CompleteFault, request: ApiRequest): boolean {
    return (
      fault.type !== 'listPage' || this.pages.pageOf(request) === fault.page
    );
  }

  private async forward(
    exchange: Exchange,
    active?: ActiveFault,
  ): Promise<void> {
    const { request, incoming, response } = exchange;
    const headers = { ...incoming.headers };
    const countsPages = this.faults
      .applicable(request)
      .some(({ fault }) => fault.type === 'listPage');
    if (countsPages) {
      // Pages are numbered by their continue tokens, which must be readable JSON.
      headers.accept = 'application/json';
      delete headers['accept-encoding'];
    }
    const outgoing = await this.target.request(
      incoming.url ?? '/',
      incoming.method ?? 'GET',
      headers,
    );
    outgoing.on('error', error =>
      sendUnreachable(this.target, response, error),
    );
    outgoing.on('response', upstream => {
      const fault = active?.fault;
      if (fault?.type === 'reset') {
        breakResponse(fault, upstream, exchange);
        return;
      }
      response.writeHead(
        upstream.statusCode ?? 502,
        forwardedHeaders(upstream),
      );
      response.flushHeaders();
      if (request.verb === 'watch') {
        const watch = this.watches.add(request, response);
        watch.silencedBy = active;
        streamEvents(upstream, watch);
      } else if (countsPages) {
        this.pages.recordNextPage(request, upstream).then(
          body => response.end(body),
          () => response.destroy(),
        );
      } else {
        upstream.on('error', () => response.destroy());
        upstream.pipe(response);
      }
    });
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}

function refuse(
  response: ServerResponse,
  status: FailureStatus,
  fault: CompleteFault,
): void {
  if (fault.type === 'watchExpired' && fault.as === 'event') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(`${JSON.stringify({ type: 'ERROR', object: status })}\n`);
    return;
  }
  send(response, status, {
    ...(fault.type === 'tooManyRequests' && {
      'Retry-After': String(fault.retryAfterSeconds),
    }),
  });
}

/** Answers with a Status that the proxy itself makes. */
function send(
  response: ServerResponse,
  status: { readonly code: number },
  headers: { readonly [name: string]: string } = {},
): void {
  response.writeHead(status.code, {
    'Content-Type': 'application/json',
    ...headers,
  });
  response.end(JSON.stringify(status));
}

function sendUnreachable(
  target: Target,
  response: ServerResponse,
  error: Error,
) {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  send(
    response,
    failureStatus(
      503,
      'ServiceUnavailable',
      `the hub at ${target.server} behind the faults cannot be reached: ${error.message}`,
    ),
  );
}

/** Resets the connection after the server has answered, or in the middle of the response. */
function breakResponse(
  { when }: FaultOf<'reset'>,
  upstream: IncomingMessage,
  { request, incoming, response }: Exchange,
): void {
  if (when === 'beforeResponse') {
    const reset = () => incoming.socket.resetAndDestroy();
    if (request.verb === 'watch') {
      reset();
    } else {
      // After the whole response the server has certainly completed the request.
      upstream.resume();
      upstream.on('close', reset);
    }
    return;
  }
  response.writeHead(upstream.statusCode ?? 502, forwardedHeaders(upstream));
  upstream.once('data', (chunk: Buffer) => {
    response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () =>
      response.destroy(),
    );
  });
  upstream.on('close', () => response.destroy());
}

/** Forwards events until a fault silences the watch; a silenced watch stays open whatever the server does. */
function streamEvents(upstream: IncomingMessage, watch: OpenWatch): void {
  const { response } = watch;
  upstream.on('data', (chunk: Buffer) => {
    if (!watch.silencedBy && !response.write(chunk)) {
      upstream.pause();
      response.once('drain', () => upstream.resume());
    }
  });
  upstream.on('end', () => {
    if (!watch.silencedBy) {
      response.end();
    }
  });
  upstream.on('error', () => {
    if (!watch.silencedBy) {
      response.destroy();
    }
  });
}

function forwardedHeaders({ rawHeaders }: IncomingMessage): string[] {
  const forwarded: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!HOP_BY_HOP.has(rawHeaders[i].toLowerCase())) {
      forwarded.push(rawHeaders[i], rawHeaders[i + 1]);
    }
  }
  return forwarded;
}
