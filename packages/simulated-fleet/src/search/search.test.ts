import { pollUntil } from 'apimachinery';
import { Application } from '../kubernetes/argocdTypes';
import { manifestWorks } from '../kubernetes/resources';
import { applicationWork, feedbackOf } from '../__testUtils__/applicationWork';
import { FleetOnHub, startHubForFleets } from '../__testUtils__/fleetOnHub';
import { runSearch } from './runSearch';
import { SearchEndpoint, startSearchEndpoint } from './searchEndpoint';
import { applicationItem, truncated } from './searchItems';
import { SearchItem } from './searchSchema';

const application: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'app',
    namespace: 'argocd',
    uid: 'u1',
    labels: { b: '2', a: '1' },
    annotations: {
      'apps.open-cluster-management.io/hosting-applicationset': 'argocd/set',
    },
  },
  status: {
    sync: { status: 'OutOfSync' },
    health: { status: 'Missing' },
    conditions: [{ type: 'SyncError', message: `${'ü'.repeat(600)}` }],
    operationState: {
      operation: {},
      phase: 'Failed',
      message: 'it failed',
      startedAt: '',
    },
    resources: [
      {
        group: 'apps',
        version: 'v1',
        kind: 'Deployment',
        namespace: 'demo',
        name: 'api',
        health: { status: 'Missing' },
      },
    ],
  },
};

describe('applicationItem', () => {
  it('has the fields that clients of Search use', () => {
    expect(applicationItem('c1', application)).toMatchObject({
      _uid: 'c1/u1',
      _hostingResource: 'ApplicationSet/argocd/set',
      _conditionSyncError: `${'ü'.repeat(512)}...`,
      _conditionOperationError: 'it failed',
      _missingResources:
        '[{"group":"apps","version":"v1","kind":"Deployment","namespace":"demo","name":"api"}]',
      cluster: 'c1',
      kind: 'Application',
      apigroup: 'argoproj.io',
      apiversion: 'v1alpha1',
      name: 'app',
      namespace: 'argocd',
      label: 'a=1; b=2',
      healthStatus: 'Missing',
    });
  });

  it.each([
    ['a'.repeat(512), 512],
    ['a'.repeat(513), 515],
    ['👍'.repeat(512), 512],
  ])('keeps 512 characters of %.5s…', (message, length) => {
    expect([...truncated(message)]).toHaveLength(length);
  });
});

describe('runSearch', () => {
  const items: SearchItem[] = [
    { kind: 'Application', cluster: 'c1', label: 'a=1; b=2', _uid: '1' },
    { kind: 'Application', cluster: 'c2', label: 'a=1', _uid: '2' },
    {
      kind: 'Service',
      cluster: 'c1',
      label: '',
      _uid: '3',
      _relatedUids: ['1'],
    },
    { kind: 'Pod', cluster: 'c2', label: '', _uid: '4', _relatedUids: ['2'] },
  ];
  const filter = (property: string, ...values: string[]) => ({
    property,
    values,
  });
  it.each([
    ['everything', {}, ['1', '2', '3', '4']],
    ['by kind', { filters: [filter('kind', 'application')] }, ['1', '2']],
    [
      'by several values',
      { filters: [filter('kind', 'Pod', 'Service')] },
      ['3', '4'],
    ],
    ['by label', { filters: [filter('label', 'b=2')] }, ['1']],
    ['by exclusion', { filters: [filter('cluster', '!c1')] }, ['2', '4']],
    ['by keyword', { keywords: ['serv'] }, ['3']],
    [
      'by all of its filters',
      { filters: [filter('kind', 'Application'), filter('cluster', 'c2')] },
      ['2'],
    ],
  ])('finds items: %s', (_, input, expected) => {
    expect(runSearch(input, items).items.map(({ _uid }) => _uid)).toEqual(
      expected,
    );
  });

  it('counts items beyond the limit, and returns related items of returned items only', () => {
    expect(
      runSearch({ filters: [filter('kind', 'Application')], limit: 1 }, items),
    ).toEqual({
      count: 2,
      items: [items[0]],
      related: [{ kind: 'Service', count: 1, items: [items[2]] }],
    });
  });

  it('applies its limit to all related items together', () => {
    const related = ['Service', 'ConfigMap'].map(kind => ({
      ...items[2],
      kind,
    }));
    expect(
      runSearch({ filters: [filter('kind', 'Application')], limit: 1 }, [
        items[0],
        ...related,
      ]).related,
    ).toEqual([{ kind: 'Service', count: 1, items: [related[0]] }]);
  });
});

const QUERY = `query ($input: [SearchInput]) {
  search(input: $input) { count items related { kind items } }
}`;

const applicationsOf = (cluster: string) => ({
  filters: [
    { property: 'kind', values: ['Application'] },
    { property: 'apigroup', values: ['argoproj.io'] },
    { property: 'cluster', values: [cluster] },
  ],
  limit: 100,
});

describe('a Search endpoint', () => {
  let on: FleetOnHub;
  let search: SearchEndpoint;
  beforeEach(async () => {
    on = await startHubForFleets();
  });
  afterEach(async () => {
    await search.stop();
    await on.stop();
  });

  const query = async (
    input: object[] = [applicationsOf('c1')],
    headers: Record<string, string> = { authorization: 'Bearer secret' },
    signal?: AbortSignal,
  ) => {
    const response = await fetch(search.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query: QUERY, variables: { input } }),
      signal,
    });
    const text = await response.text();
    return {
      status: response.status,
      answer: response.ok ? JSON.parse(text) : text,
    };
  };
  const first = async () => (await query()).answer.data.search[0].items[0];
  const deploy = async (name: string) => {
    await on.client.create(manifestWorks, applicationWork('c1', name));
    await on.until(manifestWorks, items => {
      const work = items.find(({ metadata }) => metadata.name === name);
      return feedbackOf(work, 'healthStatus') === 'Healthy';
    });
  };

  it('returns the items of the clusters, checks tokens and simulates faults', async () => {
    const fleet = await on.start('clusters: [{ name: c1 }, { name: c2 }]');
    search = await startSearchEndpoint({ fleet, token: 'secret' });
    await deploy('app');

    expect((await query([], {})).status).toBe(401);
    const wrong = { authorization: 'Bearer secrex' };
    expect((await query([], wrong)).status).toBe(403);
    search.setToken('secrex');
    expect((await query([], wrong)).status).toBe(200);
    search.setToken('secret');

    const { answer } = await query();
    const [found] = answer.data.search;
    expect(search.batches.at(-1)).toEqual([applicationsOf('c1')]);
    expect(found).toMatchObject({
      count: 1,
      items: [{ name: 'app', cluster: 'c1', healthStatus: 'Healthy' }],
    });
    const related = found.related.flatMap(
      ({ kind, items }: { kind: string; items: Record<string, unknown>[] }) =>
        items.map(item => [
          kind,
          '_ownerUID' in item,
          (item._relatedUids as string[] | undefined)?.includes(
            found.items[0]._uid,
          ),
        ]),
    );
    expect(related).toEqual(
      expect.arrayContaining([
        ['Service', false, true],
        ['Deployment', false, true],
        ['ReplicaSet', true, true],
        ['Pod', true, true],
        ['Cluster', false, undefined],
      ]),
    );

    for (const refuse of [401, 403, 500] as const) {
      search.setFaults({ refuse });
      expect((await query()).status).toBe(refuse);
    }
    search.setFaults({ refuse: undefined, hang: true });
    const patience = new AbortController();
    const hanging = query(undefined, undefined, patience.signal);
    await pollUntil(
      () => search.hungRequests,
      count => count === 1,
    );
    search.setFaults({ hang: false, halfOfBatch: true });
    const half = (await query([applicationsOf('c1'), applicationsOf('c2')]))
      .answer;
    // Also after a later request was answered.
    patience.abort();
    await expect(hanging).rejects.toThrow(/aborted/);
    expect(half.data.search).toMatchObject([{ count: 1 }, null]);
    expect(half.errors).toMatchObject([{ path: ['search', 1] }]);

    search.setFaults({ halfOfBatch: false, stale: true });
    await deploy('second');
    expect((await query()).answer.data.search[0].count).toBe(1);
    search.setFaults({ stale: false });
    expect((await query()).answer.data.search[0].count).toBe(2);

    search.setFaults({ malformed: true });
    const [good, bad] = (await query()).answer.data.search[0].items;
    expect(good.name).toBeDefined();
    expect(bad.name).toBeUndefined();
    search.setFaults({ malformed: false });
    search.setExtraItems([{ ...good, name: 'extra' }]);
    expect((await query()).answer.data.search[0].items.at(-1).name).toBe(
      'extra',
    );
    search.setExtraItems([]);

    fleet.faults.offline('c1');
    fleet.clusters.get('c1')?.store.delete({
      group: 'argoproj.io',
      resource: 'applications',
      namespace: 'openshift-gitops',
      name: 'app',
    });
    expect((await first()).name).toBe('app');
  });

  it('reports an invalid query and an unknown path', async () => {
    search = await startSearchEndpoint({
      fleet: { clusters: new Map() },
      token: 'secret',
    });
    expect(
      (await query([{ colour: 'red' }])).answer.errors[0].message,
    ).toContain('Field "colour" is not defined by type "SearchInput"');
    const other = await fetch(new URL('/other', search.url));
    expect(other.status).toBe(404);
  });
});
