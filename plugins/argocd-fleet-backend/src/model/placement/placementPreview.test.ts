import {
  CLUSTER_SET_LABEL,
  type ManagedCluster,
  type ManagedClusterSet,
  type PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import {
  boundSet,
  clusterSet,
  managedCluster,
} from '../../__testUtils__/objects';
import { placementManifest } from './placementManifest';
import { placementOptions, type PlacementInputs } from './placementOptions';
import { previewPlacement } from './placementPreview';

const UNAVAILABLE = 'cluster.open-cluster-management.io/unavailable';

function cluster(
  name: string,
  set: string,
  labels: Record<string, string> = {},
  rest: {
    readonly taints?: NonNullable<ManagedCluster['spec']>['taints'];
    readonly deletionTimestamp?: string;
    readonly claims?: NonNullable<ManagedCluster['status']>['clusterClaims'];
  } = {},
): ManagedCluster {
  const made = managedCluster(name, { [CLUSTER_SET_LABEL]: set, ...labels });
  const { taints, deletionTimestamp, claims } = rest;
  return {
    ...made,
    metadata: { ...made.metadata, deletionTimestamp },
    spec: { ...made.spec, taints },
    status: { clusterClaims: claims },
  };
}

function setBySelector(
  name: string,
  labelSelector: object | undefined,
): ManagedClusterSet {
  return {
    ...clusterSet(name),
    spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector } },
  };
}

const INPUTS: PlacementInputs = {
  clusters: [
    cluster('c2', 'cloud', { region: 'eu' }),
    cluster('c1', 'cloud', { region: 'us' }),
    cluster(
      'down',
      'cloud',
      { region: 'eu' },
      {
        taints: [{ key: UNAVAILABLE, effect: 'NoSelect' }],
      },
    ),
    cluster(
      'tainted',
      'cloud',
      { region: 'eu' },
      {
        taints: [{ key: 'maintenance', effect: 'NoSelectIfNew' }],
      },
    ),
    cluster(
      'disliked',
      'cloud',
      { region: 'eu' },
      {
        taints: [{ key: 'slow', effect: 'PreferNoSelect' }],
      },
    ),
    cluster(
      'leaving',
      'cloud',
      { region: 'eu' },
      {
        deletionTimestamp: '2026-01-01T00:00:00Z',
      },
    ),
    cluster('e1', 'edge', { region: 'eu' }),
    cluster('alone', 'none'),
  ],
  clusterSets: [
    clusterSet('edge'),
    clusterSet('cloud'),
    clusterSet('unbound'),
    setBySelector('europe', {
      matchExpressions: [{ key: 'region', operator: 'In', values: ['eu'] }],
    }),
  ],
  bindings: [
    boundSet('cloud', 'apps'),
    boundSet('edge', 'apps'),
    boundSet('gone', 'apps'),
    boundSet('europe', 'shops'),
    boundSet('gone', 'nowhere'),
  ],
};

function preview(namespace: string, selection: PlacementSelection) {
  return previewPlacement(
    placementManifest({ namespace, name: 'p' }, selection),
    INPUTS,
  );
}

describe('the preview of a Placement', () => {
  it('selects from every bound set, without clusters that are deleted or have a taint that is not tolerated', () => {
    expect(preview('apps', {})).toEqual({
      clusterSets: ['cloud', 'edge'],
      unboundSets: [],
      clusters: ['c1', 'c2', 'disliked', 'down', 'e1'],
      longestName: 'disliked'.length,
      matching: 5,
      selected: 5,
      tainted: 1,
      notSelected: [
        { cluster: 'tainted', reason: 'taint', actual: 'maintenance' },
        { cluster: 'alone', reason: 'clusterSet' },
        { cluster: 'leaving', reason: 'deleting' },
      ],
      notSelectedCount: 3,
    });
  });

  it('says of each other cluster why it is not selected, those that almost are first', () => {
    const { notSelected } = preview('apps', {
      clusterSets: ['cloud'],
      matchLabels: { region: 'us', site: 'x' },
    });
    const region = { reason: 'label', wanted: 'region=us', actual: 'eu' };
    expect(notSelected).toEqual([
      { cluster: 'c1', reason: 'label', wanted: 'site=x' },
      ...['c2', 'disliked', 'down', 'tainted'].map(name => ({
        cluster: name,
        ...region,
      })),
      { cluster: 'alone', reason: 'clusterSet' },
      { cluster: 'e1', reason: 'clusterSet', actual: 'edge, europe' },
      { cluster: 'leaving', reason: 'deleting' },
    ]);
  });

  it('selects by claims, and clusters with taints that are tolerated', () => {
    const taint = { key: 'dedicated', value: 'search', effect: 'NoSelect' };
    const platform = (value: string) => ({
      claims: [{ name: 'platform', value }],
    });
    const clusters = [
      cluster('aws', 'cloud', {}, platform('AWS')),
      cluster('gcp', 'cloud', {}, platform('GCP')),
      cluster('none', 'cloud'),
      cluster('search', 'cloud', {}, { ...platform('AWS'), taints: [taint] }),
    ];
    const select = (selection: PlacementSelection) =>
      previewPlacement(
        placementManifest({ namespace: 'apps', name: 'p' }, selection),
        { ...INPUTS, clusters },
      );
    const onAws = { matchClaims: { platform: 'AWS' } };
    expect(select(onAws)).toMatchObject({
      clusters: ['aws'],
      tainted: 1,
      notSelected: [
        { cluster: 'search', reason: 'taint', actual: 'dedicated' },
        {
          ...{ cluster: 'gcp', reason: 'claim' },
          ...{ wanted: 'platform=AWS', actual: 'GCP' },
        },
        { cluster: 'none', reason: 'claim', wanted: 'platform=AWS' },
      ],
    });
    const tolerating = (...tolerations: string[]) =>
      select({ ...onAws, tolerations }).clusters;
    expect(tolerating('dedicated')).toEqual(['aws', 'search']);
    expect(tolerating('dedicated=search')).toEqual(['aws', 'search']);
    expect(tolerating('dedicated=other', 'other')).toEqual(['aws']);
  });

  it('names some of many, and counts them all', () => {
    const clusters = Array.from({ length: 50 }, (_, index) =>
      cluster(`x${index}`, 'none'),
    );
    const many = previewPlacement(
      placementManifest({ namespace: 'apps', name: 'p' }, {}),
      { ...INPUTS, clusters },
    );
    expect(many.notSelected).toHaveLength(20);
    expect(many.notSelectedCount).toBe(50);
  });

  it('needs every label', () => {
    expect(preview('apps', { matchLabels: { region: 'eu' } }).clusters).toEqual(
      ['c2', 'disliked', 'down', 'e1'],
    );
    expect(
      preview('apps', { matchLabels: { region: 'eu', site: 'x' } }).clusters,
    ).toEqual([]);
  });

  it('names requested sets that are not bound, or do not exist', () => {
    expect(
      preview('apps', { clusterSets: ['unbound', 'gone', 'edge'] }),
    ).toMatchObject({
      clusterSets: ['edge'],
      unboundSets: ['gone', 'unbound'],
      clusters: ['e1'],
    });
  });

  it('selects nothing in a namespace without bindings', () => {
    expect(preview('elsewhere', {})).toMatchObject({
      clusterSets: [],
      longestName: 0,
      matching: 0,
    });
  });

  it('counts what the number of clusters leaves', () => {
    expect(preview('apps', { numberOfClusters: 2 })).toMatchObject({
      matching: 5,
      selected: 2,
    });
    expect(preview('apps', { numberOfClusters: 9 }).selected).toBe(5);
  });

  it('knows sets by label selector', () => {
    expect(preview('shops', {}).clusters).toEqual([
      'c2',
      'disliked',
      'down',
      'e1',
    ]);
  });

  it.each<[string, object | undefined, string[]]>([
    ['all clusters', {}, ['eu', 'us']],
    ['none without a selector', undefined, []],
    ['labels', { matchLabels: { region: 'us' } }, ['us']],
    [
      'NotIn',
      {
        matchExpressions: [
          { key: 'region', operator: 'NotIn', values: ['us'] },
        ],
      },
      ['eu'],
    ],
    [
      'Exists',
      { matchExpressions: [{ key: 'site', operator: 'Exists' }] },
      ['eu'],
    ],
    [
      'DoesNotExist',
      { matchExpressions: [{ key: 'site', operator: 'DoesNotExist' }] },
      ['us'],
    ],
    [
      'an operator of the future',
      { matchExpressions: [{ key: 'site', operator: 'Gt', values: ['1'] }] },
      [],
    ],
  ])('matches a set of %s', (_, selector, expected) => {
    const inputs: PlacementInputs = {
      clusters: [
        managedCluster('eu', { region: 'eu', site: 's' }),
        managedCluster('us', { region: 'us' }),
      ],
      clusterSets: [setBySelector('some', selector)],
      bindings: [boundSet('some', 'apps')],
    };
    const placement = placementManifest({ namespace: 'apps', name: 'p' }, {});
    expect(previewPlacement(placement, inputs).clusters).toEqual(expected);
  });

  it('shows ten names', () => {
    const clusters = Array.from({ length: 25 }, (_, index) =>
      cluster(`c${String(index).padStart(2, '0')}`, 'cloud'),
    );
    const { clusters: names, matching } = previewPlacement(
      placementManifest({ namespace: 'apps', name: 'p' }, {}),
      { ...INPUTS, clusters },
    );
    expect({ first: names[0], shown: names.length, matching }).toEqual({
      first: 'c00',
      shown: 10,
      matching: 25,
    });
  });
});

describe('the options of a Placement', () => {
  it('are the namespaces with bindings, the sets and the labels', () => {
    const options = placementOptions('hub', INPUTS, [
      { namespace: 'shops' },
      { namespace: 'unbound' },
    ]);
    expect(options).toMatchObject({
      hub: 'hub',
      namespaces: [
        { name: 'shops', clusterSets: ['europe'], applicationSets: 1 },
        { name: 'apps', clusterSets: ['cloud', 'edge'], applicationSets: 0 },
      ],
      clusterSets: [
        { name: 'cloud', clusters: 6 },
        { name: 'edge', clusters: 1 },
        { name: 'europe', clusters: 6 },
        { name: 'unbound', clusters: 0 },
      ],
    });
    expect(options.labels).toContainEqual({
      key: 'region',
      values: [
        { value: 'eu', clusters: 6 },
        { value: 'us', clusters: 1 },
      ],
      moreValues: 0,
    });
  });

  it('have the claims that a Placement can select, and the taints that keep it away', () => {
    const taints = [
      { key: UNAVAILABLE, effect: 'NoSelect' },
      { key: 'slow', effect: 'PreferNoSelect' },
      { key: 'dedicated', value: 'search', effect: 'NoSelect' },
    ];
    const claims = [
      { name: 'platform', value: 'AWS' },
      { name: 'console', value: 'https://console.example.com' },
    ];
    const clusters = [
      cluster('a', 'cloud', {}, { claims, taints }),
      cluster('b', 'cloud', {}, { taints: taints.slice(2) }),
      cluster(
        'c',
        'cloud',
        {},
        { taints: [{ key: 'old', effect: 'NoSelect' }] },
      ),
    ];
    expect(placementOptions('hub', { ...INPUTS, clusters }, [])).toMatchObject({
      claims: [{ key: 'platform', values: [{ value: 'AWS', clusters: 1 }] }],
      taints: [
        { taint: 'dedicated=search', clusters: 2 },
        { taint: 'old', clusters: 1 },
      ],
    });
  });

  it('leave out values of a label that is different everywhere', () => {
    const clusters = Array.from({ length: 60 }, (_, index) =>
      managedCluster(`c${index}`, { id: `${index}` }),
    );
    const { labels } = placementOptions('hub', { ...INPUTS, clusters }, []);
    expect(labels).toMatchObject([{ key: 'id', moreValues: 10 }]);
    expect(labels[0].values).toHaveLength(50);
  });
});
