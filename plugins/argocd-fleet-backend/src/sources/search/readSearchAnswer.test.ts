import { readSearchAnswer } from './readSearchAnswer';
import { createSkippedItems } from './skippedItems';

const item = {
  _uid: 'c1/u1',
  cluster: 'c1',
  kind: 'Application',
  namespace: 'argocd',
  name: 'app',
  _hostingResource: 'ApplicationSet/argocd/set',
};

const service = {
  _uid: 'c1/s',
  cluster: 'c1',
  kind: 'Service',
  apiversion: 'v1',
  namespace: 'demo',
  name: 'web',
  _relatedUids: ['c1/u1'],
};

const cluster = { kind: 'Cluster', name: 'c1', _uid: 'c' };

/** As Search groups what is related. */
function answerOf(items: readonly unknown[], related: readonly unknown[]) {
  const kinds = new Map<unknown, unknown[]>();
  for (const each of related) {
    const kind = (each as { kind?: unknown } | null)?.kind;
    kinds.set(kind, [...(kinds.get(kind) ?? []), each]);
  }
  return {
    items,
    related: [...kinds].map(([kind, found]) => ({ kind, items: found })),
  };
}

function read(
  items: readonly unknown[],
  related: readonly unknown[] = [cluster],
  limit = 100,
) {
  const skipped = createSkippedItems();
  const reading = readSearchAnswer(answerOf(items, related), limit, skipped)!;
  return {
    ...reading,
    skipped: Object.fromEntries(skipped.counts),
    example: skipped.example,
  };
}

const first = (...args: Parameters<typeof read>) =>
  read(...args).applications[0];

const web = { version: 'v1', kind: 'Service', namespace: 'demo', name: 'web' };

describe('an Application of the index', () => {
  it('is read with its cluster, name and owner, without conditions', () => {
    expect(read([item], [cluster, service])).toEqual({
      applications: [
        {
          cluster: 'c1',
          name: { namespace: 'argocd', name: 'app' },
          applicationSet: { namespace: 'argocd', name: 'set' },
          conditions: [],
          resources: [web],
        },
      ],
      unreadable: [],
      withoutRelated: [],
      limitReached: false,
      skipped: {},
      example: undefined,
    });
  });

  it('differs from another one of the same set on the same cluster', () => {
    const second = { ...item, _uid: 'c1/u2', name: 'second' };
    const api = { ...service, name: 'api', _relatedUids: ['c1/u2'] };
    const { applications } = read([item, second], [service, api]);
    expect(
      applications.map(({ name, resources }) => [name.name, resources]),
    ).toEqual([
      ['app', [web]],
      ['second', [{ ...web, name: 'api' }]],
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['a text', 'app'],
    ['a list', [item]],
    ['one without uid', { ...item, _uid: undefined }],
    ['one with an empty name', { ...item, name: '' }],
    ['one whose name is a number', { ...item, name: 7 }],
    ['one whose namespace is null', { ...item, namespace: null }],
    ['one whose cluster is a list', { ...item, cluster: ['c1'] }],
    ['one without owner', { ...item, _hostingResource: undefined }],
    [
      'one whose owner is truncated',
      { ...item, _hostingResource: 'ApplicationSet' },
    ],
    [
      'one whose owner is half a name',
      { ...item, _hostingResource: 'ApplicationSet/argocd/' },
    ],
    [
      'one whose owner is no ApplicationSet',
      { ...item, _hostingResource: 'Subscription/argocd/set' },
    ],
    [
      'one whose owner has too many parts',
      { ...item, _hostingResource: 'ApplicationSet/a/b/c' },
    ],
    ['one whose owner is a number', { ...item, _hostingResource: 1 }],
  ])('is left out alone and counted where it is %s', (_, broken) => {
    const { applications, unreadable, skipped, example } = read([broken, item]);
    expect(applications).toHaveLength(1);
    expect(unreadable).toHaveLength(1);
    expect(skipped).toEqual({ application: 1 });
    expect(example).toContain('application: ');
  });

  it('is reported with its cluster when it is skipped, if it names one', () => {
    const broken = { ...item, name: 7 };
    const { unreadable } = read([
      broken,
      { ...broken, cluster: 'c2' },
      { ...broken, cluster: '' },
      { ...broken, cluster: ['c1'] },
      null,
    ]);
    expect(unreadable).toEqual(['c1', 'c2', undefined, undefined, undefined]);
  });
});

describe('its errors', () => {
  const conditions = (fields: object) =>
    first([{ ...item, ...fields }]).conditions;

  it.each<[string, object, [string, string][]]>([
    [
      'are those that end in Error',
      { _conditionSyncError: 'no' },
      [['SyncError', 'no']],
    ],
    [
      'and in Warning, behind them',
      {
        _conditionOrphanedResourceWarning: 'orphan',
        _conditionSyncError: 'no',
        _conditionComparisonError: 'nor that',
      },
      [
        ['ComparisonError', 'nor that'],
        ['SyncError', 'no'],
        ['OrphanedResourceWarning', 'orphan'],
      ],
    ],
    ['are no other conditions', { _conditionReady: 'yes' }, []],
    ['are no other fields', { SyncError: 'x', conditionSyncError: 'y' }, []],
    ['are not what is empty', { _conditionSyncError: '' }, []],
    ['are not null', { _conditionSyncError: null }, []],
    [
      'have that of the operation',
      { _conditionOperationError: 'hook failed' },
      [['OperationError', 'hook failed']],
    ],
    [
      'have it not twice',
      {
        _conditionSyncError:
          'Failed sync attempt to 1a2b: one or more objects failed to apply (retried 5 times).',
        _conditionOperationError: 'one or more objects failed to apply',
      },
      [
        [
          'SyncError',
          'Failed sync attempt to 1a2b: one or more objects failed to apply (retried 5 times).',
        ],
      ],
    ],
    [
      'have it beside another reason',
      { _conditionSyncError: 'no', _conditionOperationError: 'other' },
      [
        ['SyncError', 'no'],
        ['OperationError', 'other'],
      ],
    ],
    [
      'have it only once where both are truncated',
      {
        _conditionSyncError: `Failed: ${'x'.repeat(504)}...`,
        _conditionOperationError: `${'x'.repeat(512)}...`,
      },
      [['SyncError', `Failed: ${'x'.repeat(504)}...`]],
    ],
  ])('%s', (_, fields, expected) => {
    expect(
      conditions(fields).map(({ type, message }) => [type, message]),
    ).toEqual(expected);
  });

  it.each<[string, string, boolean | undefined]>([
    ['512 characters and the mark', `${'a'.repeat(512)}...`, true],
    ['512 characters of four bytes each', `${'👍'.repeat(512)}...`, true],
    ['512 characters of their own', 'a'.repeat(512), undefined],
    ['a sentence that ends in dots', 'and so on...', undefined],
    ['515 characters without the mark', 'a'.repeat(515), undefined],
  ])('show whether they were truncated: %s', (_, message, truncated) => {
    expect(conditions({ _conditionSyncError: message })).toEqual([
      { type: 'SyncError', message, ...(truncated && { truncated }) },
    ]);
  });

  it.each([7, true, ['a'], { a: 1 }])(
    'are counted where they are no text: %j',
    message => {
      const { applications, skipped } = read([
        { ...item, _conditionSyncError: message, _conditionXError: 'x' },
      ]);
      expect(applications[0].conditions).toEqual([
        { type: 'XError', message: 'x' },
      ]);
      expect(skipped).toEqual({ condition: 1 });
    },
  );
});

describe('its resources', () => {
  it('are those that refer to it, with any number of parents', () => {
    const shared = { ...service, _relatedUids: ['x', 'c1/u2', 'c1/u1'] };
    const { applications } = read(
      [item, { ...item, _uid: 'c1/u2', name: 'b' }],
      [shared],
    );
    expect(applications.map(({ resources }) => resources)).toEqual([
      [web],
      [web],
    ]);
  });

  it.each<[string, object]>([
    ['ApplicationSets', { kind: 'ApplicationSet' }],
    ['Applications', { kind: 'Application' }],
    ['EndpointSlices', { kind: 'EndpointSlice' }],
    ['Pods', { kind: 'Pod' }],
    ['ReplicaSets', { kind: 'ReplicaSet' }],
    ['Clusters', { kind: 'Cluster' }],
    ['what something else owns', { _ownerUID: 'c1/x' }],
    ['what belongs to others', { _relatedUids: ['c1/u2'] }],
    ['an item without a parent', { _relatedUids: [] }],
  ])('are not %s', (_, fields) => {
    const { applications, skipped } = read(
      [item],
      [{ ...service, ...fields }, cluster],
    );
    expect(applications[0].resources).toEqual([]);
    expect(skipped).toEqual({});
  });

  it('are sorted, without duplicates', () => {
    const resources = first(
      [item],
      [service, { ...service, name: 'api' }, service],
    ).resources;
    expect(resources?.map(({ name }) => name)).toEqual(['api', 'web']);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a number', 3],
    ['no kind', { ...service, kind: undefined }],
    ['no name', { ...service, name: undefined }],
    ['a number for a name', { ...service, name: 5 }],
    ['no parents', { ...service, _relatedUids: undefined }],
    ['a text for parents', { ...service, _relatedUids: 'c1/u1' }],
  ])('leave out what is malformed, alone: %s', (_, broken) => {
    const { applications, skipped } = read([item], [broken, service]);
    expect(applications[0].resources).toEqual([web]);
    expect(skipped).toEqual({ related: 1 });
  });

  it('ignore parents that are not strings', () => {
    const odd = { ...service, _relatedUids: [null, 7, 'c1/u1', 'c1/u1'] };
    expect(first([item], [odd]).resources).toEqual([web]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['no list', {}],
    ['empty', []],
  ])('are not known where what is related is %s', (_, related) => {
    const reading = readSearchAnswer(
      { items: [item], related },
      100,
      createSkippedItems(),
    );
    expect(reading?.applications[0]).not.toHaveProperty('resources');
  });

  it.each<[string, object, readonly string[]]>([
    ['its sync status is missing', {}, ['c1']],
    ['it is as in Git', { syncStatus: 'Synced' }, ['c1']],
    ['it differs', { syncStatus: 'OutOfSync' }, ['c1']],
    [
      'it has yet to be deployed',
      { syncStatus: 'OutOfSync', _missingResources: '[{"kind":"Service"}]' },
      [],
    ],
    ['it was never compared', { syncStatus: '' }, []],
    ['it cannot be compared', { syncStatus: 'Unknown' }, []],
  ])(
    'should be there, though nothing is related, where %s: %j',
    (_, fields, withoutRelated) => {
      expect(read([{ ...item, ...fields }], []).withoutRelated).toEqual(
        withoutRelated,
      );
      expect(read([{ ...item, ...fields }]).withoutRelated).toEqual([]);
    },
  );

  it('are unknown if they reach the limit', () => {
    const { applications, limitReached } = read([item], [service, cluster], 2);
    expect(limitReached).toBe(true);
    expect(applications[0].resources).toBeUndefined();
  });
});

describe('a missing resource', () => {
  const missing = (text: unknown) =>
    read([{ ...item, _missingResources: text }], [service]);
  const deployment = {
    group: 'apps',
    version: 'v1',
    kind: 'Deployment',
    namespace: 'demo',
    name: 'api',
  };

  it('is listed as such, with group and version', () => {
    expect(
      missing(JSON.stringify([deployment])).applications[0].resources,
    ).toEqual([{ ...deployment, health: 'Missing' }, web]);
  });

  it('may be of the core group, or cluster-scoped', () => {
    const namespace = { version: 'v1', kind: 'Namespace', name: 'demo' };
    expect(
      missing(JSON.stringify([{ ...namespace, group: '', namespace: '' }]))
        .applications[0].resources?.[0],
    ).toEqual({ ...namespace, health: 'Missing' });
  });

  it('counts as present if it is also in the index', () => {
    expect(missing(JSON.stringify([web])).applications[0].resources).toEqual([
      web,
    ]);
  });

  it.each<[string, unknown, object | undefined]>([
    ['no text', undefined, undefined],
    ['null', null, undefined],
    ['an empty text', '', undefined],
    ['an empty list', '[]', undefined],
    ['one without kind', '[{"name":"a"}]', { missing: 1 }],
    ['one whose name is a number', '[{"kind":"A","name":1}]', { missing: 1 }],
    ['null in the list', '[null]', { missing: 1 }],
  ])('is nothing: %s', (_, text, skipped) => {
    const reading = missing(text);
    expect(reading.applications[0].resources).toEqual([web]);
    expect(reading.skipped).toEqual(skipped ?? {});
  });

  it.each([['[{"kind":"Serv'], ['null'], ['{}'], [7], [true]])(
    'leaves the list unknown where it cannot be read: %j',
    text => {
      const { applications, unreadable, skipped } = missing(text);
      expect(applications[0].resources).toBeUndefined();
      expect(unreadable).toEqual([]);
      expect(skipped).toEqual({ missing: 1 });
    },
  );
});

describe('the result of a search', () => {
  it.each([undefined, null, 7, 'text', [], {}, { items: null }, { items: 7 }])(
    'is none: %j',
    result => {
      expect(
        readSearchAnswer(result, 10, createSkippedItems()),
      ).toBeUndefined();
    },
  );

  it('shows whether its Applications reached the limit', () => {
    expect(read([item], [], 2).limitReached).toBe(false);
    expect(read([item, item], [], 2).limitReached).toBe(true);
  });

  it('skips malformed groups', () => {
    const skipped = createSkippedItems();
    const reading = readSearchAnswer(
      {
        items: [item],
        related: [
          null,
          { kind: 'A', items: null },
          answerOf([], [service]).related[0],
        ],
      },
      100,
      skipped,
    );
    expect(reading?.applications[0].resources).toEqual([web]);
    expect(skipped.counts.get('related')).toBe(2);
  });

  it('of 10,000 related items is read in one pass', () => {
    const applications = Array.from({ length: 500 }, (_, index) => ({
      ...item,
      _uid: `c1/u${index}`,
      name: `app-${index}`,
    }));
    let reads = 0;
    const related = Array.from({ length: 10_000 }, (_, index) => ({
      ...service,
      name: `web-${index}`,
      get _relatedUids() {
        reads += 1;
        return [`c1/u${index % 500}`, `c1/u${(index + 1) % 500}`];
      },
    }));
    const answer = {
      items: applications,
      related: [{ kind: 'Service', items: related }],
    };
    const reading = readSearchAnswer(answer, 20_000, createSkippedItems())!;
    expect(reads).toBe(10_000);
    expect(reading.applications).toHaveLength(500);
    expect(
      reading.applications.every(({ resources }) => resources?.length === 40),
    ).toBe(true);
  });
});
