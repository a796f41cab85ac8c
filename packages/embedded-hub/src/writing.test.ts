import { KubernetesObject } from './api/kubernetesObject';
import { startTestHub, TestHub } from './__testUtils__/testHub';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const CLUSTERS = '/apis/cluster.open-cluster-management.io/v1/managedclusters';
const APPLICATIONS =
  '/apis/argoproj.io/v1alpha1/namespaces/default/applications';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const STRATEGIC = { 'content-type': 'application/strategic-merge-patch+json' };
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

const APPLICATION = {
  metadata: { name: 'guestbook' },
  spec: {
    project: 'default',
    destination: { name: 'cluster1' },
    source: { repoURL: 'https://example.com/git', path: 'guestbook' },
  },
};

describe('writing objects', () => {
  let hub: TestHub;

  beforeEach(async () => {
    hub = await startTestHub();
  });

  afterEach(() => hub.stop());

  it('sets the server’s fields of a new object', async () => {
    const object = await hub.create(CONFIG_MAPS, {
      metadata: { name: 'a', generation: 7, uid: 'mine' },
    });
    expect(object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'a',
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-.*:\d\dZ$/),
      },
    });
  });

  it('generates names', async () => {
    const { metadata } = await hub.create(CONFIG_MAPS, {
      metadata: { generateName: 'a-' },
    });
    expect(metadata.name).toMatch(/^a-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    expect(metadata.generateName).toBe('a-');
  });

  it('accepts YAML', async () => {
    const { status, body } = await hub.call(
      'POST',
      CONFIG_MAPS,
      'metadata:\n  name: a\ndata:\n  k: v\n',
      { 'content-type': 'application/yaml' },
    );
    expect(status).toBe(201);
    expect(body.data).toEqual({ k: 'v' });
  });

  it("moves a secret's stringData into data", async () => {
    const secret = await hub.create(SECRETS, {
      metadata: { name: 's' },
      data: { a: 'YQ==' },
      stringData: { b: 'b' },
    });
    expect(secret).toMatchObject({
      type: 'Opaque',
      data: { a: 'YQ==', b: 'Yg==' },
    });
    expect(secret).not.toHaveProperty('stringData');
  });

  it('rejects an update of an old version with Kubernetes’ conflict', async () => {
    const old = await hub.create(CONFIG_MAPS, { metadata: { name: 'a' } });
    await hub.call('PUT', `${CONFIG_MAPS}/a`, { ...old, data: { k: '1' } });
    const { status, body } = await hub.call('PUT', `${CONFIG_MAPS}/a`, {
      ...old,
      data: { k: '2' },
    });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: 'a', kind: 'configmaps' },
    });
  });

  it('requires a resourceVersion only for updates of custom resources', async () => {
    await hub.create(CONFIG_MAPS, { metadata: { name: 'a' } });
    const core = await hub.call('PUT', `${CONFIG_MAPS}/a`, {
      metadata: { name: 'a' },
      data: { k: 'v' },
    });
    expect(core.status).toBe(200);
    await hub.create(APPLICATIONS, APPLICATION);
    const custom = await hub.call(
      'PUT',
      `${APPLICATIONS}/guestbook`,
      APPLICATION,
    );
    expect(custom.status).toBe(422);
    expect(custom.body.message).toContain(
      'metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    );
  });

  it('writes nothing without a change', async () => {
    const before = await hub.create(APPLICATIONS, APPLICATION);
    const put = await hub.call('PUT', `${APPLICATIONS}/guestbook`, before);
    const patch = await hub.call(
      'PATCH',
      `${APPLICATIONS}/guestbook`,
      { spec: { project: 'default' } },
      MERGE,
    );
    expect(put.body).toEqual(before);
    expect(patch.body).toEqual(before);
  });

  it('keeps the server’s fields in an update', async () => {
    const before = await hub.create(APPLICATIONS, APPLICATION);
    const { body } = await hub.call('PUT', `${APPLICATIONS}/guestbook`, {
      ...before,
      metadata: {
        ...before.metadata,
        creationTimestamp: '2001-01-01T00:00:00Z',
        generation: 99,
        deletionTimestamp: '2001-01-01T00:00:00Z',
      },
    });
    expect(body).toEqual(before);
  });

  describe('generation', () => {
    it.each([
      ['a label', { metadata: { labels: { a: 'b' } } }, 1],
      ['the spec', { spec: { project: 'other' } }, 2],
      [
        // Applications have no status subresource, so a change of status counts.
        'the status of a kind without the subresource',
        { status: { sync: { status: 'Synced' } } },
        2,
      ],
    ])('after a change of %s', async (_what, patch, generation) => {
      await hub.create(APPLICATIONS, APPLICATION);
      const { body } = await hub.call(
        'PATCH',
        `${APPLICATIONS}/guestbook`,
        patch,
        MERGE,
      );
      expect(body.metadata.generation).toBe(generation);
    });
  });

  describe('the status subresource', () => {
    const STATUS = { version: { kubernetes: 'v1.36' } };

    beforeEach(() =>
      hub.create(CLUSTERS, {
        metadata: { name: 'c' },
        spec: { hubAcceptsClient: true },
        status: STATUS,
      }),
    );

    it('is the only endpoint that writes status, and writes only that', async () => {
      const created = await hub.call('GET', `${CLUSTERS}/c`);
      expect(created.body).not.toHaveProperty('status');
      const { body } = await hub.call(
        'PATCH',
        `${CLUSTERS}/c/status`,
        {
          metadata: { labels: { a: 'b' } },
          spec: { hubAcceptsClient: false },
          status: STATUS,
        },
        MERGE,
      );
      expect(body).toMatchObject({
        metadata: { generation: 1 },
        spec: { hubAcceptsClient: true },
        status: STATUS,
      });
      expect(body.metadata).not.toHaveProperty('labels');
      const main = await hub.call(
        'PATCH',
        `${CLUSTERS}/c`,
        { spec: { hubAcceptsClient: false }, status: { version: null } },
        MERGE,
      );
      expect(main.body).toMatchObject({
        metadata: { generation: 2 },
        spec: { hubAcceptsClient: false },
        status: STATUS,
      });
    });

    it('answers 404 for a kind without it', async () => {
      await hub.create(APPLICATIONS, APPLICATION);
      const { status } = await hub.call(
        'GET',
        `${APPLICATIONS}/guestbook/status`,
      );
      expect(status).toBe(404);
    });
  });

  it('stores nothing in a dry run', async () => {
    const created = await hub.call('POST', `${CONFIG_MAPS}?dryRun=All`, {
      metadata: { name: 'a' },
    });
    expect(created.status).toBe(201);
    expect((await hub.call('GET', `${CONFIG_MAPS}/a`)).status).toBe(404);
    await hub.create(CONFIG_MAPS, { metadata: { name: 'a' } });
    await hub.call(
      'PATCH',
      `${CONFIG_MAPS}/a?dryRun=All`,
      { data: { k: 'v' } },
      MERGE,
    );
    await hub.call('DELETE', `${CONFIG_MAPS}/a?dryRun=All`);
    const { body } = await hub.call('GET', `${CONFIG_MAPS}/a`);
    expect(body).not.toHaveProperty('data');
  });

  describe('patches', () => {
    beforeEach(() =>
      hub.create(CONFIG_MAPS, {
        metadata: {
          name: 'a',
          labels: { keep: 'x', drop: 'y' },
          finalizers: ['example.com/one'],
        },
        data: { k: 'v' },
      }),
    );

    it.each([
      {
        what: 'merge',
        headers: MERGE,
        patch: { metadata: { labels: { drop: null } }, data: { l: 'w' } },
      },
      {
        what: 'JSON',
        headers: JSON_PATCH,
        patch: [
          { op: 'remove', path: '/metadata/labels/drop' },
          { op: 'add', path: '/data/l', value: 'w' },
        ],
      },
      {
        what: 'strategic merge',
        headers: STRATEGIC,
        patch: { metadata: { labels: { drop: null } }, data: { l: 'w' } },
      },
    ])('$what', async ({ headers, patch }) => {
      const { status, body } = await hub.call(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        patch,
        headers,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({ data: { k: 'v', l: 'w' } });
      expect(body.metadata.labels).toEqual({ keep: 'x' });
    });

    it('strategic merge keeps list items that a merge patch would replace', async () => {
      const patch = { metadata: { finalizers: ['example.com/two'] } };
      const strategic = await hub.call(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        patch,
        STRATEGIC,
      );
      expect(strategic.body.metadata.finalizers).toEqual([
        'example.com/one',
        'example.com/two',
      ]);
      const deletion = await hub.call(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        {
          metadata: {
            '$deleteFromPrimitiveList/finalizers': ['example.com/one'],
          },
        },
        STRATEGIC,
      );
      expect(deletion.body.metadata.finalizers).toEqual(['example.com/two']);
    });

    it('with a resourceVersion other than the current one are rejected', async () => {
      const { status } = await hub.call(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        { metadata: { resourceVersion: '1' }, data: { k: 'w' } },
        MERGE,
      );
      expect(status).toBe(409);
    });
  });

  it('prunes unknown fields with a warning', async () => {
    const { headers, body } = await hub.call('POST', CLUSTERS, {
      metadata: { name: 'c' },
      spec: { color: 'blue' },
    });
    expect(headers.get('warning')).toBe(
      '299 - "unknown field \\"spec.color\\""',
    );
    expect(body.spec).toEqual({ leaseDurationSeconds: 60 });
  });

  it('loses none of forty updates by forty writers', async () => {
    await hub.create(CONFIG_MAPS, { metadata: { name: 'a' }, data: {} });
    const increment = async (key: string): Promise<void> => {
      const { body } = await hub.call('GET', `${CONFIG_MAPS}/a`);
      const next: KubernetesObject = {
        ...body,
        data: { ...(body.data as object), [key]: 'x' },
      };
      const { status } = await hub.call('PUT', `${CONFIG_MAPS}/a`, next);
      if (status === 409) {
        await increment(key);
      }
    };
    await Promise.all(
      Array.from({ length: 40 }, (_value, index) => increment(`k${index}`)),
    );
    const { body } = await hub.call('GET', `${CONFIG_MAPS}/a`);
    expect(Object.keys(body.data)).toHaveLength(40);
  });
});
