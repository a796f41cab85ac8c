import type { TestBackend } from '@backstage/backend-test-utils';
import { startFleetBackend } from '../../__testUtils__/fleetBackend';
import { FAULT_GROUPS, type Disturbance } from './__testUtils__/disturbances';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';
import { fleetState, type FleetState } from './__testUtils__/fleetState';
import {
  createFleet,
  waitForWorks,
  waitForReports,
  overwriteWork,
  changeFleet,
  waitLong,
  reportAllWorks,
  withRareFullPasses,
  workLabel,
  WORKS_AFTER,
  WORKS_BEFORE,
  WORKS_REMOVED,
} from './__testUtils__/scenario';

jest.setTimeout(300_000);

/** Starts hubs with the same objects. */
async function startHubs(count: number): Promise<FaultyHub[]> {
  const model = await startFaultyHub();
  await createFleet(model);
  const snapshot = await model.backUp();
  const hubs: FaultyHub[] = [];
  while (hubs.length < count) {
    hubs.push(await startFaultyHub({ snapshot }));
  }
  await model.stop();
  return hubs;
}

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

/** Reports the revision as the agents do until the fleet has the expected state. */
async function waitForState(
  hub: FaultyHub,
  revision: string,
  expected: FleetState,
) {
  await waitLong(async () => {
    await reportAllWorks(hub, revision);
    expect(await fleetState(hub)).toEqual(expected);
    return true;
  });
}

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
    let results: PromiseSettledResult<void>[];

    beforeAll(async () => {
      [healthy, ...others] = await startHubs(faults.length + 1);
      const hubs = [healthy, ...others];
      backend = await startBackend(hubs);
      for (const hub of hubs) {
        await waitForWorks(hub, WORKS_BEFORE);
      }
      await waitForReports(healthy, 'first');
      const before = await fleetState(healthy);
      for (const hub of others) {
        await waitForState(hub, 'first', before);
      }
      const disturbances = faults.map(async ([, start], index) =>
        start(others[index]),
      );
      await Promise.allSettled(disturbances);
      const undisturbed = reachFinalState();
      results = await Promise.allSettled(
        disturbances.map(async (disturbance, index) =>
          run(others[index], await disturbance, undisturbed),
        ),
      );
    });

    afterAll(async () => {
      await backend?.stop();
      await Promise.all([healthy, ...others].map(hub => hub.stop()));
    });

    /** Changes the healthy hub's fleet while all others are disturbed. */
    async function reachFinalState(): Promise<FleetState> {
      await changeFleet(healthy);
      await overwriteWork(healthy);
      await waitForWorks(healthy, WORKS_AFTER);
      await waitForReports(healthy, 'second');
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
      await waitLong(hasHit);
      const expected = await undisturbed;
      await end();

      await waitForWorks(hub, WORKS_AFTER);
      await waitForState(hub, 'second', expected);
      expect(hub.deletedWorks()).toEqual(WORKS_REMOVED);
      const uids = (await hub.works()).map(({ metadata }) => metadata.uid);
      const kept = before.filter(work => isKept(workLabel(work)));
      expect(kept).toHaveLength(6);
      for (const { metadata } of kept) {
        expect(uids).toContain(metadata.uid);
      }
    }

    it.each(faults.map(([name], index) => [name, index] as const))(
      '%s',
      (_, index) => {
        const result = results[index];
        if (result.status === 'rejected') {
          throw result.reason;
        }
        expect(result.status).toBe('fulfilled');
      },
    );
  },
);
