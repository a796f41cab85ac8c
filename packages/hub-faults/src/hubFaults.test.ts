import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, IncomingHttpHeaders } from 'node:http';
import { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import timers from 'node:timers/promises';
import {
  CoreV1Api,
  KubeConfig,
  makeInformer,
  V1ConfigMap,
} from '@kubernetes/client-node';
import { pollUntil } from 'apimachinery';
import { EmbeddedHub, startEmbeddedHub } from 'embedded-hub';
import { ActiveFaults } from './activeFaults';
import { Fault, parseFault } from './fault';
import { createRandomNumbers } from './randomNumbers';
import { HubFaults, startHubFaults } from './startHubFaults';

const configMaps = '/api/v1/namespaces/default/configmaps';
const clusters = '/apis/cluster.open-cluster-management.io/v1/managedclusters';

let hub: EmbeddedHub;
let faults: HubFaults;

beforeAll(async () => {
  hub = await startEmbeddedHub();
});

afterAll(() => hub.stop());

beforeEach(async () => {
  faults = await startHubFaults({ target: { kubeconfig: hub.kubeconfig() } });
});

afterEach(async () => {
  await faults.stop();
  await call(hub, 'DELETE', configMaps);
  hub.clearRequests();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly [field: string]: unknown;
    readonly items: readonly unknown[];
    readonly metadata: { readonly continue?: string; resourceVersion: string };
  };
}

async function call(
  { url }: { url: string },
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Answer['body'],
  };
}

function create(name: string, through: { url: string } = hub) {
  return call(through, 'POST', configMaps, {
    metadata: { name },
    data: { color: 'blue' },
  });
}

function patch(name: string) {
  return call(
    faults,
    'PATCH',
    `${configMaps}/${name}`,
    { data: { color: 'red' } },
    { 'content-type': 'application/merge-patch+json' },
  );
}

/** Opens a watch through the proxy; `text` grows with each event. */
async function openWatch(path = configMaps) {
  const abort = new AbortController();
  const response = await fetch(`${faults.url}${path}?watch=1`, {
    signal: abort.signal,
  });
  const seen = { status: response.status, text: '', broken: false };
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      seen.text += decoder.decode(chunk);
    }
  })().catch(() => {
    seen.broken = true;
  });
  return { seen, ended, stop: () => abort.abort() };
}

describe('without faults', () => {
  it('forwards bodies, statuses, headers and errors', async () => {
    expect(await create('a', faults)).toMatchObject({
      status: 201,
      body: { data: { color: 'blue' } },
    });
    expect(await patch('a')).toMatchObject({ status: 200 });
    expect((await call(faults, 'GET', `${configMaps}/none`)).body).toEqual(
      (await call(hub, 'GET', `${configMaps}/none`)).body,
    );
    expect(hub.requests.map(({ verb }) => verb)).toContain('patch');
  });

  it('forwards the events of watches at once', async () => {
    const watch = await openWatch();
    await create('seen');
    await pollUntil(
      () => watch.seen.text,
      text => text.includes('"seen"'),
    );
    expect(watch.seen.status).toBe(200);
    watch.stop();
    await watch.ended;
  });
});

describe('answers in Kubernetes’ words', () => {
  beforeEach(async () => {
    await create('a');
  });

  it.each<[Fault, number, string, string]>([
    [
      { type: 'conflict' },
      409,
      'Conflict',
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      { type: 'tooManyRequests', retryAfterSeconds: 7 },
      429,
      'TooManyRequests',
      'Too many requests, please try again later.',
    ],
    [
      { type: 'forbidden', user: 'someone' },
      403,
      'Forbidden',
      'configmaps "a" is forbidden: User "someone" cannot patch resource "configmaps" in API group "" in the namespace "default"',
    ],
    [
      { type: 'serverError' },
      500,
      'InternalError',
      'Internal error occurred: etcdserver: leader changed',
    ],
    [
      { type: 'serverError', code: 503 },
      503,
      'ServiceUnavailable',
      'the server is currently unable to handle the request',
    ],
  ])('%j', async (fault, code, reason, message) => {
    const { hits } = faults.add(fault);
    hub.clearRequests();
    expect(await patch('a')).toMatchObject({
      status: code,
      body: { kind: 'Status', status: 'Failure', reason, message, code },
    });
    expect(hits()).toBe(1);
    expect(hub.requests).toEqual([]);
    faults.clear();
    expect((await patch('a')).status).toBe(200);
  });

  it('sends Retry-After with 429', async () => {
    faults.add({ type: 'tooManyRequests', retryAfterSeconds: 7 });
    const { headers, body } = await patch('a');
    expect(headers.get('retry-after')).toBe('7');
    expect(body.details).toEqual({ retryAfterSeconds: 7 });
  });

  it('answers 409 only to update, patch and delete', async () => {
    faults.add({ type: 'conflict' });
    expect((await create('b', faults)).status).toBe(201);
    expect((await call(faults, 'GET', `${configMaps}/a`)).status).toBe(200);
    expect((await call(faults, 'DELETE', `${configMaps}/a`)).status).toBe(409);
  });
});

describe('a fault hits', () => {
  it.each<[Fault['match'], string, number, number]>([
    [{ verb: 'list' }, configMaps, 500, 404],
    [{ verb: ['get', 'watch'] }, configMaps, 200, 500],
    [{ resource: 'secrets' }, configMaps, 200, 404],
    [{ resource: 'configmaps' }, configMaps, 500, 500],
    [{ group: '' }, clusters, 200, 404],
    [{ group: 'cluster.open-cluster-management.io' }, clusters, 500, 500],
    [{ namespace: 'default' }, configMaps, 500, 500],
    [{ namespace: 'other' }, configMaps, 200, 404],
    [{ name: 'none' }, configMaps, 200, 500],
    [{ userAgent: 'fleet' }, configMaps, 500, 500],
    [{ userAgent: 'kubectl' }, configMaps, 200, 404],
  ])('%j: list and get of %s', async (match, path, onList, onGet) => {
    faults.add({ type: 'serverError', match });
    const agent = { 'user-agent': 'argocd-fleet/1.0' };
    const list = await call(faults, 'GET', path, undefined, agent);
    const get = await call(faults, 'GET', `${path}/none`, undefined, agent);
    expect([list.status, get.status]).toEqual([onList, onGet]);
  });

  it('no discovery, and a subresource only where its match names it', async () => {
    faults.add({
      type: 'serverError',
      match: { resource: 'managedclusters/status' },
    });
    expect((await call(faults, 'GET', '/apis')).status).toBe(200);
    expect((await call(faults, 'GET', `${clusters}/a`)).status).toBe(404);
    expect((await call(faults, 'GET', `${clusters}/a/status`)).status).toBe(
      500,
    );
  });

  it('no request whose path cannot be decoded, which the hub rejects', async () => {
    faults.add({ type: 'serverError' });
    const { status, body } = await call(faults, 'GET', `${configMaps}/%zz`);
    expect(status).toBe(400);
    expect(body.message).toBe('the path segment %zz is not legal in a URL');
  });

  it('nothing that a page in a browser adds', async () => {
    const { status } = await call(
      faults,
      'POST',
      '/-/faults',
      { type: 'serverError' },
      { origin: 'https://evil.example.com' },
    );
    expect(status).toBe(403);
    expect((await call(faults, 'GET', configMaps)).status).toBe(200);
  });

  it('no more requests than its count', async () => {
    const { hits } = faults.add({ type: 'serverError', count: 2 });
    const statuses = [];
    for (let i = 0; i < 4; i++) {
      statuses.push((await call(faults, 'GET', configMaps)).status);
    }
    expect(statuses).toEqual([500, 500, 200, 200]);
    expect(hits()).toBe(2);
  });

  it('the share that its probability gives, the same requests for the same seed', () => {
    const run = (seed: number) => {
      const active = new ActiveFaults(createRandomNumbers(seed));
      const entry = active.add(
        parseFault({ type: 'serverError', probability: 0.3 }),
      );
      return Array.from({ length: 1000 }, () => active.drawHit(entry));
    };
    const first = run(7);
    const hits = first.filter(Boolean).length;
    expect(hits).toBeGreaterThan(250);
    expect(hits).toBeLessThan(350);
    expect(run(7)).toEqual(first);
    expect(run(8)).not.toEqual(first);
  });
});

describe('latency', () => {
  /** Holds the next pause of the proxy instead of waiting; resolves with its length and the function that ends it. */
  function heldPause() {
    return new Promise<{ milliseconds: number; end: () => void }>(resolve => {
      jest
        .spyOn(timers, 'setTimeout')
        .mockImplementationOnce(
          milliseconds =>
            new Promise<never>(end =>
              resolve({ milliseconds: milliseconds!, end: end as () => void }),
            ),
        );
    });
  }

  afterEach(() => jest.restoreAllMocks());

  it('adds up, and the request then completes', async () => {
    faults.add({ type: 'latency', milliseconds: 60 });
    faults.add({ type: 'latency', milliseconds: 40, jitterMilliseconds: 20 });
    const pause = heldPause();
    const answer = call(faults, 'GET', configMaps);
    const { milliseconds, end } = await pause;
    expect(milliseconds).toBeGreaterThan(100);
    expect(milliseconds).toBeLessThan(120);
    await call(hub, 'GET', clusters);
    expect(hub.requests.map(({ path }) => path)).toEqual([clusters]);
    end();
    expect((await answer).status).toBe(200);
  });

  it('delays the errors of other faults too', async () => {
    faults.add({ type: 'latency', milliseconds: 50 });
    faults.add({ type: 'serverError' });
    const pause = heldPause();
    let isAnswered = false;
    const answer = call(faults, 'GET', configMaps).finally(() => {
      isAnswered = true;
    });
    const { milliseconds, end } = await pause;
    expect(milliseconds).toBe(50);
    await call(hub, 'GET', configMaps);
    expect(isAnswered).toBe(false);
    end();
    expect((await answer).status).toBe(500);
  });
});

describe('a connection breaks', () => {
  const created = async (name: string) =>
    (await call(hub, 'GET', `${configMaps}/${name}`)).status === 200;

  it('before the request: the server has not received it', async () => {
    faults.add({ type: 'reset', match: { verb: 'create' }, count: 1 });
    await expect(create('a', faults)).rejects.toThrow('fetch failed');
    expect(await created('a')).toBe(false);
    expect((await create('a', faults)).status).toBe(201);
  });

  it('before the response: the server has completed the request', async () => {
    faults.add({
      type: 'reset',
      when: 'beforeResponse',
      match: { verb: 'create' },
    });
    await expect(create('a', faults)).rejects.toThrow('fetch failed');
    expect(await created('a')).toBe(true);
  });

  it('before the response of a watch, without waiting for its end', async () => {
    faults.add({ type: 'reset', when: 'beforeResponse' });
    await expect(openWatch()).rejects.toThrow('fetch failed');
  });

  it('in the middle of the response', async () => {
    await create('a');
    faults.add({ type: 'reset', when: 'duringResponse' });
    const response = await fetch(faults.url + configMaps);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('like all others, once or until the proxy is up again', async () => {
    const watch = await openWatch();
    faults.dropConnections();
    await watch.ended;
    expect(watch.seen.broken).toBe(true);
    expect((await call(faults, 'GET', configMaps)).status).toBe(200);
    await faults.down();
    await expect(call(faults, 'GET', configMaps)).rejects.toThrow(
      'fetch failed',
    );
    await faults.up();
    expect((await call(faults, 'GET', configMaps)).status).toBe(200);
  });
});

describe('a list that fails on a page', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];

  async function readPages() {
    const statuses: number[] = [];
    let token = '';
    do {
      const { status, body } = await call(
        faults,
        'GET',
        `${configMaps}?limit=1&continue=${encodeURIComponent(token)}`,
      );
      statuses.push(status);
      token = (status === 200 && body.metadata.continue) || '';
    } while (token);
    return statuses;
  }

  beforeEach(async () => {
    for (const name of names) {
      await create(name);
    }
  });

  it.each<[Fault, number[]]>([
    [{ type: 'listPage' }, [200, 200, 500]],
    [{ type: 'listPage', page: 1 }, [500]],
    [{ type: 'listPage', page: 5, code: 410 }, [200, 200, 200, 200, 410]],
    [{ type: 'listPage', page: 9 }, [200, 200, 200, 200, 200]],
  ])('%j', async (fault, statuses) => {
    faults.add(fault);
    expect(await readPages()).toEqual(statuses);
  });

  it('works again after the last hit', async () => {
    faults.add({ type: 'listPage', page: 2, count: 1 });
    expect(await readPages()).toEqual([200, 500]);
    expect(await readPages()).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('watches', () => {
  it('are silenced while they are open, and break when the fault is removed', async () => {
    const watch = await openWatch();
    await create('heard');
    await pollUntil(
      () => watch.seen.text,
      text => text.includes('"heard"'),
    );
    const { remove, hits } = faults.add({ type: 'watchSilence' });
    expect(hits()).toBe(1);
    await create('unheard', faults);
    // A second watch, without the proxy, shows that the hub has sent the event.
    const response = await fetch(`${hub.url}${configMaps}?watch=1`);
    const { value } = await response.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toContain('"unheard"');
    expect(watch.seen).toMatchObject({ status: 200, broken: false });
    expect(watch.seen.text).not.toContain('"unheard"');
    remove();
    await watch.ended;
    expect(watch.seen.broken).toBe(true);
  });

  it('are silenced from the start, with an open connection', async () => {
    await create('a');
    const { hits } = faults.add({ type: 'watchSilence' });
    const watch = await openWatch();
    expect(watch.seen.status).toBe(200);
    expect(hits()).toBe(1);
    faults.clear();
    await watch.ended;
    expect(watch.seen).toEqual({ status: 200, text: '', broken: true });
  });

  it('expire by an ERROR event', async () => {
    faults.add({ type: 'watchExpired', count: 1 });
    const watch = await openWatch();
    await watch.ended;
    expect(JSON.parse(watch.seen.text)).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
  });

  it('expire by an HTTP 410', async () => {
    faults.add({ type: 'watchExpired', as: 'http' });
    const { status, body } = await call(
      faults,
      'GET',
      `${configMaps}?watch=1&resourceVersion=5`,
    );
    expect(status).toBe(410);
    expect(body).toMatchObject({
      reason: 'Expired',
      message: expect.stringContaining('too old resource version: 5 ('),
    });
  });
});

it('an informer of the client library recovers from a 410 and a broken connection', async () => {
  const config = new KubeConfig();
  config.loadFromString(faults.kubeconfig());
  const core = config.makeApiClient(CoreV1Api);
  const informer = makeInformer<V1ConfigMap>(config, configMaps, () =>
    core.listNamespacedConfigMap({ namespace: 'default' }),
  );
  // The library's informer stops at errors other than 410; its users must restart it.
  informer.on('error', () => {
    void informer.start();
  });
  const known = () =>
    informer
      .list()
      .map(({ metadata }) => metadata?.name)
      .sort();
  const expired = faults.add({ type: 'watchExpired', count: 1 });
  await informer.start();
  try {
    await create('one', faults);
    await pollUntil(known, names => names.length === 1);
    expect(expired.hits()).toBe(1);
    faults.dropConnections();
    await create('two');
    await pollUntil(known, names => names.length === 2);
  } finally {
    await informer.stop();
  }
});

describe('the control endpoint', () => {
  it('adds, lists and removes faults', async () => {
    const added = await call(faults, 'POST', '/-/faults', {
      type: 'serverError',
      code: 503,
    });
    expect(added).toMatchObject({
      status: 201,
      body: {
        id: '1',
        hits: 0,
        type: 'serverError',
        code: 503,
        probability: 1,
      },
    });
    expect((await call(faults, 'GET', configMaps)).status).toBe(503);
    expect((await call(faults, 'GET', '/-/faults')).body).toEqual({
      faults: [expect.objectContaining({ id: '1', hits: 1 })],
    });
    expect((await call(faults, 'DELETE', '/-/faults/1')).status).toBe(200);
    expect((await call(faults, 'GET', configMaps)).status).toBe(200);
    await call(faults, 'POST', '/-/faults', { type: 'conflict' });
    await call(faults, 'POST', '/-/faults', { type: 'conflict' });
    expect((await call(faults, 'DELETE', '/-/faults')).body).toEqual({
      removed: 2,
    });
  });

  it('breaks connections after it has answered', async () => {
    const watch = await openWatch();
    expect((await call(faults, 'DELETE', '/-/connections')).status).toBe(200);
    await watch.ended;
    expect(watch.seen.broken).toBe(true);
  });

  it.each([
    [
      { type: 'fire' },
      'type: must be one of latency, conflict, tooManyRequests, forbidden, serverError, reset, listPage, watchSilence, watchExpired',
    ],
    [{}, 'type: must be one of latency,'],
    [{ type: 'latency' }, 'milliseconds: '],
    [{ type: 'serverError', code: 418 }, 'code: '],
    [{ type: 'conflict', probability: 2 }, 'probability: '],
    [{ type: 'conflict', often: true }, 'often'],
    [{ type: 'conflict', match: { kind: 'Secret' } }, 'match: '],
    [{ type: 'conflict', match: { verb: 'steal' } }, 'match.verb: '],
  ])('says what is wrong with %j', async (fault, problem) => {
    const { status, body } = await call(faults, 'POST', '/-/faults', fault);
    expect(status).toBe(422);
    expect(body.error).toContain('The fault cannot be used: ');
    expect(body.error).toContain(problem);
  });

  it('names its requests where one is unknown', async () => {
    const { status, body } = await call(faults, 'PUT', '/-/faults', {});
    expect(status).toBe(404);
    expect(body.error).toContain('GET, POST and DELETE /-/faults');
    expect((await call(faults, 'DELETE', '/-/faults/9')).body.error).toContain(
      'There is no fault 9',
    );
    const nonsense = await fetch(`${faults.url}/-/faults`, {
      method: 'POST',
      body: '{',
    });
    expect(nonsense.status).toBe(400);
  });
});

describe('starting', () => {
  it('writes a kubeconfig and reads one from a file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'faults-'));
    const kubeconfigPath = join(directory, 'deep', 'kubeconfig');
    const first = await startHubFaults({
      target: { kubeconfig: hub.kubeconfig() },
      kubeconfigPath,
    });
    const second = await startHubFaults({
      target: { kubeconfig: kubeconfigPath },
    });
    try {
      expect(readFileSync(kubeconfigPath, 'utf8')).toBe(first.kubeconfig());
      first.add({ type: 'serverError' });
      expect((await call(second, 'GET', configMaps)).status).toBe(500);
    } finally {
      await second.stop();
      await first.stop();
      rmSync(directory, { recursive: true });
    }
  });

  it.each([
    ['/nowhere/kubeconfig', 'There is no kubeconfig at /nowhere/kubeconfig'],
    [
      '{"apiVersion":"v1","kind":"Config","clusters":[],"users":[],"contexts":[],"current-context":"x"}',
      'The context "x" of the hub\'s kubeconfig names no cluster',
    ],
  ])('refuses the kubeconfig %s', async (kubeconfig, message) => {
    await expect(startHubFaults({ target: { kubeconfig } })).rejects.toThrow(
      message,
    );
  });

  it('names a port that is in use', async () => {
    const port = Number(new URL(faults.url).port);
    await expect(
      startHubFaults({ target: { kubeconfig: hub.kubeconfig() }, port }),
    ).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`);
  });

  it('answers 503 when the hub cannot be reached', async () => {
    const gone = await startEmbeddedHub();
    const kubeconfig = gone.kubeconfig();
    await gone.stop();
    const own = await startHubFaults({ target: { kubeconfig } });
    const { status, body } = await call(own, 'GET', configMaps);
    await own.stop();
    expect(status).toBe(503);
    expect(body.message).toContain(`the hub at ${gone.url} behind the faults`);
  });

  it('sends the credentials of its kubeconfig, unless the client sends its own', async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer(
      ({ headers }: { headers: IncomingHttpHeaders }, response) => {
        seen.push(headers.authorization);
        response.end('{}');
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const kubeconfig = JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'a',
          cluster: {
            server: `http://127.0.0.1:${port}`,
            'insecure-skip-tls-verify': true,
          },
        },
      ],
      users: [{ name: 'a', user: { token: 'of-the-kubeconfig' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    });
    const own = await startHubFaults({ target: { kubeconfig } });
    await call(own, 'GET', configMaps);
    await call(own, 'GET', configMaps, undefined, {
      authorization: 'Bearer of-the-client',
    });
    await own.stop();
    server.closeAllConnections();
    server.close();
    expect(seen).toEqual(['Bearer of-the-kubeconfig', 'Bearer of-the-client']);
  });
});
