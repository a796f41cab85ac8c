import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  ResourceSource,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import {
  startSearchEndpoint,
  type SearchEndpoint,
  type SearchItem,
} from 'simulated-fleet';
import { createCertificateAuthority } from '../../__testUtils__/certificates';
import { waitFor } from '../../__testUtils__/waitFor';
import { REJECTED_ANSWERS } from './emptyAnswers';
import type { SearchConfig } from './searchConfig';
import { createSearchSource } from './searchSource';

const authority = createCertificateAuthority('the hub');
const applicationSet = { namespace: 'argocd', name: 'set' };

function application(cluster: string, name = 'app'): ResourceSourceApplication {
  return {
    application: { namespace: 'argocd', name: `${cluster}-${name}` },
    onCluster: { namespace: 'argocd', name: `${cluster}-${name}` },
    cluster,
    applicationSet,
  };
}

function itemsOf(
  { cluster, onCluster }: ResourceSourceApplication,
  more: object = {},
): SearchItem[] {
  const uid = `${cluster}/${onCluster.name}`;
  return [
    {
      _uid: uid,
      cluster,
      kind: 'Application',
      apigroup: 'argoproj.io',
      ...onCluster,
      label: 'a=b; apps.open-cluster-management.io/application-set=true',
      _hostingResource: 'ApplicationSet/argocd/set',
      ...more,
    },
    {
      _uid: `${uid}/web`,
      cluster,
      kind: 'Service',
      apiversion: 'v1',
      namespace: 'demo',
      name: 'web',
      _relatedUids: [uid],
    },
  ];
}

describe('the search source', () => {
  let endpoint: SearchEndpoint;
  let folder: string;
  let tokenFile: string;
  const fleet = ['c1', 'c2', 'c3', 'c4', 'c5'].map(name => application(name));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-search-'));
    tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'secret\n');
    endpoint = await startSearchEndpoint({
      fleet: { clusters: new Map() },
      token: 'secret',
      tls: authority.issue('search'),
    });
    endpoint.setExtraItems(fleet.flatMap(each => itemsOf(each)));
  });

  afterEach(async () => {
    await endpoint.stop();
    await rm(folder, { recursive: true });
  });

  function sourceOf(
    options: Partial<SearchConfig> = {},
    access: Partial<SearchConfig['access']> = {},
  ): ResourceSource {
    return createSearchSource('hub', {
      batchSize: 2,
      concurrency: 2,
      timeoutMs: 20_000,
      limit: 1_000,
      ...options,
      access: {
        url: endpoint.url,
        tokenFile,
        caData: Buffer.from(authority.cert).toString('base64'),
        ...access,
      },
    });
  }

  const collect = (
    source: ResourceSource,
    applications: readonly ResourceSourceApplication[] = fleet,
    signal = new AbortController().signal,
  ) => source.collect({ hub: 'hub', applications, signal });

  it('queries as documented, in batches of clusters, and assigns each answer to its Application', async () => {
    const { details, incomplete, findings } = await collect(sourceOf());
    expect([...endpoint.batches].sort(byClusters)).toEqual(
      [['c1', 'c2'], ['c3', 'c4'], ['c5']].map(clusters => [
        {
          filters: [
            { property: 'kind', values: ['Application'] },
            { property: 'apigroup', values: ['argoproj.io'] },
            {
              property: 'label',
              values: ['apps.open-cluster-management.io/application-set=true'],
            },
            { property: 'cluster', values: clusters },
          ],
          limit: 1_000,
        },
      ]),
    );
    expect({ incomplete, findings }).toEqual({ incomplete: [], findings: [] });
    expect(details).toHaveLength(5);
    expect(details).toContainEqual({
      application: { namespace: 'argocd', name: 'c3-app' },
      conditions: [],
      resources: [
        { version: 'v1', kind: 'Service', namespace: 'demo', name: 'web' },
      ],
    });
  });

  it('sends no query if no Application can be found', async () => {
    const { details } = await collect(sourceOf(), [
      { ...application('c1'), applicationSet: undefined },
    ]);
    expect(details).toEqual([]);
    expect(endpoint.batches).toEqual([]);
  });

  it('ignores Applications of other sets or namespaces', async () => {
    endpoint.setExtraItems([
      ...itemsOf(fleet[0], { _hostingResource: 'ApplicationSet/argocd/other' }),
      ...itemsOf(fleet[1], { namespace: 'elsewhere' }),
      ...itemsOf(fleet[2]),
    ]);
    const { details } = await collect(sourceOf());
    expect(details.map(each => each.application.name)).toEqual(['c3-app']);
  });

  it.each([
    [401, 'HTTP 401'],
    [403, 'HTTP 403'],
  ] as const)('reports a %i with a fix', async (refuse, evidence) => {
    endpoint.setFaults({ refuse });
    const { details, incomplete, findings } = await collect(sourceOf());
    expect(details).toEqual([]);
    expect([...incomplete!].sort()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    expect(findings).toMatchObject([
      {
        code: 'AFC-431',
        evidence: expect.stringContaining(evidence),
        fix: { command: expect.stringContaining('kubectl create token') },
      },
    ]);
  });

  it('uses a renewed token with the next request of the round', async () => {
    const source = sourceOf();
    await collect(source);
    endpoint.setToken('renewed');
    await writeFile(tokenFile, 'renewed\n');
    const { details, findings } = await collect(source);
    expect({ known: details.length, findings }).toEqual({
      known: 5,
      findings: [],
    });
  });

  it('uses a renewed CA', async () => {
    const caFile = join(folder, 'ca.crt');
    await writeFile(caFile, createCertificateAuthority('other').cert);
    const source = sourceOf({}, { caData: undefined, caFile });
    expect((await collect(source)).findings).toMatchObject([
      { code: 'AFC-432' },
    ]);
    await writeFile(caFile, authority.cert);
    expect((await collect(source)).findings).toEqual([]);
  });

  it.each<[string, () => Partial<SearchConfig['access']>]>([
    [
      'another CA',
      () => ({ caData: base64(createCertificateAuthority('x').cert) }),
    ],
    ['the CAs of the world', () => ({ caData: undefined })],
    [
      'another name',
      () => ({ url: endpoint.url.replace('127.0.0.1', 'localhost') }),
    ],
  ])('sends no token where the certificate is for %s', async (_, access) => {
    const { findings, incomplete } = await collect(sourceOf({}, access()));
    expect(findings).toMatchObject([{ code: 'AFC-432', severity: 'error' }]);
    expect(incomplete).toHaveLength(5);
    expect(endpoint.batches).toEqual([]);
  });

  it('aborts a search after its timeout', async () => {
    endpoint.setFaults({ hang: true });
    const { findings, incomplete } = await collect(
      sourceOf({ timeoutMs: 200 }),
    );
    expect(incomplete).toHaveLength(5);
    expect(findings).toMatchObject([
      { code: 'AFC-433', evidence: 'no answer within 0.2 s' },
    ]);
  });

  it('ends a round in time, and keeps its answers', async () => {
    endpoint.setFaults({ hang: true });
    const { findings, incomplete } = await collect(
      sourceOf({ timeoutMs: 150, batchSize: 1, concurrency: 1 }),
    );
    expect(endpoint.hungRequests).toBeLessThan(5);
    expect(incomplete).toHaveLength(5);
    expect(findings).toMatchObject([{ code: 'AFC-433' }]);
  });

  it.each<[string, () => Partial<SearchConfig['access']>, string]>([
    [
      'nobody answers',
      () => ({ url: 'http://127.0.0.1:9/searchapi/graphql' }),
      'ECONNREFUSED',
    ],
    [
      'the path is wrong',
      () => ({ url: new URL('/', endpoint.url).href }),
      'HTTP 404',
    ],
    [
      'the token file is not there',
      () => ({ tokenFile: '/no/such/file' }),
      '/no/such/file',
    ],
  ])('reports that %s', async (_, access, evidence) => {
    const { findings } = await collect(sourceOf({}, access()));
    expect(findings).toMatchObject([
      { code: 'AFC-433', evidence: expect.stringContaining(evidence) },
    ]);
  });

  it('stops when its signal is aborted', async () => {
    endpoint.setFaults({ hang: true });
    const stop = new AbortController();
    const round = collect(sourceOf(), fleet, stop.signal);
    stop.abort();
    await expect(round).rejects.toThrow(/abort/);
  });

  it('splits a search that reaches the limit, and keeps the half that has an answer', async () => {
    endpoint.setFaults({ halfOfBatch: true });
    const { details, incomplete, findings } = await collect(
      sourceOf({ batchSize: 4, limit: 4 }),
    );
    expect(endpoint.batches.map(each => each.map(clustersOf)).sort()).toEqual(
      [
        [['c1', 'c2', 'c3', 'c4']],
        [
          ['c1', 'c2'],
          ['c3', 'c4'],
        ],
        [['c5']],
      ].sort(),
    );
    expect(details.map(each => each.application.name).sort()).toEqual([
      'c1-app',
      'c2-app',
      'c5-app',
    ]);
    expect(incomplete).toEqual(['c3', 'c4']);
    expect(findings).toMatchObject([
      {
        code: 'AFC-434',
        evidence: 'canceling statement due to statement timeout',
      },
    ]);
  });

  it('reports a single cluster that reaches the limit, and shows no incomplete list', async () => {
    const { details, incomplete, findings } = await collect(
      sourceOf({ limit: 1 }),
    );
    expect(details).toHaveLength(5);
    expect(details.every(({ resources }) => resources === undefined)).toBe(
      true,
    );
    expect([...incomplete!].sort()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
    expect(findings).toMatchObject([{ code: 'AFC-436' }]);
  });

  it('skips and counts malformed items, and keeps the others', async () => {
    endpoint.setFaults({ malformed: true });
    const { details, incomplete, findings } = await collect(
      sourceOf({ batchSize: 5 }),
    );
    expect(details.map(each => each.application.name)).toEqual([
      'c1-app',
      'c3-app',
      'c5-app',
    ]);
    // The other clusters of the batch are complete: what their answers lack is deleted.
    expect(incomplete).toEqual(['c2', 'c4']);
    expect(findings).toMatchObject([
      {
        code: 'AFC-435',
        message: expect.stringContaining('2 (Applications)'),
        evidence: expect.stringMatching(/^application: \{/),
      },
    ]);
  });

  it('counts every cluster of a batch as incomplete if a malformed item names no cluster', async () => {
    const six = [...fleet, application('c6')];
    endpoint.setExtraItems(six.flatMap(each => itemsOf(each)));
    // The third malformed item is null.
    endpoint.setFaults({ malformed: true });
    const { incomplete } = await collect(sourceOf({ batchSize: 6 }), six);
    expect(incomplete).toHaveLength(6);
  });

  describe('without related items', () => {
    const withoutRelated = (more: object = {}) =>
      endpoint.setExtraItems(fleet.map(each => itemsOf(each, more)[0]));

    it('fails if smaller searches are empty too, until related items are found', async () => {
      const source = sourceOf({ batchSize: 5, concurrency: 1 });
      withoutRelated({ syncStatus: 'Synced' });
      const { details, incomplete, findings } = await collect(source);
      expect(details).toEqual([]);
      expect([...incomplete!].sort()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5']);
      expect(findings).toMatchObject([
        {
          code: 'AFC-434',
          message: expect.stringContaining('5 of 5 clusters'),
          evidence: 'the answer has Applications, but no related items',
        },
      ]);
      const { searches } = endpoint;
      expect(searches).toBe(9);
      expect((await collect(source)).incomplete).toHaveLength(5);
      expect(endpoint.searches).toBe(searches + 1);

      endpoint.setExtraItems(fleet.flatMap(each => itemsOf(each)));
      const answer = await collect(source);
      expect(answer.details).toHaveLength(5);
      expect(answer).toMatchObject({ incomplete: [], findings: [] });
    });

    it.each<[string, object]>([
      [
        'all that they deploy is missing',
        {
          syncStatus: 'OutOfSync',
          _missingResources: '[{"kind":"Service","name":"web"}]',
        },
      ],
      [
        'they cannot be compared',
        { syncStatus: 'Unknown', _conditionComparisonError: 'no such branch' },
      ],
    ])('takes their errors where %s', async (_, more) => {
      withoutRelated(more);
      const { details, incomplete, findings } = await collect(sourceOf());
      expect(details).toHaveLength(5);
      expect({ incomplete, findings }).toEqual({
        incomplete: [],
        findings: [],
      });
    });

    it('accepts empty answers in the end: the Applications may deploy nothing', async () => {
      const source = sourceOf({ batchSize: 5 });
      withoutRelated({ syncStatus: 'Synced', healthStatus: 'Healthy' });
      const rounds: number[] = [];
      for (let round = 0; round <= REJECTED_ANSWERS; round += 1) {
        rounds.push((await collect(source)).incomplete!.length);
      }
      expect(rounds.slice(0, -1).every(each => each === 5)).toBe(true);
      const { details, incomplete, findings } = await collect(source);
      expect(details).toHaveLength(5);
      expect({ incomplete, findings }).toEqual({
        incomplete: [],
        findings: [],
      });
    });
  });

  it('reports if Search has none of our Applications', async () => {
    endpoint.setExtraItems([]);
    const { incomplete, findings } = await collect(sourceOf());
    expect(incomplete).toEqual([]);
    expect(findings).toMatchObject([{ code: 'AFC-437', severity: 'info' }]);
  });

  it('reads an answer of 10,000 items', async () => {
    const applications = Array.from({ length: 200 }, (_, index) =>
      application('c1', String(index)),
    );
    endpoint.setExtraItems(
      applications.flatMap(each => [
        ...itemsOf(each),
        ...Array.from({ length: 48 }, (_, index) => ({
          ...itemsOf(each)[1],
          name: `web-${index}`,
        })),
      ]),
    );
    const { details, findings } = await collect(
      sourceOf({ limit: 10_000 }),
      applications,
    );
    expect(findings).toEqual([]);
    expect(details).toHaveLength(200);
    expect(details.every(each => each.resources?.length === 49)).toBe(true);
  });

  it('runs no more searches at the same time than configured', async () => {
    endpoint.setFaults({ hang: true });
    const stop = new AbortController();
    const many = Array.from({ length: 40 }, (_, index) =>
      application(`c${index}`),
    );
    const source = sourceOf({ batchSize: 1, concurrency: 3 });
    const round = collect(source, many, stop.signal);
    await waitFor(() => endpoint.hungRequests === 3);
    stop.abort();
    await expect(round).rejects.toThrow();
    expect(endpoint.hungRequests).toBe(3);
  });
});

function clustersOf(input: SearchEndpoint['batches'][number][number]) {
  return input.filters?.find(({ property }) => property === 'cluster')?.values;
}

function byClusters(
  [a]: SearchEndpoint['batches'][number],
  [b]: SearchEndpoint['batches'][number],
): number {
  return String(clustersOf(a)) < String(clustersOf(b)) ? -1 : 1;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
