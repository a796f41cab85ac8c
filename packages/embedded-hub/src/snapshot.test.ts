import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pollUntil } from 'apimachinery';
import { startEmbeddedHub } from './hub';
import { writeSnapshot } from './snapshot/writeSnapshot';
import { SnapshotObject } from './snapshot/snapshotObject';
import { startTestHub, TestHub } from './__testUtils__/testHub';

const configMaps = '/api/v1/namespaces/default/configmaps';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';
const gitOpsClusterDefinition =
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gitopsclusters.apps.open-cluster-management.io';
const clusters = '/apis/cluster.open-cluster-management.io/v1/managedclusters';

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', default: 3 },
                  color: { type: 'string' },
                },
              },
              status: {
                type: 'object',
                properties: { phase: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

function widget(name: string, more: object = {}) {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
    spec: { color: 'blue' },
    ...more,
  };
}

let directory: string;
const hubs: TestHub[] = [];

async function start(options: Parameters<typeof startTestHub>[0] = {}) {
  const hub = await startTestHub(options);
  hubs.push(hub);
  return hub;
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'snapshot-'));
});

afterEach(async () => {
  await Promise.all(hubs.splice(0).map(hub => hub.stop()));
  rmSync(directory, { recursive: true });
});

async function list(hub: TestHub, path: string) {
  const { body } = await hub.call('GET', path);
  return body as unknown as {
    items: SnapshotObject[];
    metadata: { resourceVersion: string };
  };
}

describe('a hub that starts from the state that a hub saved', () => {
  it.each(['state.ndjson', 'state.ndjson.gz'])(
    'has all of it: %s',
    async name => {
      const path = join(directory, 'deep', name);
      const before = await start();
      await before.create(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        widgetDefinition,
      );
      const owner = await before.create(configMaps, {
        metadata: { name: 'owner' },
      });
      await before.create(
        widgets,
        widget('one', {
          metadata: {
            name: 'one',
            ownerReferences: [
              {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                name: 'owner',
                uid: owner.metadata.uid,
              },
            ],
          },
        }),
      );
      await before.call('DELETE', gitOpsClusterDefinition);
      await pollUntil(
        () => before.call('GET', gitOpsClusterDefinition),
        ({ status }) => status === 404,
      );
      const seen = await list(before, widgets);
      const saved = await before.saveSnapshot(path);
      await before.create(widgets, widget('too-late'));

      const after = await start({ snapshot: path });
      expect(await list(after, widgets)).toEqual(seen);
      // Deleted objects stay deleted, even those that every new hub has.
      expect((await after.call('GET', gitOpsClusterDefinition)).status).toBe(
        404,
      );
      expect(saved.bytes).toBe(readFileSync(path).length);

      // Revisions continue to increase, and owner references still work.
      const { metadata } = await after.create(widgets, widget('next'));
      expect(Number(metadata.resourceVersion)).toBe(
        Number(seen.metadata.resourceVersion) + 1,
      );
      await after.call('DELETE', `${configMaps}/owner`);
      await pollUntil(
        () => list(after, widgets),
        ({ items }) => items.length === 1,
      );
    },
  );

  it('has no history: older watches get 410', async () => {
    const path = join(directory, 'state');
    const before = await start();
    const { metadata } = await before.create(configMaps, {
      metadata: { name: 'a' },
    });
    await before.create(configMaps, { metadata: { name: 'b' } });
    await before.saveSnapshot(path);
    const after = await start({ snapshot: path });
    const { text } = await after.call(
      'GET',
      `${configMaps}?watch=1&timeoutSeconds=1&resourceVersion=${metadata.resourceVersion}`,
    );
    expect(JSON.parse(text)).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired' },
    });
  });

  it('is written line by line, definitions first', async () => {
    const path = join(directory, 'state.gz');
    const hub = await start();
    await hub.create(configMaps, { metadata: { name: 'a' } });
    const { objects } = await hub.saveSnapshot(path);
    const lines = gunzipSync(readFileSync(path))
      .toString()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(lines[0]).toMatchObject({ kind: 'HubSnapshot', version: 1 });
    expect(lines[1].kind).toBe('CustomResourceDefinition');
    expect(lines.at(-1)).toEqual({ kind: 'HubSnapshotEnd', objects });
    expect(lines).toHaveLength(objects + 2);
  });
});

describe('a hub that starts from objects from elsewhere', () => {
  async function* generated(): AsyncGenerator<SnapshotObject> {
    yield widgetDefinition;
    yield widget('plain');
    yield widget('kept', {
      metadata: {
        name: 'kept',
        namespace: 'default',
        uid: '11111111-2222-4333-8444-555555555555',
        creationTimestamp: '2026-01-02T03:04:05Z',
        generation: 7,
        resourceVersion: '999',
      },
      status: { phase: 'Done' },
    });
  }

  it('fills in their missing fields and keeps the others', async () => {
    const hub = await start({ snapshot: generated() });
    const { items } = await list(hub, widgets);
    expect(items).toEqual([
      {
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        metadata: {
          name: 'kept',
          namespace: 'default',
          uid: '11111111-2222-4333-8444-555555555555',
          creationTimestamp: '2026-01-02T03:04:05Z',
          generation: 7,
          resourceVersion: expect.stringMatching(/^\d+$/),
          managedFields: [
            expect.objectContaining({
              manager: 'snapshot',
              fieldsV1: { 'f:spec': expect.anything() },
            }),
            expect.objectContaining({
              manager: 'snapshot',
              subresource: 'status',
              fieldsV1: { 'f:status': { '.': {}, 'f:phase': {} } },
            }),
          ],
        },
        spec: { color: 'blue', size: 3 },
        status: { phase: 'Done' },
      },
      expect.objectContaining({
        metadata: expect.objectContaining({
          name: 'plain',
          uid: expect.any(String),
          generation: 1,
        }),
      }),
    ]);
    // The hub's own definitions exist too.
    expect((await list(hub, clusters)).items).toEqual([]);
  });

  it('serves them like objects that were created on the hub', async () => {
    const hub = await start({ snapshot: generated() });
    const { status } = await hub.call(
      'PATCH',
      `${widgets}/plain`,
      {
        spec: { color: 'red' },
      },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(status).toBe(200);
    expect((await hub.call('DELETE', `${widgets}/kept`)).status).toBe(200);
    expect((await list(hub, widgets)).items).toMatchObject([
      { metadata: { name: 'plain', generation: 2 }, spec: { color: 'red' } },
    ]);
  });

  it('reads them from a file that `writeSnapshot` wrote', async () => {
    const path = join(directory, 'fleet.ndjson.gz');
    expect(await writeSnapshot(path, generated())).toMatchObject({
      objects: 3,
    });
    const hub = await start({ snapshot: path });
    expect((await list(hub, widgets)).items).toHaveLength(2);
  });

  it('leaves the given objects unchanged', async () => {
    const objects = [widgetDefinition, widget('plain')];
    const copy = structuredClone(objects);
    await start({ snapshot: objects });
    expect(objects).toEqual(copy);
  });
});

describe('a snapshot that cannot be used', () => {
  const head = '{"kind":"HubSnapshot","version":1}';

  it.each([
    ['is not JSON', 'apiVersion: v1', /line 1 is not valid JSON/],
    ['is not a snapshot', '{"kind":"List"}', /is not a snapshot of a hub/],
    [
      'has another version',
      '{"kind":"HubSnapshot","version":2}',
      /of version 2; this hub reads version 1/,
    ],
    ['has no last line', head, /truncated: it ends after 0 objects/],
    [
      'lacks objects',
      `${head}\n{"kind":"HubSnapshotEnd","objects":5}`,
      /truncated: it has 0 of 5 objects/,
    ],
    ['is damaged', `${head}\n{"kind":`, /line 2 is not valid JSON.*damaged/],
    [
      'has an unknown kind',
      `${head}\n${JSON.stringify(widget('one'))}`,
      /line 2: the hub has no kind Widget in example.com\/v1: put its CustomResourceDefinition before it/,
    ],
    [
      'has an object without a namespace',
      `${head}\n{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}`,
      /line 2: a ConfigMap must have a metadata.name and a metadata.namespace/,
    ],
    [
      'lacks a namespace of an object',
      `${head}\n{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"nowhere"}}\n{"kind":"HubSnapshotEnd","objects":1}`,
      /objects in the namespace nowhere but not the Namespace itself/,
    ],
    [
      'uses a uid twice',
      [
        head,
        ...['a', 'b'].map(name =>
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name, namespace: 'default', uid: 'same' },
          }),
        ),
      ].join('\n'),
      /line 3: the uid same already belongs to default\/a in \/configmaps/,
    ],
  ])('because it %s', async (_, text, message) => {
    const path = join(directory, 'bad');
    writeFileSync(path, text);
    await expect(startEmbeddedHub({ snapshot: path })).rejects.toThrow(message);
  });

  it('because it does not exist', async () => {
    const snapshot = join(directory, 'none');
    await expect(startEmbeddedHub({ snapshot })).rejects.toThrow(
      /The snapshot .*none cannot be read .*: name a file that a hub has saved/,
    );
  });

  it('because the compressed file is truncated', async () => {
    const path = join(directory, 'cut.gz');
    const whole = gzipSync(`${head}\n{"kind":"HubSnapshotEnd","objects":0}\n`);
    writeFileSync(path, whole.subarray(0, whole.length - 12));
    await expect(startEmbeddedHub({ snapshot: path })).rejects.toThrow(
      /truncated/,
    );
  });
});

it('keeps the old file when saving fails', async () => {
  const path = join(directory, 'state');
  writeFileSync(path, 'old');
  const failing = (function* brokenGenerator(): Generator<SnapshotObject> {
    yield widget('one');
    throw new Error('generator broke');
  })();
  await expect(writeSnapshot(path, failing)).rejects.toThrow('generator broke');
  expect(readFileSync(path, 'utf8')).toBe('old');
});
