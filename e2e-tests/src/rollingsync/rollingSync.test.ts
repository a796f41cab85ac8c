import { readFileSync } from 'node:fs';
import type {
  ArgoApplication,
  ArgoApplicationSet,
  RollingSync,
} from 'backstage-plugin-argocd-fleet-common';
import { SimulatedFleet, startSimulatedFleet } from 'simulated-fleet';
import {
  ControllersAlone,
  startControllersAlone,
} from '../../../plugins/argocd-fleet-backend/src/systemTests/__testUtils__/controllersAlone';
import {
  reportedRollingSyncPosition,
  rollingSyncProgress,
} from '../../../plugins/argocd-fleet-backend/src/model/delivery/rollingSync';
import { ARGOCD_BINARY, REAL_HUB_KUBECONFIG, RUN } from '../environment';
import { HubClient, Json } from '../hub/hubClient';
import {
  ArgoCdController,
  startArgoCdController,
} from '../oracle/argocdController';
import { RolloutHistory } from './rolloutHistory';
import {
  applicationName,
  clustersOf,
  initialObjects,
  rollingApplicationSet,
  rolloutScenario,
  SET,
  SPOKE_NAMESPACE,
  WAVES,
} from './rolloutFixture';

// On a real hub, a rollout over thirty clusters in three waves takes minutes.
jest.setTimeout(300_000);

// Skipped without Argo CD's controller and a real hub, which only `npm run test:real-hub` has.
(ARGOCD_BINARY && REAL_HUB_KUBECONFIG ? describe : describe.skip)(
  "Argo CD's own ApplicationSet controller rolls out pull-model Applications",
  () => {
    const run = `rolling-${RUN}`;
    const all = WAVES.flatMap((_, wave) => clustersOf(run, wave));
    const scenario = rolloutScenario(run);
    let hub: HubClient;
    let history: RolloutHistory;
    let fleet: SimulatedFleet;
    let controllers: ControllersAlone;
    let argocd: ArgoCdController;

    beforeAll(async () => {
      const kubeconfig = readFileSync(REAL_HUB_KUBECONFIG!, 'utf8');
      hub = await HubClient.connect(kubeconfig);
      for (const object of initialObjects(run)) {
        await hub.create(object);
      }
      fleet = await startSimulatedFleet({
        kubeconfig,
        scenario,
      });
      await fleet.ready;
      history = new RolloutHistory(hub);
      history.watch(run, all);
      controllers = startControllers();
      argocd = await startArgoCdController({
        binary: ARGOCD_BINARY!,
        kubeconfig,
        namespace: run,
      });
    });

    afterAll(async () => {
      history?.stop();
      await argocd?.stop();
      await controllers?.stop();
      await fleet?.stop();
      if (hub) {
        await hub.deleteIfPresent('namespaces', undefined, run);
        for (const cluster of all) {
          await hub.deleteIfPresent('managedclusters', undefined, cluster);
        }
        await hub.deleteIfPresent('managedclustersets', undefined, run);
        hub.close();
      }
    });

    /** Starts the controllers that progressive syncs need. */
    function startControllers() {
      return startControllersAlone(
        REAL_HUB_KUBECONFIG!,
        {
          aggregation: { mode: 'off' },
          clusterImport: { mode: 'off' },
        },
        { [run]: [SPOKE_NAMESPACE] },
      );
    }

    function changeTemplate(source: object) {
      return hub.patch('applicationsets', run, SET, {
        spec: { template: { spec: { source } } },
      });
    }

    const applicationsOf = (wave: number) =>
      clustersOf(run, wave).map(applicationName);

    const isDone = (since: number, wave: number) =>
      applicationsOf(wave).every(name => history.rolledOut(name, since));

    const isHealthyInRollout = (name: string) =>
      history.rolloutStatus(name) === 'Healthy';

    const isSettled = (name: string) =>
      history.isSettled(name) && isHealthyInRollout(name);

    /** Resolves once every Application is rolled out and hub, works and clusters agree. */
    async function waitForRollout(since: number) {
      await history.waitForEach(`all rolled out since ${since}`, name =>
        Boolean(history.rolledOut(name, since)),
      );
      do {
        await history.waitForEach('all are settled', isSettled);
        // Each watch has its own delay: one may show a settled Application while another already has the next change.
        await history.waitForWatches();
      } while (!all.map(applicationName).every(isSettled));
    }

    /** Every Application of a wave must be done before the sync of the next wave's first one is requested. */
    function expectWavesInOrder(since: number) {
      const waves = WAVES.map((_, wave) =>
        applicationsOf(wave).map(name => history.rolledOut(name, since)!),
      );
      for (const [index, wave] of waves.slice(1).entries()) {
        const before = Math.max(...waves[index].map(({ done }) => done));
        const first = Math.min(...wave.map(({ requested }) => requested));
        expect([WAVES[index + 1], first]).toEqual([
          WAVES[index + 1],
          expect.any(Number),
        ]);
        expect(first).toBeGreaterThan(before);
      }
    }

    /** @param time - milliseconds since the epoch, by the clock of the hub */
    function expectNoStartBefore(time: number) {
      for (const cluster of all) {
        const { status } = history.application(applicationName(cluster))!;
        const startedAt = Date.parse(status.operationState.startedAt);
        expect(startedAt).toBeGreaterThanOrEqual(time);
      }
    }

    /** Changes an Application's status on its cluster, as the cluster's own Argo CD would. */
    function changeStatusOnCluster(
      cluster: string,
      change: (status: Json) => Json,
    ) {
      const { store } = fleet.clusters.get(cluster)!;
      const application = store.get({
        group: 'argoproj.io',
        resource: 'applications',
        namespace: SPOKE_NAMESPACE,
        name: applicationName(cluster),
      }) as Json;
      store.put({
        ...application,
        status: change(application.status),
      } as Parameters<typeof store.put>[0]);
    }

    /** What pages show of the rollout while it waits for an Application, as Argo CD reports it. */
    function expectShown(
      expected: Pick<RollingSync, 'step' | 'waiting'>,
      waitsFor: string,
    ) {
      const set = history.applicationSet() as ArgoApplicationSet;
      const application = history.application(waitsFor) as ArgoApplication;
      const { step } = expected;
      expect(rollingSyncProgress(set)).toMatchObject({
        ...expected,
        waitsFor: [waitsFor],
        steps: WAVES.length,
        reported: true,
        since: expect.any(String),
      });
      expect(reportedRollingSyncPosition(set, application)).toEqual({
        steps: WAVES.length,
        step,
        status: expect.stringMatching(/^(Pending|Progressing)$/),
        since: expect.any(String),
        message: expect.stringContaining('Application'),
      });
    }

    /** Makes a change, waits for its rollout and checks the order of the waves. */
    async function rollOut(change: () => unknown, during?: () => unknown) {
      const since = history.version();
      await change();
      await during?.();
      await waitForRollout(since);
      expectWavesInOrder(since);
    }

    const scenarios: [string, () => Promise<void>][] = [
      [
        'the ApplicationSet is created',
        () =>
          rollOut(() =>
            hub.create(rollingApplicationSet(run, { targetRevision: 'v1' })),
          ),
      ],
      [
        'the template changes',
        () => rollOut(() => changeTemplate({ targetRevision: 'v2' })),
      ],
      [
        'a parameter changes that the digest does not contain',
        () =>
          rollOut(() =>
            changeTemplate({
              helm: { parameters: [{ name: 'tag', value: '2' }] },
            }),
          ),
      ],
      [
        'Git has a new revision',
        () =>
          rollOut(() => {
            for (const cluster of all) {
              changeStatusOnCluster(cluster, status => ({
                ...status,
                sync: {
                  ...status.sync,
                  status: 'OutOfSync',
                  revision: 'c0ffee0000000000000000000000000000000000',
                },
              }));
            }
          }),
      ],
      [
        'cluster clocks are five minutes fast or slow',
        async () => {
          all.forEach((cluster, index) =>
            fleet.faults.clockSkew(cluster, index % 2 ? 300 : -300),
          );
          const changedAt = Math.floor(Date.now() / 1000) * 1000;
          await rollOut(() => changeTemplate({ targetRevision: 'v3' }));
          fleet.faults.clockSkew('*', 0);
          expectNoStartBefore(changedAt);
        },
      ],
      [
        'a cluster of the second wave fails: the third wave waits until it is healthy',
        async () => {
          const [failing, ...others] = clustersOf(run, 1);
          scenario.faults.push({
            type: 'degraded',
            clusters: [failing],
            applications: ['*'],
            kind: 'Deployment',
            message: 'it crashes',
          });
          await rollOut(
            () => changeTemplate({ targetRevision: 'v4' }),
            async () => {
              await history.waitFor('the second wave is stuck', () => {
                const { status } =
                  history.application(applicationName(failing)) ?? {};
                return (
                  status?.health?.status === 'Degraded' &&
                  others.map(applicationName).every(isHealthyInRollout)
                );
              });
              expectShown({ step: 2, waiting: 1 }, applicationName(failing));
              scenario.faults.pop();
              changeStatusOnCluster(failing, status => ({
                ...status,
                health: { ...status.health, status: 'Healthy' },
              }));
            },
          );
        },
      ],
      [
        'a cluster of the first wave is offline: the second wave waits until it is back',
        async () => {
          const [offline, ...others] = clustersOf(run, 0);
          fleet.faults.offline(offline);
          await rollOut(
            () => changeTemplate({ targetRevision: 'v5' }),
            async () => {
              await history.waitFor(
                'the first wave is stuck',
                () =>
                  history.rolloutStatus(applicationName(offline)) ===
                    'Pending' &&
                  others.map(applicationName).every(isHealthyInRollout),
              );
              fleet.faults.online(offline);
            },
          );
        },
      ],
      [
        'the backend restarts during the rollout',
        async () => {
          const since = history.version();
          await rollOut(
            () => changeTemplate({ targetRevision: 'v6' }),
            async () => {
              await history.waitFor('the first wave is done', () =>
                isDone(since, 0),
              );
              await controllers.stop();
              controllers = startControllers();
            },
          );
        },
      ],
      [
        'the template changes while no backend runs',
        async () => {
          await controllers.stop();
          await rollOut(
            () => changeTemplate({ targetRevision: 'v7' }),
            async () => {
              await history.waitFor('every Application has changed', () =>
                all.every(cluster => {
                  const { spec } =
                    history.application(applicationName(cluster)) ?? {};
                  return spec?.source.targetRevision === 'v7';
                }),
              );
              controllers = startControllers();
            },
          );
        },
      ],
    ];

    test.each(scenarios)('wave by wave when %s', async (_, runScenario) => {
      await expect(runScenario()).resolves.toBeUndefined();
    });
  },
);
