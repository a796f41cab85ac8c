import { ManagedFieldsEntry } from 'apimachinery';
import { TestResponse, startTestHub, TestHub } from './__testUtils__/testHub';

const APPLICATIONS =
  '/apis/argoproj.io/v1alpha1/namespaces/default/applications';
const CLUSTERS = '/apis/cluster.open-cluster-management.io/v1/managedclusters';

function application(spec: object, metadata: object = {}): object {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'guestbook', ...metadata },
    spec: { project: 'default', destination: {}, ...spec },
  };
}

describe('server-side apply', () => {
  let hub: TestHub;

  beforeEach(async () => {
    hub = await startTestHub();
  });

  afterEach(() => hub.stop());

  function apply(
    manager: string,
    object: object,
    query = '',
    path = `${APPLICATIONS}/guestbook`,
  ): Promise<TestResponse> {
    return hub.call(
      'PATCH',
      `${path}?fieldManager=${manager}${query}`,
      object,
      { 'content-type': 'application/apply-patch+yaml' },
    );
  }

  function owners(answer: TestResponse): {
    [manager: string]: ManagedFieldsEntry;
  } {
    return Object.fromEntries(
      (answer.body.metadata.managedFields ?? []).map(entry => [
        `${entry.manager} ${entry.operation}`,
        entry,
      ]),
    );
  }

  it('creates, then updates, and then writes nothing without a change', async () => {
    const created = await apply(
      'me',
      application({ source: { repoURL: 'a' } }),
    );
    expect(created.status).toBe(201);
    const changed = await apply(
      'me',
      application({ source: { repoURL: 'b' } }),
    );
    expect(changed.status).toBe(200);
    expect(changed.body.spec).toMatchObject({ source: { repoURL: 'b' } });
    const again = await apply('me', application({ source: { repoURL: 'b' } }));
    expect(again.body).toEqual(changed.body);
    expect(owners(again)['me Apply']).toMatchObject({
      apiVersion: 'argoproj.io/v1alpha1',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': {
          'f:project': {},
          'f:destination': {},
          'f:source': { 'f:repoURL': {} },
        },
      },
    });
  });

  it('removes fields that their manager no longer applies, and no others', async () => {
    await apply('me', application({}, { labels: { mine: 'x', shared: 'x' } }));
    await apply(
      'you',
      application({}, { labels: { yours: 'x', shared: 'x' } }),
    );
    const { body } = await apply('me', application({}));
    expect(body.metadata.labels).toEqual({ yours: 'x', shared: 'x' });
  });

  it('answers 409 for fields of another manager, unless forced', async () => {
    await apply('me', application({ source: { repoURL: 'a', path: 'p' } }));
    const theirs = application({ source: { repoURL: 'b', path: 'p' } });
    const refused = await apply('you', theirs);
    expect(refused.body).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Apply failed with 1 conflict: conflict with "me": .spec.source.repoURL',
      details: {
        causes: [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "me"',
            field: '.spec.source.repoURL',
          },
        ],
      },
    });
    const forced = await apply('you', theirs, '&force=true');
    expect(forced.body.spec).toMatchObject({ source: { repoURL: 'b' } });
    expect(owners(forced)['me Apply'].fieldsV1).toEqual({
      'f:spec': {
        'f:project': {},
        'f:destination': {},
        'f:source': { 'f:path': {} },
      },
    });
  });

  it('conflicts with plain updates too, and names their manager', async () => {
    await hub.call(
      'POST',
      `${APPLICATIONS}?fieldManager=creator`,
      application({ source: { repoURL: 'a' } }),
    );
    const { body } = await apply(
      'me',
      application({ source: { repoURL: 'b' } }),
    );
    expect(body.message).toMatch(
      /^Apply failed with 1 conflict: conflict with "creator" using argoproj.io\/v1alpha1: .spec.source.repoURL$/,
    );
  });

  it('merges lists with keys item by item', async () => {
    const path = `${CLUSTERS}/c`;
    const cluster = { metadata: { name: 'c' }, spec: {} };
    await hub.create(CLUSTERS, cluster);
    const condition = (type: string, status: string) => ({
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'c' },
      status: {
        conditions: [
          {
            type,
            status,
            reason: 'R',
            message: '',
            lastTransitionTime: '2026-01-01T00:00:00Z',
          },
        ],
      },
    });
    await apply('a', condition('A', 'True'), '', `${path}/status`);
    await apply('b', condition('B', 'True'), '', `${path}/status`);
    const both = await apply(
      'b',
      condition('B', 'False'),
      '',
      `${path}/status`,
    );
    expect(
      (both.body.status as { conditions: object[] }).conditions,
    ).toMatchObject([
      { type: 'A', status: 'True' },
      { type: 'B', status: 'False' },
    ]);
    expect(owners(both)['a Apply']).toMatchObject({
      subresource: 'status',
      fieldsV1: {
        'f:status': {
          'f:conditions': {
            'k:{"type":"A"}': { '.': {}, 'f:type': {}, 'f:status': {} },
          },
        },
      },
    });
  });

  it('ignores a status that only the subresource writes', async () => {
    const { body } = await apply(
      'me',
      {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name: 'c' },
        spec: { hubAcceptsClient: true },
        status: { version: { kubernetes: 'x' } },
      },
      '',
      `${CLUSTERS}/c`,
    );
    expect(body).not.toHaveProperty('status');
    expect(body.metadata.managedFields?.[0].fieldsV1).toEqual({
      'f:spec': { 'f:hubAcceptsClient': {} },
    });
  });

  it('gives a field to the manager that overwrites it with an update', async () => {
    await apply('me', application({ source: { repoURL: 'a' } }));
    const updated = await hub.call(
      'PATCH',
      `${APPLICATIONS}/guestbook?fieldManager=you`,
      { spec: { source: { repoURL: 'b' } } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(owners(updated)['you Update'].fieldsV1).toEqual({
      'f:spec': { 'f:source': { 'f:repoURL': {} } },
    });
    expect(owners(updated)['me Apply'].fieldsV1).toEqual({
      'f:spec': { 'f:destination': {}, 'f:project': {} },
    });
  });

  it('conflicts with fields whose managed fields were reset', async () => {
    await hub.create(APPLICATIONS, application({ source: { repoURL: 'a' } }));
    const reset = await hub.call(
      'PATCH',
      `${APPLICATIONS}/guestbook`,
      { metadata: { managedFields: [{}] } },
      { 'content-type': 'application/merge-patch+json' },
    );
    expect(reset.body.metadata).not.toHaveProperty('managedFields');
    const { body } = await apply(
      'me',
      application({ source: { repoURL: 'b' } }),
    );
    expect(body.message).toContain('conflict with "before-first-apply"');
  });

  it('names the manager after the user agent when the request names none', async () => {
    const { body } = await hub.call('POST', APPLICATIONS, application({}), {
      'user-agent': 'argocd-fleet/1.2 (linux)',
    });
    expect(body.metadata.managedFields).toMatchObject([
      { manager: 'argocd-fleet', operation: 'Update' },
    ]);
  });
});
