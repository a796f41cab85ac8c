import { numberOfCases, SEED } from '../../__testUtils__/randomCases';
import { createRandom } from './__testUtils__/churn';
import {
  compileKillable,
  type KillableProgram,
} from './__testUtils__/killableProcess';
import { chooseKill } from './__testUtils__/killTimes';
import {
  startRemovalStage,
  type RemovalStage,
} from './__testUtils__/removalStage';

// The cases of the long run take minutes.
jest.setTimeout(600_000);

const CASES = numberOfCases({ test: 1, long: 20 });
const KILLS = numberOfCases({ test: 5, long: 8 });
const STEPS_BETWEEN_KILLS = 10;

describe(`deletions under way while their controllers are killed (seed ${SEED})`, () => {
  let program: KillableProgram;
  let stage: RemovalStage | undefined;
  const killing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    program = await compileKillable('controllersProcess.ts');
  });

  afterEach(async () => {
    await Promise.all(killing.splice(0).map(kill => kill()));
    await stage?.close();
    stage = undefined;
  });

  afterAll(() => program?.remove());

  async function load({ kubeconfigPath, database, notePass }: RemovalStage) {
    const controllers = await program.load(
      [kubeconfigPath, database],
      message => notePass((message as { lastPassAt: string }).lastPassAt),
    );
    killing.push(controllers.kill);
    return controllers;
  }

  it.each(Array.from({ length: CASES }, (_, index) => index))(
    `are made once, where they are allowed, and none is forgotten (case %d, ${KILLS} kills)`,
    async index => {
      const random = createRandom(SEED * 1_000 + index);
      stage = await startRemovalStage({ random, isWatchedAlways: false });
      const first = await load(stage);
      first.begin();
      await stage.deliver();
      await first.kill();

      let loading = load(stage);
      for (let life = 0; life < KILLS; life += 1) {
        const controllers = await loading;
        loading = load(stage);
        const killIsDue = chooseKill(stage.hub, random);
        controllers.begin();
        const changes = stage.goOn(STEPS_BETWEEN_KILLS, life);
        await killIsDue();
        await controllers.kill();
        await changes;
      }
      (await loading).begin();
      expect(await stage.end(KILLS)).toEqual({
        wrong: [],
        forgotten: [],
        unfinished: [],
        others: [],
      });
      // Stories that ended in one life would prove nothing.
      expect(stage.livesOfAStory).toBeGreaterThan(1);
    },
  );
});
