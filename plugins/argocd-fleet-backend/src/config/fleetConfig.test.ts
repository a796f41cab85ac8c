import { ConfigReader } from '@backstage/config';
import type { JsonObject } from '@backstage/types';
import { DEFAULT_PROPAGATION } from '../model/manifestwork/workPlan';
import { readFleetConfig } from './fleetConfig';

function read(argocdFleet?: JsonObject) {
  return readFleetConfig(new ConfigReader(argocdFleet ? { argocdFleet } : {}));
}

const hub = { name: 'hub', kubeconfig: { path: '/etc/hub' } };

describe('configuration', () => {
  it('has a default for every key', () => {
    const config = read();
    expect(config.hubs).toEqual([]);
    expect(config.propagation).toEqual(DEFAULT_PROPAGATION);
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
    expect(config.hubs).toEqual([
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
    expect(read().components).toEqual({
      namespaces: new Set(['openshift-gitops']),
      keepsExisting: true,
    });
    expect(
      read({ propagation: { argocdNamespace: 'argocd' } }).components,
    ).toEqual({ namespaces: new Set(['argocd']), keepsExisting: true });
    expect(read({ components: { namespaces: ['team-a'] } }).components).toEqual(
      { namespaces: new Set(['team-a']), keepsExisting: false },
    );
    expect(() => read({ components: { namespaces: ['a/b'] } })).toThrow(
      'argocdFleet.components.namespaces[0]: must be the name of a namespace',
    );
  });

  it('reads how long history is kept', () => {
    const { keepHistoryMs } = read({ history: { keep: { weeks: 2 } } });
    expect(keepHistoryMs).toBe(14 * 24 * 3_600_000);
  });

  it('reads which namespaces of clusters a hub namespace may use', () => {
    const { propagation } = read({
      propagation: { appNamespaces: { constructor: ['argocd'], closed: [] } },
    });
    expect(propagation.appNamespaces).toEqual(
      new Map([
        ['constructor', ['argocd']],
        ['closed', []],
      ]),
    );
  });

  it('rejects what is no namespace there, by its key', () => {
    const appNamespaces = { Team_A: ['argocd'], 'team-b': ['argocd', '*'] };
    expect(() => read({ propagation: { appNamespaces } })).toThrow(
      /propagation\.appNamespaces\.team-b\[1\]: must be the name of a namespace[^]*propagation\.appNamespaces\.Team_A: the key must be the name of a namespace of the hub/,
    );
  });

  it('ignores keys of other plugins of the suite', () => {
    expect(() => read({ catalog: { anything: true } })).not.toThrow();
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
