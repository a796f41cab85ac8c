import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { FLEET_RESOURCES } from '../../fleet/resources';
import { createSearchClient } from '../../sources/search/searchClient';
import type { KubernetesClient } from './client';
import { createConnector } from './connection';
import { createHttpClient } from './httpClient';

const { clusters } = FLEET_RESOURCES;
const TOKEN = 'our-token';

/** A server on loopback with one handler, which records what it was sent. */
async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const authorizations: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    authorizations.push(request.headers.authorization);
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Started = Awaited<ReturnType<typeof startServer>>;

describe('a server that is not to be trusted', () => {
  const servers: Started[] = [];
  let client: KubernetesClient | undefined;

  afterEach(async () => {
    await client?.close();
    client = undefined;
    await Promise.all(servers.splice(0).map(({ stop }) => stop()));
  });

  async function start(handle: Parameters<typeof startServer>[0]) {
    const server = await startServer(handle);
    servers.push(server);
    return server;
  }

  function connect(url: string, maxAnswerBytes = 10_000) {
    client = createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({
        server: 'hub "hub"',
        access: { url, token: TOKEN },
      }),
      fieldManager: 'argocd-fleet',
      maxAnswerBytes,
    });
    return client;
  }

  const searchOn = (url: string) =>
    createSearchClient(
      'hub',
      { access: { url, token: TOKEN }, timeoutMs: 30_000 },
      10_000,
    ).search([{ keywords: [] }] as never, new AbortController().signal);

  describe.each([301, 302, 303, 307, 308])('with HTTP %d', status => {
    const redirectTo = (target: Started) =>
      start((_, response) => {
        response.writeHead(status, { location: `${target.url}/collect` });
        response.end();
      });

    it('hub → token of the backend: the request goes nowhere else', async () => {
      const collector = await start((_, response) =>
        response.end('{"items":[]}'),
      );
      const hub = await redirectTo(collector);
      const { list, create } = connect(hub.url);
      await expect(list(clusters)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('no redirect is followed'),
      });
      await expect(
        create(clusters, {
          apiVersion: 'cluster.open-cluster-management.io/v1',
          kind: 'ManagedCluster',
          metadata: { name: 'a' },
        }),
      ).rejects.toMatchObject({ kind: 'unavailable' });
      expect(hub.authorizations).toEqual(Array(2).fill(`Bearer ${TOKEN}`));
      expect(collector.authorizations).toEqual([]);
    });

    it('Search → token of Search: the request goes nowhere else', async () => {
      const collector = await start((_, response) =>
        response.end('{"data":{"search":[{}]}}'),
      );
      const search = await redirectTo(collector);
      await expect(searchOn(search.url)).rejects.toThrow(`HTTP ${status}`);
      expect(search.authorizations).toEqual([`Bearer ${TOKEN}`]);
      expect(collector.authorizations).toEqual([]);
    });
  });

  /** Writes a text without an end, until the connection is closed; the body cannot be held in memory. */
  function endless(status: number, line: string) {
    return start((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      const chunk = line.repeat(1_000);
      const write = () => {
        while (!response.destroyed && response.write(chunk)) {
          // until the buffer is full
        }
      };
      response.on('drain', write);
      response.on('error', () => {});
      write();
    });
  }

  it.each([200, 403, 500])(
    'hub → memory of the backend: an answer with HTTP %d without an end is not read',
    async status => {
      const hub = await endless(status, ' ');
      await expect(connect(hub.url).list(clusters)).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringContaining('more than 10000 bytes'),
      });
    },
  );

  it('hub → memory of the backend: an event of a watch without an end is not read', async () => {
    const hub = await endless(200, ' ');
    const events = connect(hub.url).watch(clusters, {
      resourceVersion: '1',
      timeoutSeconds: 60,
    });
    await expect(events[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('more than 10000 bytes'),
    });
  });

  it('reads a watch of any length with short events', async () => {
    const event = `${JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } })}\n`;
    const hub = await endless(200, event);
    let events = 0;
    for await (const { type } of connect(hub.url).watch(clusters, {
      resourceVersion: '1',
      timeoutSeconds: 60,
    })) {
      expect(type).toBe('BOOKMARK');
      events += 1;
      if (events === 2_500) {
        break;
      }
    }
    expect(events).toBe(2_500);
  });

  describe('with an object that nests 9,000 levels and has a long number', () => {
    const other = {
      metadata: { name: 'other', resourceVersion: '4' },
      spec: { leaseDurationSeconds: 60 },
    };
    const deep = (name: string) =>
      `{"metadata":{"name":"${name}","uid":"u","resourceVersion":"5","managedFields":[]},"spec":${'{"a":'.repeat(9_000)}12345678901234567890${'}'.repeat(9_000)}}`;
    const unreadable = {
      metadata: { name: 'deep', uid: 'u', resourceVersion: '5' },
      spec: {},
      unreadable: expect.stringContaining('deeper than 200 levels'),
    };

    it('tenant → everybody: the rest of a list is read', async () => {
      const hub = await start((_, response) =>
        response.end(
          `{"metadata":{"resourceVersion":"7"},"items":[${deep('deep')},${JSON.stringify(other)}]}`,
        ),
      );
      const { items } = await connect(hub.url, 10_000_000).list(clusters);
      expect(items).toMatchObject([unreadable, other]);
      expect(items[0].metadata).toEqual(unreadable.metadata);
    });

    it('tenant → itself: a work is read as deep as its Application, and the levels of the work', async () => {
      const levels = (count: number) =>
        `{"metadata":{"name":"a"},"spec":${'{"a":'.repeat(count)}1${'}'.repeat(count)}}`;
      const hub = await start((_, response) =>
        response.end(`{"items":[${levels(199)},${levels(200)}]}`),
      );
      const { list } = connect(hub.url, 10_000_000);
      const unreadableOf = async (resource: Parameters<typeof list>[0]) =>
        (await list(resource)).items.map(it => it.unreadable !== undefined);
      const { applications, works } = FLEET_RESOURCES;
      expect(await unreadableOf(applications)).toEqual([false, true]);
      expect(await unreadableOf(works)).toEqual([false, false]);
    });

    it('tenant → everybody: a watch goes on, and writes and gets answer', async () => {
      const hub = await start(({ url = '' }, response) => {
        response.end(
          url.includes('watch=')
            ? `{"type":"ADDED","object":${deep('deep')}}\n${JSON.stringify({ type: 'MODIFIED', object: other })}\n`
            : deep('deep'),
        );
      });
      const { watch, get, patch } = connect(hub.url, 10_000_000);
      const events: unknown[] = [];
      for await (const event of watch(clusters, {
        resourceVersion: '1',
        timeoutSeconds: 60,
      })) {
        events.push(event);
      }
      expect(events).toMatchObject([
        { type: 'ADDED', object: unreadable },
        { type: 'MODIFIED', object: other },
      ]);
      expect(await get(clusters, { name: 'deep' })).toMatchObject(unreadable);
      expect(
        await patch(clusters, { name: 'deep' }, { spec: {} }),
      ).toMatchObject(unreadable);
    });
  });

  it.each([
    ['a list', 200, '{"items":[{"data":secret-of-others}]}'],
    ['what is no list', 200, 'secret-of-others'],
    ['a refusal', 403, 'secret-of-others'],
    ['a failure', 503, '{"kind":"Secret","data":"secret-of-others"}'],
  ])(
    'hub → reader of messages: %s that cannot be read is not quoted',
    async (_, status, text) => {
      const hub = await start((__, response) => {
        response
          .writeHead(status, { 'content-type': 'text/plain' })
          .end(`${text}\n`);
      });
      const { list, get, watch } = connect(hub.url);
      const watched = watch(clusters, {
        resourceVersion: '1',
        timeoutSeconds: 60,
      })[Symbol.asyncIterator]();
      const answers = await Promise.allSettled([
        list(clusters),
        get(clusters, { name: 'a' }),
        watched.next(),
        searchOn(hub.url),
      ]);
      expect(answers.map(answer => answer.status)).toEqual(
        Array(4).fill('rejected'),
      );
      expect(inspect(answers, { depth: 9 })).not.toContain('secret-of');
    },
  );

  it('Search → memory of the backend: an answer without an end is not read', async () => {
    const search = await endless(200, ' ');
    await expect(searchOn(search.url)).rejects.toThrow('more than 10000 bytes');
  });
});
