import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import { startFaultyHub } from './__testUtils__/faultyHub';
import { fleetState, type FleetState } from './__testUtils__/fleetState';
import {
  createFleet,
  waitForFirstState,
  waitForSecondState,
  overwriteWork,
  changeFleet,
  withRareFullPasses,
  WORKS_REMOVED,
} from './__testUtils__/scenario';

// Each test waits for several states.
jest.setTimeout(180_000);

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const now = Date.now;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Only the backend reads `Date.now`: the hub in the same process keeps the right time. */
function setClock(skewMs: number) {
  jest.spyOn(Date, 'now').mockImplementation(() => now() + skewMs);
}

/**
 * State that a fleet reaches when the backend's clock is wrong from the start and jumps during many failing requests.
 * @param skews - milliseconds that the clock is ahead, before and after the jump
 */
async function finalState(
  skews: readonly [number, number],
  runWindow = '50s',
): Promise<FleetState> {
  setClock(skews[0]);
  const hub = await startFaultyHub();
  await createFleet(hub);
  const backend = await startFleetBackend({
    argocdFleet: oneHub(hub.kubeconfigPath, {
      controllers: withRareFullPasses({ runWindow }),
    }),
  });
  try {
    await waitForFirstState(hub);
    hub.faults.add({ type: 'conflict', probability: 0.5 });
    hub.faults.add({ type: 'serverError', probability: 0.3 });
    await changeFleet(hub);
    setClock(skews[1]);
    await overwriteWork(hub);
    hub.faults.clear();
    await waitForSecondState(hub);
    expect(hub.deletedWorks()).toEqual(WORKS_REMOVED);
    return await fleetState(hub);
  } finally {
    await backend.stop();
    await hub.stop();
  }
}

describe('a fleet reaches the same state', () => {
  let expected: FleetState;

  beforeAll(async () => {
    expected = await finalState([0, 0]);
  });

  it.each<[string, [number, number]]>([
    ['is a day ahead and is corrected', [DAY_MS, 0]],
    ['stays a day behind', [-DAY_MS, -DAY_MS]],
    ['jumps from a day ahead to a day behind', [DAY_MS, -DAY_MS]],
  ])('when the backend’s clock %s', async (_, skews) => {
    expect(await finalState(skews)).toEqual(expected);
  });

  it('when the backend’s clock is five minutes behind and its correction ends the run early', async () => {
    // With a skew of more than ten minutes, the propagated operation would count as an old one.
    expect(await finalState([-5 * MINUTE_MS, 0], '5s')).toEqual(expected);
  });
});
