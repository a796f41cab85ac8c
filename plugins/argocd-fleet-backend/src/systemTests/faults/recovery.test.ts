import { isDeepStrictEqual } from 'node:util';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  getControllers,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import { waitFor } from '../../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../../config/controllerNames';
import { FAULT_GROUPS, type Disturbance } from './__testUtils__/disturbances';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import { fleetState, type FleetState } from './__testUtils__/fleetState';
import {
  createFleet,
  waitForWorksAfter,
  waitForFirstState,
  waitForSecondState,
  overwriteWork,
  changeFleet,
  waitReporting,
  withRareFullPasses,
  workLabel,
  WORKS_AFTER,
  WORKS_REMOVED,
} from './__testUtils__/scenario';

// All faults of a group are at work at the same time, and each test waits for several states.
jest.setTimeout(300_000);

function startBackend(hubs: readonly FaultyHub[]): Promise<TestBackend> {
  // Only events may trigger a reconcile here, not full passes.
  const controllers = withRareFullPasses({
    runWindow: '10m',
    schedule: { frequency: { seconds: 1 }, timeout: { minutes: 11 } },
  });
  return startFleetBackend({
    argocdFleet: {
      hubs: hubs.map(({ kubeconfigPath }, index) => ({
        name: `hub-${index}`,
        kubeconfig: { path: kubeconfigPath },
      })),
      controllers: {
        ...controllers,
        // No event says that Secrets are readable again: cluster import notices it with its next full pass.
        clusterImport: { ...controllers.clusterImport, fullPassEvery: '2s' },
      },
    },
  });
}

/** All hubs begin with the fleet of this one, delivered and reported. */
let model: FaultyHub;
let snapshot: string;

beforeAll(async () => {
  model = await startFaultyHub();
  await createFleet(model);
  const backend = await startBackend([model]);
  await waitForFirstState(model);
  await backend.stop();
  snapshot = await model.backUp();
});

afterAll(() => model?.stop());

/** Whether the work must keep its UID until the end. */
function isKept(label: string): boolean {
  return (
    WORKS_AFTER.includes(label) &&
    !WORKS_REMOVED.includes(label) &&
    // `changeFleet` deletes this one by hand.
    label !== 'c4 alpha-c4'
  );
}

/** One backend with a healthy hub and one hub for each fault, all at the same time. */
describe.each(FAULT_GROUPS)(
  'despite %s, a fleet reaches the same state as without faults, and another hub is unaffected:',
  (_group, faults) => {
    let backend: TestBackend;
    let healthy: FaultyHub;
    let others: FaultyHub[];
    /** By the index of the fault: resolves once its fleet has reached the same state as the healthy one. */
    let runs: Promise<void>[];

    beforeAll(async () => {
      healthy = await startFaultyHub({ snapshot });
      others = await Promise.all(
        faults.map(() => startFaultyHub({ snapshot })),
      );
      backend = await startBackend([healthy, ...others]);
      await waitFor(async () => {
        const { items } = await getControllers(backend);
        return (
          items.length === (faults.length + 1) * CONTROLLER_NAMES.length &&
          items.every(({ lastPassAt }) => lastPassAt !== undefined)
        );
      });
    });

    beforeAll(async () => {
      const disturbances = faults.map(async ([, start], index) =>
        start(others[index]),
      );
      await Promise.allSettled(disturbances);
      const undisturbed = reachFinalState();
      runs = disturbances.map(async (disturbance, index) =>
        run(others[index], await disturbance, undisturbed),
      );
      for (const each of runs) {
        each.catch(() => {
          // The test of the fault fails with it.
        });
      }
    });

    afterAll(async () => {
      await backend?.stop();
      await Promise.all([healthy, ...others].map(hub => hub.stop()));
    });

    /** Changes the healthy hub's fleet while all others are disturbed. */
    async function reachFinalState(): Promise<FleetState> {
      await changeFleet(healthy);
      await overwriteWork(healthy);
      await waitForSecondState(healthy);
      return fleetState(healthy);
    }

    async function run(
      hub: FaultyHub,
      { hasHit = () => true, afterwards, end }: Disturbance,
      undisturbed: Promise<FleetState>,
    ) {
      expect(hub.deletedWorks()).toEqual([]);
      const before = await hub.works();
      await changeFleet(hub);
      await overwriteWork(hub);
      await afterwards?.();
      await waitFor(hasHit);
      const expected = await undisturbed;
      await end();

      await waitForWorksAfter(hub);
      let state: FleetState | undefined;
      await waitReporting(hub, 'second', async () => {
        state = await fleetState(hub);
        return isDeepStrictEqual(state, expected);
      }).catch(() => {
        // What differs is said below; to find it each time takes longer than what is waited for.
      });
      expect(state).toEqual(expected);
      expect(hub.deletedWorks()).toEqual(WORKS_REMOVED);
      const uids = (await hub.works()).map(({ metadata }) => metadata.uid);
      const kept = before.filter(work => isKept(workLabel(work)));
      expect(kept).toHaveLength(7);
      for (const { metadata } of kept) {
        expect(uids).toContain(metadata.uid);
      }
    }

    it.each(faults.map(([name], index) => [name, index] as const))(
      '%s',
      async (_, index) => {
        await expect(runs[index]).resolves.toBeUndefined();
      },
    );
  },
);
