import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { DEFAULT_PROPAGATION } from '../model/manifestwork/workPlan';
import { readFleetConfig } from './fleetConfig';

function read(argocdFleet?: JsonObject) {
  return readFleetConfig(new ConfigReader(argocdFleet ? { argocdFleet } : {}));
}

const hub = { name: 'hub', kubeconfig: { path: '/etc/hub' } };

/** The hubs of a configuration, of which only the first has keys of its own. */
function readHubs(argocdFleet: JsonObject = {}, own: JsonObject = {}) {
  return read({
    ...argocdFleet,
    hubs: [
      { ...hub, ...own },
      { ...hub, name: 'other' },
    ],
  }).hubs;
}

describe('configuration', () => {
  it('has a default for every key', () => {
    const config = read();
    expect(config.hubs).toEqual([]);
    expect(readHubs()[0].propagation).toEqual(DEFAULT_PROPAGATION);
    expect(config.controllers.resourceSync.concurrency).toBe(200);
    expect(config.keepHistoryMs).toBe(90 * 24 * 3_600_000);
    expect(config.controllers.aggregation).toEqual({
      mode: 'manage',
      schedule: {
        frequency: { seconds: 1 },
        timeout: { seconds: 60 },
        scope: 'global',
      },
      timing: { fullPassEveryMs: undefined, runWindowMs: 50_000 },
      concurrency: 10,
    });
  });

  it('reads hubs, modes and durations', () => {
    const config = read({
      hubs: [hub, { name: 'other', inCluster: true }],
      controllers: {
        propagation: {
          mode: 'observe',
          fullPassEvery: '30s',
          runWindow: { minutes: 2 },
          schedule: { frequency: { seconds: 5 }, timeout: { minutes: 3 } },
        },
      },
    });
    expect(config.hubs).toMatchObject([
      {
        name: 'hub',
        access: { kubeconfig: { path: '/etc/hub' } },
        addresses: [],
        modes: {},
        rhacmNamespace: 'open-cluster-management',
        writes: { key: 'argocdFleet.hubs[0].writes', grants: [] },
      },
      {
        name: 'other',
        access: { inCluster: true },
        addresses: [],
        modes: {},
        rhacmNamespace: 'open-cluster-management',
        writes: { key: 'argocdFleet.hubs[1].writes', grants: [] },
      },
    ]);
    expect(config.controllers.propagation).toMatchObject({
      mode: 'observe',
      timing: { fullPassEveryMs: 30_000, runWindowMs: 120_000 },
    });
  });

  it('lets only Argo CD’s own namespace define components, or those that are listed', () => {
    const componentsOf = (argocdFleet?: JsonObject, own?: JsonObject) =>
      readHubs(argocdFleet, own).map(({ components }) => components);
    const onlyOwn = (namespace: string) => ({
      namespaces: new Set([namespace]),
      keepsExisting: true,
    });
    const listed = { namespaces: new Set(['team-a']), keepsExisting: false };
    expect(componentsOf()).toEqual(Array(2).fill(onlyOwn('openshift-gitops')));
    expect(
      componentsOf({ propagation: { argocdNamespace: 'argocd' } }),
    ).toEqual(Array(2).fill(onlyOwn('argocd')));
    expect(componentsOf({ components: { namespaces: ['team-a'] } })).toEqual(
      Array(2).fill(listed),
    );
    expect(
      componentsOf({}, { propagation: { argocdNamespace: 'argocd' } }),
    ).toEqual([onlyOwn('argocd'), onlyOwn('openshift-gitops')]);
    expect(
      componentsOf(
        { components: { namespaces: ['team-b'] } },
        { components: { namespaces: ['team-a'] } },
      ),
    ).toEqual([
      listed,
      { namespaces: new Set(['team-b']), keepsExisting: false },
    ]);
    expect(() => read({ components: { namespaces: ['a/b'] } })).toThrow(
      'argocdFleet.components.namespaces[0]: must be the name of a namespace',
    );
  });

  it('reads what links entities, and what those of the hub say', () => {
    const { links, catalog, hubs } = read({
      links: { repository: 'any', relation: false },
      catalog: {
        clusters: {
          owner: 'label:team',
          tags: ['label:region', 'annotation:example.com/tier'],
          kubernetesAuthProvider: 'oidc',
        },
      },
      hubs: [
        {
          name: 'hub',
          inCluster: true,
          argocdInstances: ['main'],
          argocdUrl: 'https://argocd.example',
        },
      ],
    });
    expect(links).toEqual({
      relation: false,
      argocdAnnotations: true,
      repository: 'any',
    });
    expect(catalog).toEqual({
      clusters: {
        owner: { from: 'labels', key: 'team' },
        tags: [
          { from: 'labels', key: 'region' },
          { from: 'annotations', key: 'example.com/tier' },
        ],
        kubernetesAuthProvider: 'oidc',
      },
      applicationSets: { tags: [] },
    });
    expect(hubs).toMatchObject([
      { argocdInstances: ['main'], argocdUrl: 'https://argocd.example' },
    ]);
  });

  it.each<[JsonObject, RegExp]>([
    [{ links: { repository: true } }, /argocdFleet\.links\.repository/],
    [{ links: { name: true } }, /argocdFleet\.links/],
    [
      { catalog: { clusters: { owner: 'team' } } },
      /argocdFleet\.catalog\.clusters\.owner: must be label:<key> or annotation:<key>/,
    ],
    [
      { catalog: { clusters: { kubernetesAuthProvider: 'serviceAccount' } } },
      /kubernetesAuthProvider: must not be serviceAccount/,
    ],
    [
      { hubs: [{ name: 'hub', inCluster: true, argocdUrl: 'argocd.example' }] },
      /argocdFleet\.hubs\[0\]\.argocdUrl/,
    ],
  ])('refuses %j', (argocdFleet, message) => {
    expect(() => read(argocdFleet)).toThrow(message);
  });

  it('reads how long history is kept', () => {
    const { keepHistoryMs } = read({ history: { keep: { weeks: 2 } } });
    expect(keepHistoryMs).toBe(14 * 24 * 3_600_000);
  });

  it('reads which namespaces of clusters a hub namespace may use', () => {
    const [own, other] = readHubs(
      {
        propagation: {
          appNamespaces: { constructor: ['argocd'], closed: [] },
          watch: false,
        },
      },
      { propagation: { appNamespaces: { 'team-a': ['shop'] } } },
    ).map(({ propagation }) => propagation);
    expect(other.appNamespaces).toEqual(
      new Map([
        ['constructor', ['argocd']],
        ['closed', []],
      ]),
    );
    expect(own).toEqual({
      ...other,
      appNamespaces: new Map([['team-a', ['shop']]]),
    });
  });

  it('reads which GitOpsClusters may import, of one hub or of all', () => {
    const accounts = { argocd: ['fleet'] };
    const [own, other] = readHubs(
      {
        clusterImport: {
          argocdNamespaces: { argocd: ['*'] },
          managedServiceAccounts: accounts,
        },
      },
      { clusterImport: { argocdNamespaces: { gitops: ['team-a'] } } },
    ).map(({ clusterImport }) => clusterImport);
    expect(own).toEqual({
      argocdNamespaces: { gitops: ['team-a'] },
      managedServiceAccounts: accounts,
    });
    expect(other.argocdNamespaces).toEqual({ argocd: ['*'] });
  });

  it('lets a hub’s own Argo CD namespace be written to there, and on no other hub', () => {
    const writes = [
      {
        namespaces: ['kube-gitops'],
        projects: ['*'],
        repositories: ['https://example.com/a'],
        destinationNamespaces: ['*'],
        clusterSets: ['*'],
      },
    ];
    const propagation = { argocdNamespace: 'kube-gitops' };
    const [{ propagation: own }] = readHubs({}, { writes, propagation });
    expect(own.argocdNamespace).toBe('kube-gitops');
    expect(() => readHubs({}, { writes })).toThrow(
      /hubs\[0\]\.writes\[0\]\.namespaces\[0\]: kube-gitops is never allowed/,
    );
  });

  it('rejects what is no namespace there, by its key', () => {
    const appNamespaces = { Team_A: ['argocd'], 'team-b': ['argocd', '*'] };
    for (const argocdFleet of [
      { propagation: { appNamespaces } },
      { hubs: [{ ...hub, propagation: { appNamespaces } }] },
    ]) {
      expect(() => read(argocdFleet)).toThrow(
        /propagation\.appNamespaces\.team-b\[1\]: must be the name of a namespace[^]*propagation\.appNamespaces\.Team_A: the key must be the name of a namespace of the hub/,
      );
    }
  });

  it('ignores keys of other plugins of the suite', () => {
    expect(() => read({ scaffolder: { anything: true } })).not.toThrow();
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'history that is kept for 0 s',
      { history: { keep: '0s' } },
      /argocdFleet\.history\.keep: must be a positive duration/,
    ],
    [
      'a concurrency above the maximum',
      { controllers: { resourceSync: { concurrency: 1001 } } },
      /argocdFleet\.controllers\.resourceSync\.concurrency: .*1000/,
    ],
    [
      'a mode that does not exist',
      { controllers: { propagation: { mode: 'on' } } },
      /argocdFleet\.controllers\.propagation\.mode: .*"manage".*"observe".*"off"/,
    ],
    [
      'a controller that does not exist',
      { controllers: { propagate: {} } },
      /argocdFleet\.controllers: .*"propagate"/,
    ],
    [
      'a hub without a connection',
      { hubs: [{ name: 'hub' }] },
      /argocdFleet\.hubs\[0\]: must have exactly one of kubeconfig/,
    ],
    [
      'a hub whose name is not valid in a URL',
      { hubs: [{ ...hub, name: 'My Hub' }] },
      /argocdFleet\.hubs\[0\]\.name: must be lower case/,
    ],
    [
      'two hubs with the same name',
      { hubs: [hub, hub] },
      /argocdFleet\.hubs: two hubs have the same name/,
    ],
    [
      'a digest that is longer than OCM allows',
      { propagation: { digestLength: 40_000 } },
      /argocdFleet\.propagation\.digestLength: .*30000/,
    ],
    [
      'more observed objects than an agent can watch',
      { propagation: { observe: { rollouts: 51 } } },
      /argocdFleet\.propagation\.observe\.rollouts: .*50/,
    ],
    [
      'a run window that is longer than the claim',
      { controllers: { aggregation: { runWindow: '55s' } } },
      /argocdFleet\.controllers\.aggregation\.runWindow: must be at least 9 s shorter/,
    ],
    [
      'a local scope, with which every replica would write',
      {
        controllers: {
          propagation: {
            schedule: {
              frequency: '1s',
              timeout: '60s',
              scope: 'local',
            },
          },
        },
      },
      /argocdFleet\.controllers\.propagation\.schedule\.scope: must be "global"/,
    ],
  ])('refuses %s', (_, argocdFleet, message) => {
    expect(() => read(argocdFleet)).toThrow(message);
  });
});
