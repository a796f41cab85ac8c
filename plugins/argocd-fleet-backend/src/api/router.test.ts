import { mockServices, type TestBackend } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  CLUSTER_SET_LABEL,
  createArgocdFleetClient,
  type ChangedEvent,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import {
  oneHub,
  startFleetBackend,
  WRITES,
} from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import {
  boundSet,
  clusterSet,
  managedCluster,
  NAMESPACE,
  ownedBy,
  pullApplication,
} from '../__testUtils__/objects';
import { waitFor } from '../__testUtils__/waitFor';

const BASE = '/api/argocd-fleet';
const SET_PATH = `${BASE}/applicationsets/hub/${NAMESPACE}/guestbook`;

const setBody = {
  placement: 'everywhere',
  source: {
    repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
    path: 'guestbook',
    targetRevision: 'main',
  },
  destinationNamespace: 'guestbook',
};

function component(name: string, annotations?: Record<string, string>): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name, namespace: 'default', annotations },
    spec: { type: 'service', lifecycle: 'production', owner: 'guests' },
  };
}

const entities = [
  component('guestbook', {
    'argocd-fleet/applicationset': `${NAMESPACE}/guestbook`,
  }),
  component('plain'),
  component('elsewhere', {
    'argocd-fleet/applicationset': `other:${NAMESPACE}/guestbook`,
  }),
  component('mistyped', { 'argocd-fleet/applicationset': 'a/b/c/d' }),
];

describe('HTTP API', () => {
  let testHub: TestHub;
  let backend: TestBackend;

  beforeAll(async () => {
    testHub = await startTestHub();
    await testHub.provideNamespaces(NAMESPACE);
    await testHub.admin.create(
      'clusters',
      managedCluster('one', { region: 'eu' }),
    );
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath),
      entities,
    });
    await waitFor(async () => (await hubState()) === 'ready');
  });

  afterAll(async () => {
    await backend.stop();
    await testHub.stop();
  });

  const api = () => request(backend.server);

  /** A cache may still be opening its watch, or open it anew. */
  /** The API's own: what the controllers ask for at the beginning of a run may come at any time. */
  function requestsBesideWatches() {
    const ofControllers = [
      'customresourcedefinitions',
      'deployments',
      'configmaps',
      'gitopsclusters',
    ];
    return testHub.hub.requests.filter(
      ({ verb, resource = '' }) =>
        verb !== 'watch' && !ofControllers.includes(resource),
    );
  }

  async function hubState() {
    const { body } = await api().get(`${BASE}/clusters`);
    return body.hubs[0].state;
  }

  it('lists clusters from the cache, without a request to the hub', async () => {
    testHub.clearRequests();
    const { status, body } = await api().get(`${BASE}/clusters`);
    expect(status).toBe(200);
    expect(body.items).toEqual([
      expect.objectContaining({
        hub: 'hub',
        name: 'one',
        labels: expect.objectContaining({ region: 'eu' }),
        applicationSets: [],
      }),
    ]);
    expect(requestsBesideWatches()).toEqual([]);
  });

  it('creates a Placement and an ApplicationSet, and updates them only if they differ', async () => {
    const path = `${BASE}/placements/hub/${NAMESPACE}/everywhere`;
    const ref = { hub: 'hub', namespace: NAMESPACE, name: 'everywhere' };
    const selection = {
      clusterSets: ['global'],
      matchLabels: { a: '1', b: '2' },
    };
    const put = async (body: object) => (await api().put(path).send(body)).body;

    expect(await put(selection)).toEqual({ ref, result: 'created' });
    expect(await put(selection)).toEqual({ ref, result: 'unchanged' });
    expect(await put({ ...selection, matchLabels: { a: '1' } })).toEqual({
      ref,
      result: 'updated',
    });
    const placement = await testHub.admin.get('placements', ref);
    expect(
      placement?.spec?.predicates?.[0].requiredClusterSelector?.labelSelector
        ?.matchLabels,
    ).toEqual({ a: '1' });

    const created = await api().put(SET_PATH).send(setBody);
    expect(created.body.result).toBe('created');
    const again = await api().put(SET_PATH).send(setBody);
    expect(again.body.result).toBe('unchanged');
  });

  it('shows an ApplicationSet in the list and in detail, with later changes', async () => {
    await api().put(SET_PATH).send(setBody);
    const detail = await waitFor(async () => {
      const { status, body } = await api().get(SET_PATH);
      return status === 200 && body;
    });
    expect(detail).toMatchObject({
      ref: { hub: 'hub', namespace: NAMESPACE, name: 'guestbook' },
      deliveryModel: 'pull',
      sources: [{ targetRevision: 'main' }],
      applications: [],
      hubState: { name: 'hub', state: 'ready' },
    });

    await api()
      .put(SET_PATH)
      .send({
        ...setBody,
        source: { ...setBody.source, targetRevision: 'v2' },
      });
    await waitFor(async () => {
      const { body } = await api().get(`${BASE}/applicationsets`);
      return body.items[0].sources[0].targetRevision === 'v2';
    });
  });

  it('answers with the changes of the inventory since an earlier answer', async () => {
    const client = createArgocdFleetClient({
      discoveryApi: {
        getBaseUrl: async () =>
          `http://127.0.0.1:${backend.server.port()}${BASE}`,
      },
    });
    const first = await client.getInventory();
    expect(first).toMatchObject({
      full: true,
      clusters: [{ hub: 'hub', name: 'one', isHub: false }],
      hubs: [{ name: 'hub', state: 'ready' }],
    });
    expect(await client.getInventory(first.next)).toMatchObject({
      full: false,
      next: first.next,
      clusters: [],
      applicationSets: [],
    });
    await testHub.admin.create('clusters', managedCluster('two'));
    const second = await waitFor(async () => {
      const answer = await client.getInventory(first.next);
      return answer.clusters.length > 0 && answer;
    });
    expect(second.clusters.map(({ name }) => name)).toEqual(['two']);
    await testHub.admin.delete('clusters', { name: 'two' });
    const third = await waitFor(async () => {
      const answer = await client.getInventory(second.next);
      return answer.removedClusters.length > 0 && answer;
    });
    expect(third).toMatchObject({
      full: false,
      clusters: [],
      removedClusters: [{ hub: 'hub', name: 'two' }],
    });
  });

  it.each([
    ['of another replica', () => '123e4567-e89b-42d3-a456-426614174000.1'],
    ['with a number from the future', (next: string) => `${next}0000000`],
    ['that is none', () => "' OR 1=1 --"],
  ])('answers to a token %s with everything', async (_, since) => {
    const { body: known } = await api().get(`${BASE}/inventory`);
    const { body } = await api()
      .get(`${BASE}/inventory`)
      .query({ since: since(known.next) });
    expect(body).toMatchObject({
      full: true,
      clusters: known.clusters,
      applicationSets: known.applicationSets,
    });
  });

  it.each([
    ['an empty token', 'since='],
    ['a token that is too long', `since=${'x'.repeat(129)}`],
    ['several tokens', 'since=a&since=b'],
  ])('refuses %s', async (_, query) => {
    const { status } = await api().get(`${BASE}/inventory?${query}`);
    expect(status).toBe(400);
  });

  describe('for a form', () => {
    const PREVIEW = `${BASE}/placement-previews/hub/${NAMESPACE}`;

    beforeAll(async () => {
      await testHub.admin.create('clusterSets', clusterSet('shops'));
      await testHub.admin.create('clusterSets', clusterSet('unused'));
      await testHub.admin.create('clusterSetBindings', boundSet('shops'));
      for (const name of ['s1', 's2']) {
        await testHub.admin.create(
          'clusters',
          managedCluster(name, { [CLUSTER_SET_LABEL]: 'shops', shop: name }),
        );
      }
      await waitFor(async () => {
        const { body } = await api().get(PREVIEW);
        return body.matching === 2;
      });
    });

    afterAll(async () => {
      for (const name of ['s1', 's2']) {
        await testHub.admin.delete('clusters', { name });
      }
    });

    it('lists what a Placement can be made of, without a request to the hub', async () => {
      testHub.clearRequests();
      const { status, body } = await api().get(`${BASE}/placement-options`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        items: [
          {
            hub: 'hub',
            namespaces: [{ name: NAMESPACE, clusterSets: ['shops'] }],
            clusterSets: [
              { name: 'shops', clusters: 2 },
              { name: 'unused', clusters: 0 },
            ],
          },
        ],
        hubs: [{ name: 'hub', state: 'ready' }],
      });
      expect(body.items[0].labels).toContainEqual({
        key: 'shop',
        values: [
          { value: 's1', clusters: 1 },
          { value: 's2', clusters: 1 },
        ],
        moreValues: 0,
      });
      expect(requestsBesideWatches()).toEqual([]);
    });

    it.each([
      ['', { matching: 2, selected: 2, clusters: ['s1', 's2'] }],
      ['?matchLabels=shop%3Ds2', { matching: 1, clusters: ['s2'] }],
      [
        '?matchLabels=shop%3Ds2&matchLabels=region%3Deu',
        { matching: 0, selected: 0, clusters: [] },
      ],
      ['?numberOfClusters=1', { matching: 2, selected: 1 }],
      [
        '?clusterSets=unused&clusterSets=shops',
        { clusterSets: ['shops'], unboundSets: ['unused'], matching: 2 },
      ],
    ])('previews the Placement of "%s"', async (query, expected) => {
      const { status, body } = await api().get(`${PREVIEW}${query}`);
      expect({ status, body }).toMatchObject({ status: 200, body: expected });
    });

    it('answers the client with what the hub then selects', async () => {
      const client = createArgocdFleetClient({
        discoveryApi: {
          getBaseUrl: async () =>
            `http://127.0.0.1:${backend.server.port()}${BASE}`,
        },
      });
      const preview = await client.previewPlacement(
        { hub: 'hub', namespace: NAMESPACE },
        { clusterSets: ['shops'], matchLabels: { shop: 's1' } },
      );
      expect(preview.clusters).toEqual(['s1']);
      const claimed = await client.previewPlacement(
        { hub: 'hub', namespace: NAMESPACE },
        { matchClaims: { platform: 'AWS' }, tolerations: ['gpu'] },
      );
      expect(claimed).toMatchObject({
        clusters: [],
        notSelected: expect.arrayContaining([
          { cluster: 's1', reason: 'claim', wanted: 'platform=AWS' },
        ]),
      });
    });

    it.each([
      ['a label without a value', '?matchLabels=shop', /"shop".*key=value/],
      ['an illegal label', '?matchLabels=a%20b%3Dc', /^matchLabels: "a b"/],
      [
        'two values of a label',
        '?matchLabels=a%3Db&matchLabels=a%3Dc',
        /two values/,
      ],
      ['a claim without a value', '?matchClaims=a', /^matchClaims: "a"/],
      ['an illegal claim', '?matchClaims=a%3Db%2Fc', /^matchClaims.a: "b\/c"/],
      ['an illegal taint', '?tolerations=a%20b', /^tolerations: "a b".*key=/],
      ['an illegal set', '?clusterSets=No_Set', /^clusterSets: "No_Set"/],
      ['no cluster', '?numberOfClusters=0', /numberOfClusters/],
      ['half a cluster', '?numberOfClusters=1.5', /numberOfClusters/],
    ])('refuses %s', async (_, query, message) => {
      const { status, body } = await api().get(`${PREVIEW}${query}`);
      expect(status).toBe(400);
      expect(body.error.message).toMatch(message);
    });

    it('refuses an illegal namespace', async () => {
      const { status, body } = await api().get(
        `${BASE}/placement-previews/hub/a.b`,
      );
      expect(status).toBe(400);
      expect(body.error.message).toMatch(/^namespace: "a.b"/);
    });
  });

  it('removes fields that are no longer requested, and keeps those of others', async () => {
    const name = 'declared';
    const object = { namespace: NAMESPACE, name };
    const put = async (kind: string, body: object) =>
      (await api().put(`${BASE}/${kind}/hub/${NAMESPACE}/${name}`).send(body))
        .body.result;
    const shop = { name: 'shop', owner: 'team-a', title: 'Shop' };
    await put('placements', {
      clusterSets: ['global'],
      matchLabels: { a: '1' },
      numberOfClusters: 2,
    });
    await put('applicationsets', { ...setBody, component: shop });
    await testHub.admin.patch('applicationSets', object, {
      metadata: { annotations: { theirs: 'x' } },
    });
    const annotations = async () =>
      (await testHub.admin.get('applicationSets', object))?.metadata
        .annotations;

    const fewer = { ...setBody, component: { name: 'shop' } };
    expect(await put('applicationsets', fewer)).toBe('updated');
    // The owner stays: nobody takes an object over by not naming its owner.
    const owner = { 'argocd-fleet/component-owner': 'group:default/team-a' };
    expect(await annotations()).toEqual({
      theirs: 'x',
      'argocd-fleet/component': 'shop',
      ...owner,
    });
    expect(await put('applicationsets', setBody)).toBe('updated');
    expect(await annotations()).toEqual({ theirs: 'x', ...owner });
    expect(await put('applicationsets', setBody)).toBe('unchanged');

    expect(await put('placements', {})).toBe('updated');
    const placement = await testHub.admin.get('placements', object);
    for (const field of ['clusterSets', 'predicates', 'numberOfClusters']) {
      expect(placement?.spec).not.toHaveProperty(field);
    }
    expect(await put('placements', {})).toBe('unchanged');
  });

  it('never overwrites an object that it did not create', async () => {
    const name = 'theirs';
    await testHub.admin.create('placements', {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      metadata: { namespace: NAMESPACE, name },
      spec: {},
    } as never);
    const { status, body } = await api()
      .put(`${BASE}/placements/hub/${NAMESPACE}/${name}`)
      .send({});
    expect(status).toBe(409);
    expect(body.error).toMatchObject({
      name: 'ConflictError',
      message: expect.stringContaining('was not made by Argo CD Fleet'),
    });
  });

  it.each([
    [
      'a field that does not exist',
      { ...setBody, nonsense: 1 },
      /nonsense|additional/,
    ],
    ['a missing field', { placement: 'x' }, /source/],
    [
      'a field of the wrong type',
      { ...setBody, automated: 'yes' },
      /automated/,
    ],
    [
      'a source with more than where the manifests are',
      {
        ...setBody,
        source: { ...setBody.source, helm: { valuesObject: { a: 1 } } },
      },
      /helm|additional/,
    ],
  ])('rejects %s without a request to the hub', async (_, sent, message) => {
    testHub.clearRequests();
    const { status, body } = await api().put(SET_PATH).send(sent);
    expect(status).toBe(400);
    expect(body.error.name).toBe('InputError');
    expect(body.error.message).toMatch(message);
    expect(requestsBesideWatches()).toEqual([]);
  });

  it.each([
    ['placements', NAMESPACE, 'Not_A_Name', {}, /^name: "Not_A_Name"/],
    ['placements', NAMESPACE, '..', {}, /^name: ".."/],
    ['placements', 'a%2Fb', 'p', {}, /^namespace: "a\/b"/],
    ['placements', NAMESPACE, 'p'.repeat(64), {}, /^name: "ppp.*at most 63/],
    [
      'placements',
      NAMESPACE,
      'p',
      { clusterSets: ['No Set'] },
      /^clusterSets: "No Set"/,
    ],
    [
      'placements',
      NAMESPACE,
      'p',
      { matchLabels: { 'a b': 'c' } },
      /^matchLabels: "a b"/,
    ],
    [
      'placements',
      NAMESPACE,
      'p',
      { matchLabels: { 'example.com/a': '-' } },
      /^matchLabels.example.com\/a: "-"/,
    ],
    ['applicationsets', NAMESPACE, 'A', setBody, /^name: "A"/],
    ['applicationsets', 'n_s', 'a', setBody, /^namespace: "n_s"/],
    [
      'applicationsets',
      NAMESPACE,
      'a',
      { ...setBody, placement: 'every where' },
      /^placement: "every where"/,
    ],
    [
      'applicationsets',
      NAMESPACE,
      'a',
      { ...setBody, destinationNamespace: 'Guest.Book' },
      /^destinationNamespace: "Guest.Book"/,
    ],
    [
      'applicationsets',
      NAMESPACE,
      'a',
      { ...setBody, project: 'a/b' },
      /^project: "a\/b"/,
    ],
    [
      'applicationsets',
      NAMESPACE,
      'a',
      { ...setBody, applicationName: '{{name}}_x' },
      /^applicationName: "{{name}}_x"/,
    ],
    [
      'applicationsets',
      NAMESPACE,
      'a',
      {
        ...setBody,
        source: { ...setBody.source, path: 'a/{{ printf "%c%c" 46 46 }}/b' },
        rollingSync: { label: 'a', values: ['x'] },
      },
      /^source.path: .*placeholder, which is not possible beside rollingSync/,
    ],
    ...(
      [
        [{ label: 'a b', values: ['x'] }, /^rollingSync.label: "a b"/],
        [
          {
            label:
              'apps.open-cluster-management.io/pull-to-ocm-managed-cluster',
            values: ['x'],
          },
          /^rollingSync.label: .*have a meaning on an Application/,
        ],
        [{ label: 'a', values: ['x/y'] }, /^rollingSync.values: "x\/y"/],
        [{ label: 'a', values: ['x', 'x'] }, /^rollingSync.values: "x".*twice/],
        [{ label: 'a', values: [] }, /rollingSync\/values/],
        [{ label: 'a', values: ['x'], maxUpdate: '0%' }, /maxUpdate/],
      ] as const
    ).map(
      ([rollingSync, message]) =>
        [
          'applicationsets',
          NAMESPACE,
          'a',
          { ...setBody, rollingSync },
          message,
        ] as [string, string, string, object, RegExp],
    ),
  ])(
    'refuses %s %s/%s of an illegal name before the hub hears of it',
    async (kind, inNamespace, name, sent, message) => {
      testHub.clearRequests();
      const { status, body } = await api()
        .put(`${BASE}/${kind}/hub/${inNamespace}/${encodeURIComponent(name)}`)
        .send(sent);
      expect({ status, error: body.error }).toEqual({
        status: 400,
        error: expect.objectContaining({
          name: 'InputError',
          message: expect.stringMatching(message),
        }),
      });
      expect(requestsBesideWatches()).toEqual([]);
    },
  );

  it('rejects a name with control characters', async () => {
    const { status, body } = await api().get(
      `${BASE}/applicationsets/hub/${NAMESPACE}/a%00b/transitions`,
    );
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/name.*pattern/);
  });

  it('returns the rejection of the hub, and leaves no object behind', async () => {
    const { status, body } = await api()
      .put(`${BASE}/placements/hub/${NAMESPACE}/too-many`)
      .send({ numberOfClusters: 3_000_000_000 });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/numberOfClusters/);
  });

  it('lists the configured hubs if a hub is unknown', async () => {
    for (const { status, body } of [
      await api().get(`${BASE}/applicationsets/nope/a/b`),
      await api().put(`${BASE}/placements/nope/a/b`).send({}),
      await api().get(`${BASE}/placement-previews/nope/a`),
    ]) {
      expect(status).toBe(404);
      expect(body.error.message).toBe(
        'There is no hub "nope". Configured are: hub.',
      );
    }
  });

  it.each([
    ['/applicationsets/hub/a/b', 'ApplicationSet a/b on hub "hub"'],
    ['/applicationsets/hub/a/b/rows', 'ApplicationSet a/b on hub "hub"'],
    ['/applications/hub/a/b', 'Application a/b on hub "hub"'],
  ])('names what does not exist at %s', async (path, expected) => {
    const { status, body } = await api().get(`${BASE}${path}`);
    expect(status).toBe(404);
    expect(body.error.message).toContain(expected);
  });

  it('shows the rows of an ApplicationSet, and its Applications in detail', async () => {
    await api().put(SET_PATH).send(setBody);
    const set = await testHub.admin.get('applicationSets', {
      namespace: NAMESPACE,
      name: 'guestbook',
    });
    const owned = pullApplication('one-guestbook', 'one', ownedBy(set));
    const ownerless = pullApplication('of-no-set', 'one');
    await testHub.admin.create('applications', owned);
    await testHub.admin.create('applications', ownerless);
    const rows = await waitFor(async () => {
      const { body } = await api().get(`${SET_PATH}/rows`);
      return body.applications?.length === 1 && body;
    });
    expect(rows).toMatchObject({
      ref: { name: 'guestbook' },
      summary: { clusters: 1, state: { ok: 0, running: 0, inTrouble: 1 } },
      applications: [
        {
          cluster: { name: 'one' },
          state: 'inTrouble',
          problem: { code: 'AFC-104' },
        },
      ],
      causes: [{ clusters: 1, finding: { code: 'AFC-104' } }],
    });
    expect(rows.applications[0]).not.toHaveProperty('steps');
    const path = `${BASE}/applications/hub/${NAMESPACE}`;
    const { body: detail } = await api().get(`${path}/one-guestbook`);
    expect(detail).toMatchObject({
      application: { namespace: NAMESPACE, name: 'one-guestbook' },
      steps: expect.arrayContaining([
        expect.objectContaining({ id: 'placement', state: 'failed' }),
      ]),
    });
    const { body: whole } = await api().get(SET_PATH);
    expect(whole.applications).toEqual([detail]);
    expect(whole.causes).toBeUndefined();
    // What belongs to no ApplicationSet is no part of this API.
    const { status } = await api().get(`${path}/of-no-set`);
    expect(status).toBe(404);
    for (const { metadata } of [owned, ownerless]) {
      await testHub.admin.delete('applications', {
        namespace: NAMESPACE,
        name: metadata.name,
      });
    }
  });

  describe('of an entity', () => {
    const fleetOf = (name: string) =>
      api().get(`${BASE}/entities/component/default/${name}`);

    it('shows the linked ApplicationSets', async () => {
      await api().put(SET_PATH).send(setBody);
      const { body } = await waitFor(async () => {
        const response = await fleetOf('guestbook');
        return response.body.applicationSets?.length === 1 && response;
      });
      expect(body).toMatchObject({
        entityRef: 'component:default/guestbook',
        links: [{ state: 'found', ref: { name: 'guestbook' } }],
        applicationSets: [{ ref: { name: 'guestbook' } }],
        hubs: [{ name: 'hub', state: 'ready' }],
      });
    });

    it('is empty without an annotation', async () => {
      const { status, body } = await fleetOf('plain');
      expect(status).toBe(200);
      expect(body).toMatchObject({ links: [], applicationSets: [] });
    });

    it('reports a wrong annotation', async () => {
      const { status, body } = await fleetOf('mistyped');
      expect(status).toBe(200);
      expect(body.problem).toContain('argocd-fleet/applicationset');
    });

    it('reports a hub that is not configured', async () => {
      const { body } = await fleetOf('elsewhere');
      expect(body.links[0].state).toBe('hubUnknown');
    });

    it('is not found if the catalog does not show it', async () => {
      const { status, body } = await fleetOf('unknown');
      expect(status).toBe(404);
      expect(body.error.message).toContain('component:default/unknown');
    });

    it.each(['http%3A%2F%2F', '..%2f'])(
      'is refused for the kind %s, which no reference can have',
      async kind => {
        const { status, body } = await api().get(
          `${BASE}/entities/${kind}/default/plain`,
        );
        expect(status).toBe(400);
        expect(body.error.message).toContain('is no entity reference');
      },
    );
  });

  it.each([
    ['/clusters', 'private, no-cache'],
    ['/applicationsets', 'private, no-cache'],
    ['/inventory', 'no-store'],
    ['/entities/component/default/plain', 'no-store'],
    ['/entities/component/default/unknown', 'no-store'],
    ['/placement-previews/hub/Wrong', 'no-store'],
  ])('lets nobody keep the answer of %s for others', async (path, expected) => {
    const { headers } = await api().get(`${BASE}${path}`);
    expect(headers['cache-control']).toBe(expected);
    const again = await api()
      .get(`${BASE}${path}`)
      .set('if-none-match', headers.etag ?? '*');
    expect(again.headers['cache-control']).toBe(expected);
  });

  it('streams changes until the client leaves, uncompressed and uncached', async () => {
    const stop = new AbortController();
    const origin = `http://127.0.0.1:${backend.server.port()}`;
    const response = await fetch(`${origin}${BASE}/events`, {
      headers: { 'accept-encoding': 'gzip' },
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe(
      'no-cache, no-transform',
    );
    expect(response.headers.get('content-encoding')).toBeNull();
    stop.abort();

    const listening = new AbortController();
    const client = createArgocdFleetClient({
      discoveryApi: { getBaseUrl: async () => `${origin}${BASE}` },
    });
    const events: ChangedEvent[] = [];
    const done = (async () => {
      for await (const event of client.changes({ signal: listening.signal })) {
        events.push(event);
      }
    })().catch(error => {
      if (!listening.signal.aborted) {
        throw error;
      }
    });
    let revision = 0;
    await waitFor(async () => {
      // The first change may come before the server has us on its list.
      revision += 1;
      await api()
        .put(SET_PATH)
        .send({
          ...setBody,
          source: { ...setBody.source, targetRevision: `r${revision}` },
        });
      return events.length > 0;
    });
    expect(events[0].applicationSets).toEqual([
      { hub: 'hub', namespace: NAMESPACE, name: 'guestbook' },
    ]);
    listening.abort();
    await done;
  });

  it('answers at once whether there is a stream', async () => {
    const { status, headers } = await api().head(`${BASE}/events`);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/event-stream');
  });

  it('ends the streams when the backend is stopped', async () => {
    const stopping = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath),
    });
    const response = await fetch(
      `http://127.0.0.1:${stopping.server.port()}${BASE}/events`,
    );
    const text = response.text();
    await stopping.stop();
    expect(await text).toContain(': connected');
  });
});

describe('HTTP API without any permission', () => {
  it.each([
    ['get', '/controllers', 'argocd-fleet.controller.read'],
    ['put', '/placements/hub/a/b', 'argocd-fleet.application-set.create'],
    ['put', '/applicationsets/hub/a/b', 'argocd-fleet.application-set.create'],
  ] as const)('refuses to %s %s', async (method, path, permission) => {
    const deny = async (requests: readonly unknown[]) =>
      requests.map(() => ({ result: AuthorizeResult.DENY }) as const);
    const backend = await startFleetBackend({
      argocdFleet: oneHub('/nowhere/kubeconfig'),
      features: [
        mockServices.permissions.mock({
          authorize: deny,
          authorizeConditional: deny,
        }).factory,
      ],
    });
    const { status, body } = await request(backend.server)
      [method](`${BASE}${path}`)
      .send(method === 'put' && path.includes('set') ? setBody : undefined)
      .set('Content-Type', 'application/json');
    expect(status).toBe(403);
    expect(body.error.message).toContain(permission);
    await backend.stop();
  });
});

describe('HTTP API without a reachable hub', () => {
  it('starts without any hub, and shows how to configure one', async () => {
    const backend = await startFleetBackend({});
    const { status, body } = await request(backend.server).get(
      `${BASE}/applicationsets`,
    );
    expect(status).toBe(200);
    expect(body.items).toEqual([]);
    expect(body.hubs[0].findings[0].fix.command).toContain('argocdFleet:');
    await backend.stop();
  });

  it('names the failing hub and the cause, and still shows the other hub', async () => {
    const testHub = await startTestHub();
    await testHub.admin.create('clusters', managedCluster('one'));
    const backend = await startFleetBackend({
      argocdFleet: {
        hubs: [
          {
            name: 'broken',
            kubeconfig: { path: '/nowhere/kubeconfig' },
            writes: [{ ...WRITES, namespaces: ['a'] }],
          },
          { name: 'hub', kubeconfig: { path: testHub.kubeconfigPath } },
        ],
      },
      entities,
    });
    const api = request(backend.server);
    const { body } = await waitFor(async () => {
      const response = await api.get(`${BASE}/clusters`);
      return response.body.items.length === 1 && response;
    });
    expect(body.hubs).toMatchObject([
      {
        name: 'broken',
        state: 'unreachable',
        message: expect.stringContaining('/nowhere/kubeconfig'),
      },
      { name: 'hub' },
    ]);

    for (const [answer, name] of [
      [
        await api.get(`${BASE}/applicationsets/broken/a/b`),
        'HubNotListedError',
      ],
      [
        await api.put(`${BASE}/placements/broken/a/b`).send({}),
        'ServiceUnavailableError',
      ],
    ] as const) {
      expect(answer.status).toBe(503);
      expect(answer.body.error).toMatchObject({
        name,
        message: expect.stringMatching(/"broken".*\/nowhere\/kubeconfig/),
      });
    }

    const entity = await api.get(
      `${BASE}/entities/component/default/guestbook`,
    );
    expect(entity.body.links[0].state).toBe('hubUnavailable');
    await backend.stop();
    await testHub.stop();
  });
});
