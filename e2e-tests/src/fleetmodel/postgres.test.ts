import { answerStoreCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/answerStoreCases';
import { fleetDatabaseCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/fleetDatabaseCases';
import {
  MIGRATIONS,
  openPostgres,
  type TestDatabase,
} from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/testDatabase';
import {
  killRecording,
  KILLS,
  lossesOf,
} from '../../../plugins/argocd-fleet-backend/src/systemTests/convergence/__testUtils__/killedRecording';
import {
  findPostgres,
  INSTALL_POSTGRES,
  startPostgres,
  type Postgres,
} from '../takeover/postgres';

jest.setTimeout(600_000);

const programs = findPostgres();
const seed = Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000);

// Where there is none this is skipped and counted, and the name says what to install.
(programs ? describe : describe.skip)(
  `fleet model on PostgreSQL (without one: ${INSTALL_POSTGRES}; seed ${seed})`,
  () => {
    let postgres: Postgres;
    let databases = 0;

    beforeAll(async () => {
      postgres = await startPostgres(programs!);
    });

    afterAll(() => postgres.stop());

    async function emptyDatabase() {
      databases += 1;
      const database = `fleet_${databases}`;
      await postgres.query(postgres.user, `CREATE DATABASE ${database}`);
      const { host, port, user } = postgres;
      return { host, port, user, database };
    }

    describe('in use', () => {
      let opened: TestDatabase;

      beforeEach(async () => {
        opened = openPostgres(await emptyDatabase());
        await opened.knex.migrate.latest(MIGRATIONS);
      });

      afterEach(() => opened.close());

      it.each(
        Object.entries({
          ...fleetDatabaseCases(() => opened),
          ...answerStoreCases(() => opened),
        }),
      )('%s', (_, run) => expect(run()).resolves.toBeUndefined());
    });

    it('has each transition that it acknowledged, and none twice, however often its writer is killed', async () => {
      const connection = await emptyDatabase();
      const result = await killRecording({ client: 'pg', connection }, seed);
      expect(lossesOf(result)).toEqual({
        lost: [],
        twice: [],
        misnumbered: [],
      });
      expect(result.acknowledged.length).toBeGreaterThan(KILLS * 10);
    });
  },
);
