import { readFile, writeFile } from 'node:fs/promises';
import {
  startFaultyLink,
  type FaultyLink,
} from '../../__testUtils__/faultyLink';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { managedCluster } from '../../__testUtils__/objects';
import { FLEET_RESOURCES } from '../../fleet/resources';
import type { KubernetesClient } from './client';
import { createConnector } from './connection';
import { createHttpClient } from './httpClient';

const { clusters } = FLEET_RESOURCES;

describe('HTTP client', () => {
  let testHub: TestHub;
  let link: FaultyLink;
  let client: KubernetesClient;
  let path = '';

  const connect = (requestTimeoutMs?: number) =>
    createHttpClient({
      server: 'hub "hub"',
      connector: createConnector({
        server: 'hub "hub"',
        access: { kubeconfig: { path } },
      }),
      fieldManager: 'argocd-fleet',
      requestTimeoutMs,
    });

  beforeAll(async () => {
    testHub = await startTestHub();
    link = await startFaultyLink(testHub.hub);
    path = `${testHub.adminKubeconfigPath}.link`;
    const kubeconfig = await readFile(testHub.adminKubeconfigPath, 'utf8');
    await writeFile(path, kubeconfig.replaceAll(testHub.hub.url, link.url));
    client = connect();
  });

  afterEach(() => link.setFault(undefined));

  afterAll(async () => {
    await client.close();
    await link.stop();
    await testHub.stop();
  });

  it.each(['', '.', '..', '../clusters', 'a/b', 'a%2fb'])(
    'requests nothing for an object called %j',
    async name => {
      const before = testHub.hub.requests.length;
      const requests = [
        () => client.get(clusters, { name }),
        () => client.patch(clusters, { name }, {}),
        () => client.delete(clusters, { name }, { uid: '1' }),
        () => client.list(FLEET_RESOURCES.works, { namespace: name || '..' }),
      ];
      for (const send of requests) {
        await expect(send()).rejects.toMatchObject({
          kind: 'invalid',
          message: expect.stringContaining('cannot be a name in Kubernetes'),
        });
      }
      expect(testHub.hub.requests).toHaveLength(before);
    },
  );

  it('finds no other object under a name that a URL would divide', async () => {
    await client.create(clusters, managedCluster('divided'));
    for (const name of ['divided?dryRun=All', 'divided#', 'divided ']) {
      await expect(client.get(clusters, { name })).rejects.toMatchObject({
        kind: 'notFound',
      });
      await expect(
        client.delete(clusters, { name }, { uid: '1' }),
      ).rejects.toMatchObject({ kind: 'notFound' });
    }
  });

  it('writes under our field manager, and nothing on a dry run', async () => {
    await client.create(clusters, managedCluster('dry'), { dryRun: true });
    await expect(client.get(clusters, { name: 'dry' })).rejects.toMatchObject({
      kind: 'notFound',
    });

    await client.create(clusters, managedCluster('wet'));
    const created = await client.get(clusters, { name: 'wet' });
    expect(created.metadata).toMatchObject({
      managedFields: [{ manager: 'argocd-fleet' }],
    });
    await expect(
      client.create(clusters, managedCluster('wet')),
    ).rejects.toMatchObject({ kind: 'alreadyExists', status: 409 });
  });

  it('patches only the given resource version', async () => {
    const seen = await client.create(clusters, managedCluster('patched'));
    const { name, resourceVersion } = seen.metadata;
    const label = (value: string) => ({ metadata: { labels: { value } } });

    const patched = await client.patch(clusters, { name }, label('1'), {
      resourceVersion,
    });
    expect(patched.metadata.labels).toMatchObject({ value: '1' });
    await expect(
      client.patch(clusters, { name }, label('2'), { resourceVersion }),
    ).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('patches only the given resource version by operations, too', async () => {
    const seen = await client.create(clusters, managedCluster('operated'));
    const { name, resourceVersion } = seen.metadata;
    const operations = (value: string) => [
      { op: 'add' as const, path: '/metadata/labels', value: { value } },
    ];

    const patched = await client.patch(clusters, { name }, operations('1'), {
      resourceVersion,
    });
    expect(patched.metadata.labels).toMatchObject({ value: '1' });
    await expect(
      client.patch(clusters, { name }, operations('2'), { resourceVersion }),
    ).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('gets only the metadata of large objects, except from lists and gets', async () => {
    const large = { ...clusters, large: true };
    const { resourceVersion } = await client.list(large, { limit: 1 });
    const created = await client.create(large, managedCluster('large'));
    const patched = await client.patch(
      large,
      { name: 'large' },
      { metadata: { labels: { value: '1' } } },
    );
    for (const { kind, metadata, spec } of [created, patched]) {
      expect(kind).toBe('PartialObjectMetadata');
      expect(metadata.name).toBe('large');
      expect(spec).toBeUndefined();
    }
    const events = client.watch(large, { resourceVersion, timeoutSeconds: 5 });
    const received = [];
    for await (const event of events) {
      received.push(event);
      if (received.length === 2) {
        break;
      }
    }
    expect(received).toEqual([
      { type: 'ADDED', object: created },
      { type: 'MODIFIED', object: patched },
    ]);
    const { items } = await client.list(large);
    const listed = items.find(({ metadata }) => metadata.name === 'large');
    expect(listed?.spec).toMatchObject({ hubAcceptsClient: true });
    expect((await client.get(large, { name: 'large' })).spec).toEqual(
      listed?.spec,
    );
  });

  it('deletes only the object with the given UID', async () => {
    const { metadata } = await client.create(
      clusters,
      managedCluster('deleted'),
    );
    const { name, uid = '' } = metadata;
    await expect(
      client.delete(clusters, { name }, { uid: 'another' }),
    ).rejects.toMatchObject({ kind: 'conflict' });
    await client.delete(clusters, { name }, { uid });
    await expect(
      client.delete(clusters, { name }, { uid }),
    ).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('reports a resource that is not served apart from a missing object', async () => {
    const unknown = { ...clusters, plural: 'nosuchthings' };
    await expect(client.get(unknown, { name: 'a' })).rejects.toMatchObject({
      kind: 'notServed',
      message: expect.stringContaining(
        'get nosuchthings.cluster.open-cluster-management.io a on hub "hub"',
      ),
    });
  });

  it('holds every request for as long as an overloaded server asks', async () => {
    const throttled = connect();
    let requests = 0;
    link.setFault((_, response) => {
      requests += 1;
      response.writeHead(429, { 'retry-after': '60' }).end('slow down');
      return { answered: true };
    });
    await expect(throttled.list(clusters)).rejects.toMatchObject({
      kind: 'throttled',
      retryAfter: 60,
      message: expect.stringContaining('HTTP 429 without a Kubernetes status'),
    });

    const stop = new AbortController();
    const refused = ['one', 'two'].map(name =>
      expect(
        throttled.get(clusters, { name }, { signal: stop.signal }),
      ).rejects.toMatchObject({ kind: 'aborted' }),
    );
    // Another client's request completes meanwhile.
    await testHub.admin.list('clusters');
    stop.abort();
    await Promise.all(refused);
    expect(requests).toBe(1);
    await throttled.close();
  });

  it('sends requests again when an overloaded server has had the time that it asked for', async () => {
    const throttled = connect();
    link.setFault((_, response) => {
      link.setFault(undefined);
      response.writeHead(429, { 'retry-after': '1' }).end('slow down');
      return { answered: true };
    });
    await expect(throttled.list(clusters)).rejects.toMatchObject({
      kind: 'throttled',
    });
    await expect(throttled.list(clusters)).resolves.toBeDefined();
    await throttled.close();
  });

  it('fails a request that is not answered in time', async () => {
    const impatient = connect(300);
    link.setFault(() => ({ answered: true }));
    await expect(
      impatient.get(clusters, { name: 'silent' }),
    ).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('no answer within 0.3 s'),
    });
    await impatient.close();
  });

  it('stops when its signal is aborted', async () => {
    link.setFault(() => ({ answered: true }));
    const stop = new AbortController();
    const response = client.get(
      clusters,
      { name: 'silent' },
      { signal: stop.signal },
    );
    stop.abort();
    await expect(response).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('rejects an incomplete answer', async () => {
    link.setFault((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"items":[');
      response.socket?.end();
      return { answered: true };
    });
    await expect(client.list(clusters)).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });
});
