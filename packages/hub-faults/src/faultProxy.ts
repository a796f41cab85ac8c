import { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ActiveFault, ActiveFaults } from './activeFaults';
import { ApiRequest, readApiRequest } from './apiRequest';
import { CompleteFault, FaultOf } from './fault';
import { ListPages } from './listPages';
import { OpenWatch, OpenWatches } from './openWatches';
import { Status, statusOf } from './status';
import { Target } from './target';

/** Headers that speak of one connection only. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);

interface Verdict {
  /** Milliseconds to wait first. */
  readonly delay: number;
  /** What happens instead of, or to, the answer. */
  readonly decisive?: ActiveFault;
}

/** One request on its way. */
interface Call {
  readonly request: ApiRequest;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/** Passes requests on to a target, less those that a fault hits. */
export class FaultProxy {
  private readonly watches = new OpenWatches();
  private readonly pages = new ListPages();

  constructor(
    private readonly target: Target,
    private readonly faults: ActiveFaults,
  ) {}

  /** Lets a fault that was just added hit what is open already. */
  added(entry: ActiveFault): void {
    if (entry.fault.type !== 'watchSilence') {
      return;
    }
    for (const watch of this.watches.audible()) {
      if (
        this.faults.concerns(entry, watch.request) &&
        this.faults.strikes(entry)
      ) {
        watch.silencedBy = entry;
      }
    }
  }

  removed(entries: readonly ActiveFault[]): void {
    this.watches.breakSilence(entries);
  }

  async handle(
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const call = { request: readApiRequest(incoming), incoming, response };
    const { delay, decisive } = this.judge(call.request);
    if (delay > 0) {
      await wait(delay);
      if (response.destroyed) {
        return;
      }
    }
    const fault = decisive?.fault;
    const status = fault && statusOf(fault, call.request);
    if (status) {
      // What is not read would stand in the way of the next request.
      incoming.resume();
      refuse(response, status, fault);
    } else if (fault?.type === 'reset' && fault.when === 'beforeRequest') {
      incoming.socket.resetAndDestroy();
    } else {
      await this.passOn(call, decisive);
    }
  }

  private judge(request: ApiRequest): Verdict {
    let delay = 0;
    let decisive: ActiveFault | undefined;
    for (const entry of this.faults.candidates(request)) {
      const { fault } = entry;
      if (fault.type === 'latency') {
        if (this.faults.strikes(entry)) {
          delay += this.faults.delay(fault);
        }
      } else if (
        !decisive &&
        this.isItsPage(fault, request) &&
        this.faults.strikes(entry)
      ) {
        decisive = entry;
      }
    }
    return { delay, decisive };
  }

  private isItsPage(fault: CompleteFault, request: ApiRequest): boolean {
    return (
      fault.type !== 'listPage' || this.pages.pageOf(request) === fault.page
    );
  }

  private async passOn(call: Call, decisive?: ActiveFault): Promise<void> {
    const { request, incoming, response } = call;
    const headers = { ...incoming.headers };
    const countsPages = this.faults
      .candidates(request)
      .some(({ fault }) => fault.type === 'listPage');
    if (countsPages) {
      // Pages are told apart by their continue token, which has to be readable.
      headers.accept = 'application/json';
      delete headers['accept-encoding'];
    }
    const outgoing = await this.target.request(
      incoming.url ?? '/',
      incoming.method ?? 'GET',
      headers,
    );
    outgoing.on('error', error => unreachable(this.target, response, error));
    outgoing.on('response', answer => {
      const fault = decisive?.fault;
      if (fault?.type === 'reset') {
        breakOff(fault, answer, call);
        return;
      }
      response.writeHead(answer.statusCode ?? 502, passedHeaders(answer));
      response.flushHeaders();
      if (request.verb === 'watch') {
        const watch = this.watches.add(request, response);
        watch.silencedBy = decisive;
        stream(answer, watch);
      } else if (countsPages) {
        this.pages.learn(request, answer).then(
          body => response.end(body),
          () => response.destroy(),
        );
      } else {
        answer.on('error', () => response.destroy());
        answer.pipe(response);
      }
    });
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
}

function refuse(
  response: ServerResponse,
  status: Status,
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

/** Answers with a Status of the proxy's own making. */
export function send(
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

function unreachable(target: Target, response: ServerResponse, error: Error) {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  send(response, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'ServiceUnavailable',
    message: `the hub at ${target.server} behind the faults cannot be reached: ${error.message}`,
    code: 503,
  } as Status);
}

/** Loses an answer that the server has given, or half of it. */
function breakOff(
  { when }: FaultOf<'reset'>,
  answer: IncomingMessage,
  { request, incoming, response }: Call,
): void {
  if (when === 'beforeResponse') {
    const reset = () => incoming.socket.resetAndDestroy();
    if (request.verb === 'watch') {
      reset();
    } else {
      // The whole answer is awaited: then the server has surely done what it was asked.
      answer.resume();
      answer.on('close', reset);
    }
    return;
  }
  response.writeHead(answer.statusCode ?? 502, passedHeaders(answer));
  answer.once('data', (chunk: Buffer) => {
    response.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () =>
      response.destroy(),
    );
  });
  answer.on('close', () => response.destroy());
}

/** Passes events on until the watch falls silent: then it stays open whatever the server does. */
function stream(answer: IncomingMessage, watch: OpenWatch): void {
  const { response } = watch;
  answer.on('data', (chunk: Buffer) => {
    if (!watch.silencedBy && !response.write(chunk)) {
      answer.pause();
      response.once('drain', () => answer.resume());
    }
  });
  answer.on('end', () => {
    if (!watch.silencedBy) {
      response.end();
    }
  });
  answer.on('error', () => {
    if (!watch.silencedBy) {
      response.destroy();
    }
  });
}

function passedHeaders({ rawHeaders }: IncomingMessage): string[] {
  const passed: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!HOP_BY_HOP.has(rawHeaders[i].toLowerCase())) {
      passed.push(rawHeaders[i], rawHeaders[i + 1]);
    }
  }
  return passed;
}
