import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import { createRemovalStore } from '../../database/removalStore';
import { createRandom } from './__testUtils__/churn';
import { composedHub, runForever } from './__testUtils__/composedHub';
import { chooseKill } from './__testUtils__/killTimes';
import {
  startRemovalStage,
  type RemovalStage,
} from './__testUtils__/removalStage';

// The cases of the long run take minutes.
jest.setTimeout(600_000);

const CASES = numberOfCases({ test: 1, long: 20 });
const TURNS = 8;
const STEPS_OF_A_TURN = 6;
/** What happens while no replica has the claim. */
const STEPS_BETWEEN_TURNS = 3;

/** A replica of the backend. It watches the hub all the time, and its propagation runs while it has the claim. */
function startReplica({ kubeconfigPath, knex, notePass }: RemovalStage) {
  const hub = composedHub(
    kubeconfigPath,
    { propagation: { fullPassEvery: '200ms' } },
    { holds: true, removals: createRemovalStore(knex) },
  );
  const runner = hub.runners.find(
    ({ controller }) => controller === 'propagation',
  )!;
  const stop = new AbortController();
  const watching = hub.cache.run(stop.signal);
  let claim = new AbortController();
  let running = Promise.resolve();
  const noting = setInterval(() => {
    if (runner.status().active) {
      notePass(runner.status().lastPassAt ?? '');
    }
  }, 50);
  async function release() {
    claim.abort();
    await running;
  }
  return {
    take() {
      claim = new AbortController();
      running = runForever(runner, claim.signal);
    },
    /** Resolves when nothing of the run is under way. */
    release,
    async stop() {
      clearInterval(noting);
      await release();
      stop.abort();
      await watching;
      await hub.client.close();
    },
  };
}

describe(`deletions under way while replicas take over from each other (seed ${SEED})`, () => {
  const closing: (() => Promise<void>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  it.each(Array.from({ length: CASES }, (_, index) => index))(
    `are made once, where they are allowed, and none is forgotten (case %d, ${TURNS} turns)`,
    async index => {
      const random = createRandom(SEED * 1_000 + index);
      const stage = await startRemovalStage({ random, isWatchedAlways: true });
      closing.push(stage.close);
      const replicas = [startReplica(stage), startReplica(stage)];
      closing.push(...replicas.map(({ stop }) => stop));
      let [holder, other] = replicas;
      holder.take();
      await stage.deliver();

      for (let turn = 0; turn < TURNS; turn += 1) {
        const turnIsOver = chooseKill(stage.hub, random);
        const changes = stage.goOn(STEPS_OF_A_TURN, turn);
        await turnIsOver();
        await holder.release();
        await changes;
        await stage.goOn(STEPS_BETWEEN_TURNS, turn);
        [holder, other] = [other, holder];
        holder.take();
      }
      expect(await stage.end(TURNS)).toEqual({
        wrong: [],
        forgotten: [],
        unfinished: [],
        others: [],
      });
      // Stories that ended in one turn would prove nothing.
      expect(stage.livesOfAStory).toBeGreaterThan(1);
    },
  );
});
