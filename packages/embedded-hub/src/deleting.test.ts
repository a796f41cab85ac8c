import { pollUntil } from 'apimachinery';
import { KubernetesObject } from './api/kubernetesObject';
import { startTestHub, TestHub } from './__testUtils__/testHub';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const SECRETS = '/api/v1/namespaces/default/secrets';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('deleting', () => {
  let hub: TestHub;

  beforeEach(async () => {
    hub = await startTestHub();
  });

  afterEach(() => hub.stop());

  const create = (name: string, metadata = {}) =>
    hub.create(CONFIG_MAPS, { metadata: { name, ...metadata } });

  const read = (name: string, path = CONFIG_MAPS) =>
    hub.call('GET', `${path}/${name}`);

  const gone = async (name: string, path = CONFIG_MAPS) => {
    const answer = await pollUntil(
      () => read(name, path),
      ({ status }) => status === 404,
    );
    return answer.body.reason;
  };

  function ownedBy(owner: KubernetesObject, blockOwnerDeletion = false) {
    return {
      ownerReferences: [
        {
          apiVersion: owner.apiVersion,
          kind: owner.kind,
          name: owner.metadata.name,
          uid: owner.metadata.uid,
          blockOwnerDeletion,
        },
      ],
    };
  }

  it('answers with a Status that names the deleted object', async () => {
    const { metadata } = await create('a');
    const { body } = await hub.call('DELETE', `${CONFIG_MAPS}/a`);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', kind: 'configmaps', uid: metadata.uid },
    });
  });

  it.each([
    [{ uid: 'other' }, /the UID in the precondition \(other\)/],
    [{ resourceVersion: '1' }, /the ResourceVersion in the precondition \(1\)/],
  ])('honours the precondition %p', async (preconditions, message) => {
    await create('a');
    const { status, body } = await hub.call('DELETE', `${CONFIG_MAPS}/a`, {
      preconditions,
    });
    expect(status).toBe(409);
    expect(body.message).toMatch(message);
    expect((await read('a')).status).toBe(200);
  });

  it('waits for the last finalizer and accepts no new ones', async () => {
    await create('a', { finalizers: ['example.com/one', 'example.com/two'] });
    const { body } = await hub.call('DELETE', `${CONFIG_MAPS}/a`);
    expect(body.metadata).toMatchObject({
      deletionTimestamp: expect.any(String),
      deletionGracePeriodSeconds: 0,
    });
    const again = await hub.call('DELETE', `${CONFIG_MAPS}/a`);
    expect(again.body).toEqual(body);
    const patch = (finalizers: string[]) =>
      hub.call(
        'PATCH',
        `${CONFIG_MAPS}/a`,
        { metadata: { finalizers } },
        MERGE,
      );
    const refused = await patch(['example.com/one', 'example.com/three']);
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain(
      'no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/three"}',
    );
    await patch(['example.com/one']);
    expect((await read('a')).status).toBe(200);
    await patch([]);
    expect((await read('a')).status).toBe(404);
  });

  it('deletes the objects that a selector matches', async () => {
    await create('a', { labels: { x: 'y' } });
    await create('b');
    const { body } = await hub.call(
      'DELETE',
      `${CONFIG_MAPS}?labelSelector=x%3Dy`,
    );
    expect(body.items).toMatchObject([{ metadata: { name: 'a' } }]);
    expect((await read('a')).status).toBe(404);
    expect((await read('b')).status).toBe(200);
  });

  describe('owners', () => {
    it('have their dependents deleted in the background, at any depth', async () => {
      const owner = await create('owner');
      const child = await create('child', ownedBy(owner));
      await create('grandchild', ownedBy(child));
      await hub.call('DELETE', `${CONFIG_MAPS}/owner`);
      expect((await read('owner')).status).toBe(404);
      expect(await gone('child')).toBe('NotFound');
      expect(await gone('grandchild')).toBe('NotFound');
    });

    it('can be of another kind', async () => {
      const owner = await hub.create(SECRETS, { metadata: { name: 'owner' } });
      await create('child', ownedBy(owner));
      await hub.call('DELETE', `${SECRETS}/owner`);
      expect(await gone('child')).toBe('NotFound');
    });

    it('that no longer exist have new dependents deleted', async () => {
      const owner = await create('owner');
      await hub.call('DELETE', `${CONFIG_MAPS}/owner`);
      await create('late', ownedBy(owner));
      expect(await gone('late')).toBe('NotFound');
    });

    it('must have the UID of the reference', async () => {
      const owner = await create('owner');
      await hub.call('DELETE', `${CONFIG_MAPS}/owner`);
      await create('owner');
      await create('late', ownedBy(owner));
      expect(await gone('late')).toBe('NotFound');
      expect((await read('owner')).status).toBe(200);
    });

    it('exist until their last dependent is deleted in foreground deletion', async () => {
      const owner = await create('owner');
      await create('child', {
        ...ownedBy(owner, true),
        finalizers: ['example.com/hold'],
      });
      await hub.call('DELETE', `${CONFIG_MAPS}/owner`, {
        propagationPolicy: 'Foreground',
      });
      const child = await pollUntil(
        () => read('child'),
        answer => answer.body.metadata.deletionTimestamp !== undefined,
      );
      expect(child.status).toBe(200);
      expect((await read('owner')).body.metadata).toMatchObject({
        finalizers: ['foregroundDeletion'],
        deletionTimestamp: expect.any(String),
      });
      await hub.call(
        'PATCH',
        `${CONFIG_MAPS}/child`,
        { metadata: { finalizers: null } },
        MERGE,
      );
      expect(await gone('owner')).toBe('NotFound');
    });

    it('keep their dependents when these are orphaned', async () => {
      const owner = await create('owner');
      await create('child', ownedBy(owner));
      await hub.call('DELETE', `${CONFIG_MAPS}/owner?propagationPolicy=Orphan`);
      expect(await gone('owner')).toBe('NotFound');
      const { body } = await read('child');
      expect(body.metadata).not.toHaveProperty('ownerReferences');
    });

    it('keep the dependent as long as one of them exists', async () => {
      const one = await create('one');
      const two = await create('two');
      await create('child', {
        ownerReferences: [
          ...ownedBy(one).ownerReferences,
          ...ownedBy(two).ownerReferences,
        ],
      });
      await hub.call('DELETE', `${CONFIG_MAPS}/one`);
      const { body } = await pollUntil(
        () => read('child'),
        answer => answer.body.metadata.ownerReferences?.length === 1,
      );
      expect(body.metadata.ownerReferences).toMatchObject([{ name: 'two' }]);
    });
  });

  describe('a namespace', () => {
    beforeEach(async () => {
      await hub.create('/api/v1/namespaces', { metadata: { name: 'tenant' } });
      await hub.create('/api/v1/namespaces/tenant/configmaps', {
        metadata: { name: 'a', finalizers: ['example.com/hold'] },
      });
      await hub.create('/api/v1/namespaces/tenant/secrets', {
        metadata: { name: 'a' },
      });
    });

    it('deletes its objects, rejects new ones, and is removed when it is empty', async () => {
      const { body } = await hub.call('DELETE', '/api/v1/namespaces/tenant');
      expect(body).toMatchObject({ status: { phase: 'Terminating' } });
      expect(await gone('a', '/api/v1/namespaces/tenant/secrets')).toBe(
        'NotFound',
      );
      const refused = await hub.call(
        'POST',
        '/api/v1/namespaces/tenant/configmaps',
        { metadata: { name: 'b' } },
      );
      expect(refused.body).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message:
          'configmaps "b" is forbidden: unable to create new content in namespace tenant because it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating' }] },
      });
      expect((await read('tenant', '/api/v1/namespaces')).status).toBe(200);
      await hub.call(
        'PATCH',
        '/api/v1/namespaces/tenant/configmaps/a',
        { metadata: { finalizers: null } },
        MERGE,
      );
      expect(await gone('tenant', '/api/v1/namespaces')).toBe('NotFound');
    });
  });
});
