import {
  argocdFleetApplicationSetUpdatePermission,
  CLUSTER_SET_LABEL,
  type ApplicationSetRows,
  type ClusterApplication,
  type Placement,
  type PlacementSelection,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  boundSet,
  clusterSet,
  managedCluster,
  pullApplicationSet,
} from '../__testUtils__/objects';
import type { FleetCache } from '../fleet';
import { placementManifest } from '../model/placement';
import { ownAccess, TEAM, TEAM_WRITES } from './__testUtils__/ownAccess';
import type { ApiHub } from './apiHub';
import { placementChange, placementInUse } from './placementChange';
import { proposePlacement } from './placementProposal';
import type { Visibility } from './visibility';
import type { OwnAccess } from './writeAccess';

const REPOSITORY = 'https://git.example.com/retail';
const REF = { hub: 'hub', namespace: 'argocd', name: 'shop' };

function generator(placement: string) {
  return {
    clusterDecisionResource: {
      labelSelector: {
        matchLabels: {
          'cluster.open-cluster-management.io/placement': placement,
        },
      },
    },
  };
}

function placementOf(
  selection: PlacementSelection,
  change: { spec?: object; metadata?: object } = {},
): Placement {
  const made = placementManifest(
    { namespace: 'argocd', name: 'shop' },
    { ...selection, owner: TEAM },
  );
  return {
    ...made,
    metadata: { ...made.metadata, ...change.metadata },
    spec: { ...made.spec, ...change.spec },
  };
}

/** A hub with three clusters in Europe and two in Asia, of the set `shops`, and one of the set `offices`. */
function hubWith(
  options: {
    placement?: Placement;
    generators?: readonly object[];
    more?: readonly string[];
    repoURL?: string;
  } = {},
) {
  const cache: FleetCache = { ...emptyCache(), unsyncedReasons: () => [] };
  for (const set of ['shops', 'offices']) {
    cache.applyWriteResult('clusterSets', clusterSet(set) as never);
  }
  cache.applyWriteResult(
    'clusterSetBindings',
    boundSet('shops', 'argocd') as never,
  );
  for (const [name, set, region] of [
    ['eu1', 'shops', 'eu'],
    ['eu2', 'shops', 'eu'],
    ['eu3', 'shops', 'eu'],
    ['as1', 'shops', 'as'],
    ['as2', 'shops', 'as'],
    ['office', 'offices', 'eu'],
  ]) {
    cache.applyWriteResult(
      'clusters',
      managedCluster(name, { [CLUSTER_SET_LABEL]: set, region }) as never,
    );
  }
  const { generators = [generator('shop')], more = [], placement } = options;
  const { repoURL = `${REPOSITORY}/shop.git` } = options;
  for (const name of ['shop', ...more]) {
    const made = pullApplicationSet(name);
    cache.applyWriteResult('applicationSets', {
      ...made,
      metadata: {
        ...made.metadata,
        annotations: { 'argocd-fleet/component-owner': TEAM },
      },
      spec: { generators, template: { spec: { source: { repoURL } } } },
    } as never);
  }
  if (placement) {
    cache.applyWriteResult('placements', placement);
  }
  // The API server stores what is written, and sets its defaults again.
  const withDefaults = (object: Placement) => ({
    ...object,
    spec: { ...object.spec, sortBy: 'ClusterName' },
  });
  const client = {
    get: async () => withDefaults(placement!),
    patch: async (_: unknown, __: unknown, { spec }: { spec: object }) => {
      const written = Object.entries({ ...placement!.spec, ...spec });
      return withDefaults({
        ...placement!,
        spec: Object.fromEntries(written.filter(([, each]) => each !== null)),
      });
    },
  } as unknown as ApiHub['client'];
  return { name: 'hub', cache, client, writes: TEAM_WRITES } as ApiHub;
}

/** As a repository has it that the hub's Argo CD applies. */
const IN_GIT = {
  metadata: {
    labels: {},
    annotations: {
      'argocd-fleet/component-owner': TEAM,
      'argocd.argoproj.io/tracking-id': 'apps:x',
    },
  },
};

const EUROPE: PlacementSelection = {
  clusterSets: ['shops'],
  matchLabels: { region: 'eu' },
};

describe('the Placement of an ApplicationSet', () => {
  it.each<[string, PlacementSelection]>([
    ['sets and labels', EUROPE],
    ['a number', { numberOfClusters: 2 }],
    [
      'claims and tolerations',
      { matchClaims: { platform: 'AWS' }, tolerations: ['gpu', 'for=search'] },
    ],
    ['everything', {}],
  ])('is read back as it was asked for: %s', async (_, selection) => {
    expect(
      await placementInUse(hubWith({ placement: placementOf(selection) }), REF),
    ).toEqual({
      placement: REF,
      selection: { ...selection, owner: TEAM },
    });
  });

  it.each<[string, object[], boolean]>([
    ['labels of its clusters', [{ clusters: {} }], true],
    ['a list', [{ list: {} }], false],
    ['what nobody can read', [null as never], false],
  ])(
    'is read through a matrix with %s only where that adds no clusters',
    async (_, others, isFree) => {
      const generators = [
        { matrix: { generators: [generator('shop'), ...others] } },
      ];
      const { fixed } = await placementInUse(
        hubWith({ placement: placementOf({}), generators }),
        REF,
      );
      expect(fixed === undefined).toBe(isFree);
    },
  );

  it.each<[string, Parameters<typeof hubWith>[0], RegExp]>([
    [
      'of two Placements',
      { generators: [generator('a'), generator('b')] },
      /one Placement alone/,
    ],
    ['of none', { generators: [{ list: {} }] }, /one Placement alone/],
    ['of one that is gone', {}, /Placement shop does not exist/],
    [
      'of one that the portal did not make',
      { placement: placementOf({}, { metadata: { labels: {} } }) },
      /was not made by the portal/,
    ],
    [
      'of one that is kept in Git',
      {
        placement: placementOf(
          {},
          {
            metadata: {
              annotations: { 'argocd.argoproj.io/tracking-id': 'apps:x' },
            },
          },
        ),
      },
      /kept in Git by an Argo CD Application/,
    ],
    [
      'of one with a toleration of its own',
      {
        placement: placementOf(
          {},
          { spec: { tolerations: [{ key: 'gpu', operator: 'Exists' }] } },
        ),
      },
      /says more than the portal writes/,
    ],
    [
      'of one that excludes a claim',
      {
        placement: placementOf(
          {},
          {
            spec: {
              predicates: [
                {
                  requiredClusterSelector: {
                    claimSelector: {
                      matchExpressions: [
                        { key: 'platform', operator: 'NotIn', values: ['AWS'] },
                      ],
                    },
                  },
                },
              ],
            },
          },
        ),
      },
      /says more than the portal writes/,
    ],
    [
      'of one that has spread constraints',
      { placement: placementOf({}, { spec: { spreadPolicy: {} } }) },
      /says more than the portal writes/,
    ],
    [
      'of one that another ApplicationSet uses',
      { placement: placementOf({}), more: ['other'] },
      /is used by other ApplicationSets too/,
    ],
  ])('cannot be changed for one %s', async (_, options, reason) => {
    expect((await placementInUse(hubWith(options), REF)).fixed).toMatch(reason);
  });

  it('can be changed by a pull request where a repository alone keeps it', async () => {
    const kept = placementOf(EUROPE, IN_GIT);
    expect(await placementInUse(hubWith({ placement: kept }), REF)).toEqual({
      placement: REF,
      selection: { ...EUROPE, owner: TEAM },
      keptInGit: true,
    });
    const shared = hubWith({ placement: kept, more: ['other'] });
    expect((await placementInUse(shared, REF)).fixed).toMatch(/is used by/);
  });

  it('cannot be changed where the configuration lets the portal write nothing', async () => {
    const hub = {
      ...hubWith({ placement: placementOf({}) }),
      writes: { ...TEAM_WRITES, refusal: 'The portal may write nothing' },
    };
    expect((await placementInUse(hub, REF)).fixed).toBe(
      'The portal may write nothing',
    );
  });
});

describe('another selection', () => {
  const everything = {
    allClusters: true,
    cluster: () => true,
  } as unknown as Visibility;
  const on = (...clusters: string[]) =>
    ({
      ref: REF,
      applications: clusters.map(name => ({
        cluster: { name },
        application: { namespace: 'argocd', name: `${name}-shop` },
      })),
    }) as unknown as ApplicationSetRows;
  const asked: string[] = [];
  const change = (
    set: ApplicationSetRows,
    selection: PlacementSelection,
    visibility = everything,
  ) => {
    asked.length = 0;
    return placementChange(
      hubWith(),
      set,
      selection,
      visibility,
      ({ cluster }) => {
        asked.push(cluster.name);
        return {
          resources: [
            { kind: 'Deployment', name: 'web' },
            { kind: 'Service', name: 'web' },
          ],
          resourcesOmitted: 3,
        } as ClusterApplication;
      },
    );
  };

  it('names the clusters that come and go, and what runs on those', () => {
    expect(change(on('eu1', 'as1', 'as2'), EUROPE)).toMatchObject({
      joining: { count: 2, names: ['eu2', 'eu3'] },
      leaving: { count: 2, names: ['as1', 'as2'] },
      resources: { count: 5, names: ['Deployment web', 'Service web'] },
      preview: { matching: 3, clusters: ['eu1', 'eu2', 'eu3'] },
    });
    expect(asked).toEqual(['as1']);
  });

  it('asks for nothing that runs where no cluster goes', () => {
    expect(change(on('eu1'), EUROPE)).toMatchObject({
      joining: { count: 2 },
      leaving: { count: 0, names: [] },
      resources: { count: 0, names: [] },
    });
    expect(asked).toEqual([]);
  });

  it('counts those that the hub chooses, and keeps what it has', () => {
    expect(
      change(on('eu1', 'eu2', 'as1'), { ...EUROPE, numberOfClusters: 1 }),
    ).toMatchObject({
      joining: { count: 0, names: [] },
      leaving: { count: 2, names: ['as1'] },
    });
    expect(change(on('eu1'), { ...EUROPE, numberOfClusters: 2 })).toMatchObject(
      {
        joining: { count: 1, names: [] },
        leaving: { count: 0, names: [] },
      },
    );
  });

  it('lets an ApplicationSet stay where it is on clusters that the caller does not see, and names no others of them', () => {
    const visibility = {
      allClusters: false,
      cluster: (_: string, name: string) => name === 'eu1',
    } as unknown as Visibility;
    expect(change(on('eu2'), EUROPE, visibility)).toMatchObject({
      joining: { count: 1, names: ['eu1'] },
      leaving: { count: 0, names: [] },
      preview: { clusters: ['eu1', 'eu2'] },
    });
  });

  it('is refused where the configuration does not let the portal write there', () => {
    const set = { ...on('eu1'), ref: { ...REF, namespace: 'other' } };
    expect(() => change(set, EUROPE)).toThrow(
      /may not write in the namespace other/,
    );
  });
});

describe('a proposal', () => {
  const access = (more?: Parameters<typeof ownAccess>[1]) =>
    ownAccess(argocdFleetApplicationSetUpdatePermission, more);
  const kept = () => hubWith({ placement: placementOf({}, IN_GIT) });

  it('has what the portal would write, and where it belongs', async () => {
    const grants = [
      { ...TEAM_WRITES.grants[0], clusterLabels: { tenant: 'retail' } },
    ];
    const hub = { ...kept(), writes: { ...TEAM_WRITES, grants } };
    expect(await proposePlacement(hub, REF, EUROPE, access())).toEqual({
      placement: REF,
      repoURL: `${REPOSITORY}/shop.git`,
      spec: placementManifest(REF, {
        ...EUROPE,
        matchLabels: { ...EUROPE.matchLabels, tenant: 'retail' },
      }).spec,
    });
  });

  it.each<[string, ApiHub, OwnAccess, RegExp]>([
    [
      'whom the policy does not allow it',
      kept(),
      access({ allows: false }),
      /may not be changed by you/,
    ],
    [
      'of another team',
      kept(),
      access({ groups: ['group:default/other'] }),
      /belongs to group:default\/retail, which is neither you/,
    ],
    [
      'in a repository without a grant',
      hubWith({
        placement: placementOf({}, IN_GIT),
        repoURL: 'https://git.example.com/other/shop.git',
      }),
      access(),
      /deploys from .*other\/shop.git, which the portal may not change/,
    ],
    [
      'without a repository',
      hubWith({ placement: placementOf({}, IN_GIT), repoURL: '' }),
      access(),
      /has no single repository/,
    ],
    [
      'where the configuration lets the portal write nothing',
      { ...kept(), writes: { ...TEAM_WRITES, grants: [] } },
      access(),
      /may not write in the namespace argocd/,
    ],
    [
      'of what the portal keeps',
      hubWith({ placement: placementOf({}) }),
      access(),
      /is the portal's, and not kept in Git/,
    ],
    [
      'of what others use',
      hubWith({ placement: placementOf({}, IN_GIT), more: ['other'] }),
      access(),
      /used by other ApplicationSets too/,
    ],
  ])('is refused to who asks %s', async (_, hub, who, reason) => {
    await expect(proposePlacement(hub, REF, EUROPE, who)).rejects.toThrow(
      reason,
    );
  });

  it('is refused for clusters that are not allowed', async () => {
    const grants = [{ ...TEAM_WRITES.grants[0], clusterSets: ['offices'] }];
    const hub = { ...kept(), writes: { ...TEAM_WRITES, grants } };
    await expect(proposePlacement(hub, REF, EUROPE, access())).rejects.toThrow(
      /the cluster set shops is not allowed/,
    );
  });
});
