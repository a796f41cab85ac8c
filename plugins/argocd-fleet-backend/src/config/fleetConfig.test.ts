import { mockServices } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import { DEFAULT_PROPAGATION } from '../model/manifestwork/workPlan';
import { readFleetConfig } from './fleetConfig';

function read(argocdFleet?: JsonObject) {
  return readFleetConfig(
    mockServices.rootConfig({ data: argocdFleet ? { argocdFleet } : {} }),
  );
}

const hub = { name: 'hub', kubeconfig: { path: '/etc/hub' } };

describe('configuration', () => {
  it('has defaults for everything', () => {
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
      timing: { fullPassEveryMs: 10_000, runWindowMs: 50_000 },
      concurrency: 10,
    });
  });

  it('reads hubs, modes and times', () => {
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
      { name: 'hub', access: { kubeconfig: { path: '/etc/hub' } }, modes: {} },
      { name: 'other', access: { inCluster: true }, modes: {} },
    ]);
    expect(config.controllers.propagation).toMatchObject({
      mode: 'observe',
      timing: { fullPassEveryMs: 30_000, runWindowMs: 120_000 },
    });
  });

  it('reads for how long history is kept', () => {
    const { keepHistoryMs } = read({ history: { keep: { weeks: 2 } } });
    expect(keepHistoryMs).toBe(14 * 24 * 3_600_000);
  });

  it('leaves alone what other plugins of the suite keep under the same key', () => {
    expect(() => read({ catalog: { anything: true } })).not.toThrow();
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      'history that is kept for no time',
      { history: { keep: '0s' } },
      /argocdFleet\.history\.keep: must be longer than nothing/,
    ],
    [
      'more at once than the controller takes',
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
      'a hub that is reached in no way',
      { hubs: [{ name: 'hub' }] },
      /argocdFleet\.hubs\[0\]: must have exactly one of kubeconfig/,
    ],
    [
      'a hub whose name does not fit an address',
      { hubs: [{ ...hub, name: 'My Hub' }] },
      /argocdFleet\.hubs\[0\]\.name: must be lower case/,
    ],
    [
      'two hubs of one name',
      { hubs: [hub, hub] },
      /argocdFleet\.hubs: must not have two hubs of the same name/,
    ],
    [
      'a digest beyond what OCM takes',
      { propagation: { digestLength: 40_000 } },
      /argocdFleet\.propagation\.digestLength: .*30000/,
    ],
    [
      'more to be observed than an agent can watch',
      { propagation: { observe: { rollouts: 51 } } },
      /argocdFleet\.propagation\.observe\.rollouts: .*50/,
    ],
    [
      'a run that would outlive its claim',
      { controllers: { aggregation: { runWindow: '55s' } } },
      /argocdFleet\.controllers\.aggregation\.runWindow: must be at least 9 s shorter/,
    ],
    [
      'a schedule that would make every replica write',
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
