import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SimulatedFleet, startSimulatedFleet } from 'simulated-fleet';
import {
  ControllersAlone,
  startControllersAlone,
} from '../../../plugins/argocd-fleet-backend/src/systemTests/__testUtils__/controllersAlone';
import { HubAccess } from '../../hub';
import {
  ArgoCdController,
  startArgoCdController,
} from '../oracle/argocdController';
import { Json } from '../oracle/oracleCase';
import { OracleHub } from '../oracle/oracleHub';
import { RolloutHistory } from './rolloutHistory';
import {
  applicationName,
  clustersOf,
  rollingApplicationSet,
  rolloutScenario,
  SET,
  SPOKE_NAMESPACE,
  WAVES,
  worldObjects,
} from './rolloutWorld';

/** An `argocd` of v3.2.11. */
const BINARY = process.env.ARGOCD_FLEET_ARGOCD_BINARY;
/** Of a hub with the definitions of Argo CD and OCM, on which no ApplicationSet controller runs. */
const KUBECONFIG = process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG;

const TIMEOUT_MS = 300_000;

// Both are built by `npm run test:real-hub`; elsewhere this is skipped and counted.
(BINARY && KUBECONFIG ? describe : describe.skip)(
  "Argo CD's own ApplicationSet controller rolls out over pulled Applications",
  () => {
    const run = `rolling-${randomBytes(3).toString('hex')}`;
    const all = WAVES.flatMap((_, wave) => clustersOf(run, wave));
    const SET_PATH = `/apis/argoproj.io/v1alpha1/namespaces/${run}/applicationsets/${SET}`;
    const scenario = rolloutScenario(run);
    let admin: OracleHub;
    let access: HubAccess;
    let history: RolloutHistory;
    let fleet: SimulatedFleet;
    let controllers: ControllersAlone;
    let argocd: ArgoCdController;

    beforeAll(async () => {
      const kubeconfig = readFileSync(KUBECONFIG!, 'utf8');
      admin = await OracleHub.connect(kubeconfig);
      access = await HubAccess.of(KUBECONFIG!);
      for (const object of worldObjects(run)) {
        await admin.create(object);
      }
      fleet = await startSimulatedFleet({
        kubeconfig,
        scenario,
      });
      await fleet.ready;
      history = new RolloutHistory(access);
      history.watch(run, all);
      controllers = startControllers();
      argocd = await startArgoCdController({
        binary: BINARY!,
        kubeconfig,
        namespace: run,
      });
    }, TIMEOUT_MS);

    afterAll(async () => {
      history?.stop();
      await argocd?.stop();
      await controllers?.stop();
      await fleet?.stop();
      if (admin) {
        await admin.delete(`/api/v1/namespaces/${run}`);
        for (const cluster of all) {
          await admin.delete(
            `/apis/cluster.open-cluster-management.io/v1/managedclusters/${cluster}`,
          );
        }
        admin.close();
      }
    }, TIMEOUT_MS);

    /** Those that progressive syncs need. */
    function startControllers() {
      return startControllersAlone(KUBECONFIG!, {
        aggregation: { mode: 'off' },
        clusterImport: { mode: 'off' },
      });
    }

    function changeTemplate(source: object) {
      return admin.patch(SET_PATH, {
        spec: { template: { spec: { source } } },
      });
    }

    const applicationsOf = (wave: number) =>
      clustersOf(run, wave).map(applicationName);

    const isDone = (since: number, wave: number) =>
      applicationsOf(wave).every(name => history.rolled(name, since));

    const isQuiet = (name: string) =>
      history.isSettled(name) && history.rollout(name) === 'Healthy';

    /** Resolves once every Application has gone through the rollout, and everybody knows. */
    async function rolloutCompleted(since: number) {
      await history.untilEach(`every wave is done since ${since}`, name =>
        Boolean(history.rolled(name, since)),
      );
      do {
        await history.untilEach('all is quiet', isQuiet);
        // Several watches are several clocks: what is quiet in one may have begun in another.
        await history.caughtUp();
      } while (!all.map(applicationName).every(isQuiet));
    }

    /** No Application of a wave was told to sync before every one of the wave before had done so. */
    function expectWavesInOrder(since: number) {
      const waves = WAVES.map((_, wave) =>
        applicationsOf(wave).map(name => history.rolled(name, since)!),
      );
      for (const [index, wave] of waves.slice(1).entries()) {
        const before = Math.max(...waves[index].map(({ done }) => done));
        const first = Math.min(...wave.map(({ told }) => told));
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

    const isNext = (name: string) => history.rollout(name) === 'Healthy';

    /** Changes what a cluster's own Argo CD says of the Application there. */
    function onCluster(cluster: string, change: (status: Json) => Json) {
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

    /** Plays a rollout to its end, and holds it to the order of its waves. */
    async function rollOut(change: () => unknown, meanwhile?: () => unknown) {
      const since = history.version();
      await change();
      await meanwhile?.();
      await rolloutCompleted(since);
      expectWavesInOrder(since);
    }

    const stories: [string, () => Promise<void>][] = [
      [
        'it is new',
        () =>
          rollOut(() =>
            admin.create(rollingApplicationSet(run, { targetRevision: 'v1' })),
          ),
      ],
      [
        'the template changes',
        () => rollOut(() => changeTemplate({ targetRevision: 'v2' })),
      ],
      [
        'a parameter changes for which a digest has no words',
        () =>
          rollOut(() =>
            changeTemplate({
              helm: { parameters: [{ name: 'tag', value: '2' }] },
            }),
          ),
      ],
      [
        'there is a new revision in Git',
        () =>
          rollOut(() => {
            for (const cluster of all) {
              onCluster(cluster, status => ({
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
        'clocks of clusters are five minutes early and late',
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
        'a cluster of the second wave fails, the third only once it is well',
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
              await history.until('the second wave is stuck', () => {
                const { status } =
                  history.application(applicationName(failing)) ?? {};
                return (
                  status?.health?.status === 'Degraded' &&
                  others.map(applicationName).every(isNext)
                );
              });
              scenario.faults.pop();
              onCluster(failing, status => ({
                ...status,
                health: { ...status.health, status: 'Healthy' },
              }));
            },
          );
        },
      ],
      [
        'a cluster of the first wave is offline, the second only once it is back',
        async () => {
          const [offline, ...others] = clustersOf(run, 0);
          fleet.faults.offline(offline);
          await rollOut(
            () => changeTemplate({ targetRevision: 'v5' }),
            async () => {
              await history.until(
                'the first wave is stuck',
                () =>
                  history.rollout(applicationName(offline)) === 'Pending' &&
                  others.map(applicationName).every(isNext),
              );
              fleet.faults.online(offline);
            },
          );
        },
      ],
      [
        'the backend starts anew in the middle',
        async () => {
          const since = history.version();
          await rollOut(
            () => changeTemplate({ targetRevision: 'v6' }),
            async () => {
              await history.until('the first wave is done', () =>
                isDone(since, 0),
              );
              await controllers.stop();
              controllers = startControllers();
            },
          );
        },
      ],
      [
        'the template changes while there is no backend',
        async () => {
          await controllers.stop();
          await rollOut(
            () => changeTemplate({ targetRevision: 'v7' }),
            async () => {
              await history.until('every Application has changed', () =>
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

    test.each(stories)(
      'wave by wave when %s',
      async (_, play) => {
        await expect(play()).resolves.toBeUndefined();
      },
      TIMEOUT_MS,
    );
  },
);
