import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  V1ConfigMap,
} from '@kubernetes/client-node';
import { pollUntil } from 'apimachinery';
import { startEmbeddedHub } from './hub';
import { startTestHub, TestHub } from './__testUtils__/testHub';

describe('startEmbeddedHub', () => {
  it('writes a kubeconfig with its address, in a directory that it creates', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'hub-'));
    const kubeconfigPath = join(directory, 'deep', 'kubeconfig');
    const hub = await startEmbeddedHub({ kubeconfigPath });
    try {
      expect(readFileSync(kubeconfigPath, 'utf8')).toBe(hub.kubeconfig());
      const config = new KubeConfig();
      config.loadFromFile(kubeconfigPath);
      expect(config.getCurrentCluster()?.server).toBe(hub.url);
    } finally {
      await hub.stop();
      rmSync(directory, { recursive: true });
    }
  });

  it('names a port that is in use and what to do', async () => {
    const hub = await startEmbeddedHub();
    const port = Number(new URL(hub.url).port);
    try {
      await expect(startEmbeddedHub({ port })).rejects.toThrow(
        `Port ${port} on 127.0.0.1 is in use: stop the program that uses it, or choose another port`,
      );
    } finally {
      await hub.stop();
    }
  });

  it('answers no page in a browser', async () => {
    const hub = await startEmbeddedHub();
    try {
      const path = `${hub.url}/api/v1/namespaces/default`;
      const origin = 'https://evil.example.com';
      const refused = await fetch(path, {
        method: 'DELETE',
        headers: { origin },
      });
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        kind: 'Status',
        message: expect.stringContaining(origin),
      });
      expect((await fetch(path)).status).toBe(200);
    } finally {
      await hub.stop();
    }
  });

  it('frees its port and closes its watches when it stops', async () => {
    const hub = await startTestHub();
    const watch = await fetch(`${hub.url}/api/v1/namespaces?watch=1`);
    const ended = watch.text().catch(error => error);
    await hub.stop();
    await ended;
    const port = Number(new URL(hub.url).port);
    const again = await startEmbeddedHub({ port });
    expect(again.url).toBe(hub.url);
    await again.stop();
  });

  it('logs requests with their resource, object and user agent', async () => {
    const hub = await startTestHub();
    try {
      await hub.call(
        'POST',
        '/api/v1/namespaces/default/configmaps?dryRun=All',
        { metadata: { name: 'a' } },
        { 'user-agent': 'someone/1.0', authorization: 'Bearer abc' },
      );
      expect(hub.requests).toEqual([
        {
          at: expect.any(Date),
          method: 'POST',
          path: '/api/v1/namespaces/default/configmaps?dryRun=All',
          verb: 'create',
          group: '',
          version: 'v1',
          resource: 'configmaps',
          subresource: undefined,
          namespace: 'default',
          name: undefined,
          userAgent: 'someone/1.0',
          token: 'abc',
          status: 201,
        },
      ]);
      hub.clearRequests();
      expect(hub.requests).toEqual([]);
    } finally {
      await hub.stop();
    }
  });
});

describe('@kubernetes/client-node, unchanged', () => {
  let hub: TestHub;
  let config: KubeConfig;

  beforeAll(async () => {
    hub = await startTestHub();
    config = new KubeConfig();
    config.loadFromString(hub.kubeconfig());
  });

  afterAll(() => hub.stop());

  it('creates, reads, replaces and deletes', async () => {
    const core = config.makeApiClient(CoreV1Api);
    const created = await core.createNamespacedConfigMap({
      namespace: 'default',
      body: { metadata: { name: 'settings' }, data: { color: 'blue' } },
    });
    expect(created.metadata?.uid).toBeDefined();
    created.data = { color: 'green' };
    const replaced = await core.replaceNamespacedConfigMap({
      namespace: 'default',
      name: 'settings',
      body: created,
    });
    expect(replaced.data).toEqual({ color: 'green' });
    await expect(
      core.replaceNamespacedConfigMap({
        namespace: 'default',
        name: 'settings',
        body: { ...created, data: { color: 'red' } },
      }),
    ).rejects.toMatchObject({ code: 409 });
    await core.deleteNamespacedConfigMap({
      namespace: 'default',
      name: 'settings',
    });
    await expect(
      core.readNamespacedConfigMap({ namespace: 'default', name: 'settings' }),
    ).rejects.toMatchObject({ code: 404 });
  });

  it('works on custom resources', async () => {
    const custom = config.makeApiClient(CustomObjectsApi);
    const target = {
      group: 'cluster.open-cluster-management.io',
      version: 'v1',
      plural: 'managedclusters',
    };
    await custom.createClusterCustomObject({
      ...target,
      body: {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name: 'cluster1' },
        spec: { hubAcceptsClient: true },
      },
    });
    const list = await custom.listClusterCustomObject(target);
    expect(list.items).toHaveLength(1);
    expect(list.items[0].spec).toEqual({
      hubAcceptsClient: true,
      leaseDurationSeconds: 60,
    });
  });

  it('watches objects with an informer', async () => {
    const core = config.makeApiClient(CoreV1Api);
    await core.createNamespacedConfigMap({
      namespace: 'kube-public',
      body: { metadata: { name: 'first' } },
    });
    const informer = makeInformer<V1ConfigMap>(
      config,
      '/api/v1/namespaces/kube-public/configmaps',
      () => core.listNamespacedConfigMap({ namespace: 'kube-public' }),
    );
    const seen: string[] = [];
    informer.on('add', object => seen.push(`add ${object.metadata?.name}`));
    informer.on('update', object =>
      seen.push(`update ${object.metadata?.name}`),
    );
    informer.on('delete', object =>
      seen.push(`delete ${object.metadata?.name}`),
    );
    await informer.start();
    try {
      await core.createNamespacedConfigMap({
        namespace: 'kube-public',
        body: { metadata: { name: 'second' } },
      });
      await core.patchNamespacedConfigMap({
        namespace: 'kube-public',
        name: 'second',
        body: [{ op: 'add', path: '/data', value: { a: 'b' } }],
      });
      await core.deleteNamespacedConfigMap({
        namespace: 'kube-public',
        name: 'first',
      });
      await pollUntil(
        () => seen,
        events => events.length >= 4,
      );
      expect(seen).toEqual([
        'add first',
        'add second',
        'update second',
        'delete first',
      ]);
      expect(informer.list().map(object => object.metadata?.name)).toEqual([
        'second',
      ]);
    } finally {
      await informer.stop();
    }
  });
});
