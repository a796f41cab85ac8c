import type { ApplicationSetRows } from './api';
import { createArgocdFleetClient, type ArgocdFleetClient } from './client';

const REF = { hub: 'eu', namespace: 'gitops', name: 'web/ü' };
const CHANGED = { applicationSets: [REF], hubs: ['eu'] };

/** A client whose requests are all answered with the same response. */
function clientOf(response: Response | (() => Promise<Response>)) {
  const calls: { request: Request; init: RequestInit | undefined }[] = [];
  const client = createArgocdFleetClient({
    discoveryApi: {
      getBaseUrl: async id => `http://localhost:7007/api/${id}`,
    },
    fetchApi: {
      fetch: async (input, init) => {
        calls.push({ request: new Request(input), init });
        return typeof response === 'function' ? response() : response;
      },
    },
  });
  return { client, calls };
}

/** An event stream of the given chunks; it stays open if `end` is false. */
function streamOf(chunks: readonly Uint8Array[], end = true) {
  const cancelled = jest.fn();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      chunks.forEach(chunk => controller.enqueue(chunk));
      if (end) {
        controller.close();
      }
    },
    cancel: cancelled,
  });
  return { response: new Response(body), cancelled };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const EVENT = bytes(`event: changed\ndata: ${JSON.stringify(CHANGED)}\n\n`);

async function readAll(client: ArgocdFleetClient, signal?: AbortSignal) {
  const events = [];
  for await (const event of client.changes({ signal })) {
    events.push(event);
  }
  return events;
}

describe('the API client', () => {
  it.each<[string, (client: ArgocdFleetClient) => Promise<unknown>]>([
    ['GET /applicationsets', c => c.listApplicationSets()],
    ['GET /inventory', c => c.getInventory()],
    ['GET /inventory?since=a.1', c => c.getInventory('a.1')],
    [
      'GET /applicationsets/eu/gitops/web%2F%C3%BC',
      c => c.getApplicationSet(REF),
    ],
    [
      'GET /applicationsets/eu/gitops/web%2F%C3%BC/rows',
      c => c.getApplicationSetRows(REF),
    ],
    [
      'GET /applicationsets/eu/gitops/web%2F%C3%BC/rows?since=a.1',
      c =>
        c.getApplicationSetRows(REF, {
          known: { next: 'a.1' } as ApplicationSetRows,
        }),
    ],
    ['GET /applications/eu/gitops/web%2F%C3%BC', c => c.getApplication(REF)],
    [
      'GET /entities/Component/default/web',
      c =>
        c.getEntityFleet({
          kind: 'Component',
          namespace: 'default',
          name: 'web',
        }),
    ],
    [
      'POST /applicationsets/eu/gitops/web%2F%C3%BC/promotions',
      c => c.preparePromotion(REF, { ...REF, name: 'staging' }),
    ],
    [
      'POST /applicationsets/eu/gitops/web%2F%C3%BC/manifests',
      c =>
        c.renderManifests(REF, {
          applicationSet: {
            placement: 'web',
            source: { repoURL: 'https://git.example/web.git', path: 'deploy' },
            destinationNamespace: 'web',
            project: 'default',
            automated: true,
          },
          placement: { clusterSets: ['shops'] },
        }),
    ],
    [
      'PUT /applicationsets/eu/gitops/web%2F%C3%BC/release',
      c => c.orderRelease(REF, 'orphan'),
    ],
    [
      'DELETE /applicationsets/eu/gitops/web%2F%C3%BC/release',
      c => c.withdrawRelease(REF),
    ],
    [
      'POST /applicationsets/eu/gitops/web%2F%C3%BC/placement',
      c => c.proposePlacement(REF, { clusterSets: ['shops'] }),
    ],
    [
      'GET /applicationsets/eu/gitops/web%2F%C3%BC/placement',
      c => c.getPlacementInUse(REF),
    ],
    [
      'GET /applicationsets/eu/gitops/web%2F%C3%BC/placement?clusterSets=shops&tolerations=e&matchLabels=a%3Db&matchClaims=c%3Dd&allClusters=true',
      c =>
        c.getPlacementInUse(REF, {
          clusterSets: ['shops'],
          matchLabels: { a: 'b' },
          matchClaims: { c: 'd' },
          tolerations: ['e'],
          owner: 'group:default/retail',
        }),
    ],
    [
      'DELETE /applicationsets/eu/gitops/web%2F%C3%BC',
      c => c.deleteApplicationSet(REF),
    ],
    [
      'PUT /gitopsclusters/eu/gitops/web%2F%C3%BC',
      c => c.putGitOpsCluster(REF, { placement: 'all' }),
    ],
    ['DELETE /placements/eu/gitops/web%2F%C3%BC', c => c.deletePlacement(REF)],
    ['GET /clusters', c => c.listClusters()],
    ['GET /controllers', c => c.listControllers()],
    [
      'GET /applications/eu/gitops/web%2F%C3%BC/transitions?limit=10&before=4%2B2',
      c => c.listApplicationTransitions(REF, { limit: 10, before: '4+2' }),
    ],
    [
      'GET /applicationsets/eu/gitops/web%2F%C3%BC/transitions',
      c => c.listApplicationSetTransitions(REF),
    ],
    [
      'GET /clusters/eu/edge/transitions?limit=1',
      c => c.listClusterTransitions({ hub: 'eu', name: 'edge' }, { limit: 1 }),
    ],
  ])('requests %s', async (expected, call) => {
    const { client, calls } = clientOf(Response.json({ items: [] }));
    expect(await call(client)).toEqual({ items: [] });
    const [{ request }] = calls;
    expect(`${request.method} ${request.url}`).toBe(
      expected.replace(' ', ' http://localhost:7007/api/argocd-fleet'),
    );
    expect(request.headers.has('Authorization')).toBe(false);
  });

  it('puts the rows that changed together with those it knows', async () => {
    const row = (name: string, health = 'Healthy') => ({
      application: { namespace: 'gitops', name },
      health,
    });
    const known = {
      next: 'a.1',
      applications: [row('a'), row('b'), row('d')],
    } as ApplicationSetRows;
    const { client } = clientOf(
      Response.json({
        next: 'a.2',
        causes: [],
        applications: [row('c'), row('d', 'Degraded')],
        removed: [{ namespace: 'gitops', name: 'a' }],
      }),
    );
    expect(await client.getApplicationSetRows(REF, { known })).toEqual({
      next: 'a.2',
      causes: [],
      applications: [row('b'), row('c'), row('d', 'Degraded')],
    });
  });

  it('writes JSON with the token, and passes the signal to fetch', async () => {
    const { client, calls } = clientOf(Response.json({ result: 'created' }));
    const { signal } = new AbortController();
    await client.putPlacement(
      REF,
      { clusterSets: ['global'] },
      { token: 'secret', signal },
    );
    const [{ request, init }] = calls;
    expect(request.method).toBe('PUT');
    expect(request.headers.get('Authorization')).toBe('Bearer secret');
    expect(request.headers.get('Content-Type')).toBe('application/json');
    expect(await request.json()).toEqual({ clusterSets: ['global'] });
    expect(init?.signal).toBe(signal);
  });

  it.each([
    ['a request', (c: ArgocdFleetClient) => c.listClusters()],
    ['the event stream', (c: ArgocdFleetClient) => readAll(c)],
  ])("throws the server's error for %s", async (_name, call) => {
    const { client } = clientOf(
      Response.json(
        { error: { name: 'NotAllowedError', message: 'no' }, response: {} },
        { status: 403 },
      ),
    );
    await expect(call(client)).rejects.toMatchObject({
      name: 'ResponseError',
      statusCode: 403,
      cause: { name: 'NotAllowedError', message: 'no' },
    });
  });

  it('throws the error of fetch where there is no response', async () => {
    const { client } = clientOf(async () => {
      throw new TypeError('Failed to fetch');
    });
    await expect(client.listClusters()).rejects.toThrow(
      new TypeError('Failed to fetch'),
    );
  });

  it('throws for a response without a body', async () => {
    const { client } = clientOf(new Response(null, { status: 200 }));
    await expect(client.listClusters()).rejects.toThrow(/Empty response/);
  });

  it.each([
    ['in one chunk', [EVENT]],
    ['byte by byte', [...EVENT].map(byte => Uint8Array.of(byte))],
    [
      'with CRLF',
      [bytes(new TextDecoder().decode(EVENT).replaceAll('\n', '\r\n'))],
    ],
    [
      'after comments and other events',
      [bytes(': ping\n\nevent: other\ndata: 1\n\n'), EVENT],
    ],
  ])('yields a changed event %s', async (_name, chunks) => {
    const { client, calls } = clientOf(streamOf(chunks).response);
    expect(await readAll(client)).toEqual([CHANGED]);
    expect(calls[0].request.headers.get('Accept')).toBe('text/event-stream');
  });

  it('reports the open stream before the first event, and closes it with the loop', async () => {
    const { response, cancelled } = streamOf([EVENT], false);
    const { client } = clientOf(response);
    const order: string[] = [];
    for await (const _ of client.changes({
      onOpen: () => order.push('open'),
    })) {
      order.push('event');
      break;
    }
    expect(order).toEqual(['open', 'event']);
    expect(cancelled).toHaveBeenCalled();
  });

  describe('on a stream that stays open', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    const pass = (seconds: number) =>
      jest.advanceTimersByTimeAsync(seconds * 1000);

    /** The stream's source, and how reading it ended. */
    function readLong(signal?: AbortSignal) {
      let source!: ReadableStreamDefaultController<Uint8Array>;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          source = controller;
        },
      });
      const { client } = clientOf(new Response(body));
      const ended = jest.fn();
      readAll(client, signal).then(
        () => ended('at its end'),
        (error: Error) => ended(error.message),
      );
      return { send: (text: string) => source.enqueue(bytes(text)), ended };
    }

    it.each([': heartbeat\n\n', new TextDecoder().decode(EVENT)])(
      'reads on while something comes, and throws when nothing comes any more: %j',
      async text => {
        const { send, ended } = readLong();
        for (let times = 0; times < 5; times += 1) {
          await pass(15);
          send(text);
        }
        await pass(39);
        expect(ended).not.toHaveBeenCalled();
        await pass(2);
        expect(ended).toHaveBeenCalledWith(
          'Nothing came on the event stream for 40 s',
        );
        expect(jest.getTimerCount()).toBe(0);
      },
    );

    it('throws when the server does not answer at all', async () => {
      const signals: (AbortSignal | null | undefined)[] = [];
      const client = createArgocdFleetClient({
        discoveryApi: { getBaseUrl: async () => 'http://localhost:7007' },
        fetchApi: {
          fetch: (_, init) => {
            signals.push(init?.signal);
            return new Promise((_resolve, reject) => {
              init?.signal?.addEventListener('abort', () =>
                reject(init.signal?.reason),
              );
            });
          },
        },
      });
      const ended = jest.fn();
      readAll(client).catch(ended);
      await pass(41);
      expect(ended).toHaveBeenCalledWith(
        new Error('Nothing came on the event stream for 40 s'),
      );
      expect(signals[0]?.aborted).toBe(true);
    });

    it("ends with the caller's signal, and keeps no timer", async () => {
      const stop = new AbortController();
      const { ended } = readLong(stop.signal);
      await pass(1);
      stop.abort(new Error('the page was closed'));
      await pass(0);
      expect(ended).toHaveBeenCalledWith('the page was closed');
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
