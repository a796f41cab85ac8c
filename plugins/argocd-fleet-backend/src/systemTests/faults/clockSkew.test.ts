import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startFaultyHub } from './__testUtils__/faultyHub';
import { fleetState, type FleetState } from './__testUtils__/fleetState';
import {
  furnish,
  hasWorks,
  isReported,
  meddle,
  muchHappens,
  WORKS_AFTER,
  WORKS_BEFORE,
  WORKS_REMOVED,
} from './__testUtils__/scenario';

jest.setTimeout(180_000);

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const now = Date.now;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Only the backend asks `Date.now`: the hub, in the same process, goes on by the right time. */
function setClock(skewMs: number) {
  jest.spyOn(Date, 'now').mockImplementation(() => now() + skewMs);
}

/** What a fleet comes to where the backend's clock is wrong from the beginning, and jumps in the middle of a storm. */
async function outcome(
  skews: readonly [number, number],
  runWindow = '50s',
): Promise<FleetState> {
  setClock(skews[0]);
  const hub = await startFaultyHub();
  await furnish(hub);
  const seldom = { fullPassEvery: '10m' };
  const backend = await startFleetBackend({
    argocdFleet: oneHub(hub.kubeconfigPath, {
      controllers: {
        clusterImport: { ...seldom, runWindow },
        propagation: { ...seldom, runWindow },
        applicationStatus: { ...seldom, runWindow },
        aggregation: { ...seldom, runWindow },
      },
    }),
  });
  try {
    await hasWorks(hub, WORKS_BEFORE);
    await isReported(hub, 'first');
    hub.faults.add({ type: 'conflict', probability: 0.5 });
    hub.faults.add({ type: 'serverError', probability: 0.3 });
    await muchHappens(hub);
    setClock(skews[1]);
    await meddle(hub);
    hub.faults.clear();
    await hasWorks(hub, WORKS_AFTER);
    await isReported(hub, 'second');
    expect(hub.deletedWorks()).toEqual(WORKS_REMOVED);
    return await fleetState(hub);
  } finally {
    await backend.stop();
    await hub.stop();
  }
}

describe('a fleet comes to the same', () => {
  let expected: FleetState;

  beforeAll(async () => {
    expected = await outcome([0, 0]);
  });

  it.each<[string, [number, number]]>([
    ['is a day ahead, and put right', [DAY_MS, 0]],
    ['is a day behind all the time', [-DAY_MS, -DAY_MS]],
    ['jumps from a day ahead to a day behind', [DAY_MS, -DAY_MS]],
  ])('where the backend’s clock %s', async (_, skews) => {
    expect(await outcome(skews)).toEqual(expected);
  });

  it('where the backend’s clock is five minutes behind and put right, in the run after the one that then takes its claim for over', async () => {
    // By more than ten minutes, and the operation that travels would be taken for an old one.
    expect(await outcome([-5 * MINUTE_MS, 0], '5s')).toEqual(expected);
  });
});
