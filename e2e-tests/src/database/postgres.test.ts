import { answerStoreCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/answerStoreCases';
import { fleetDatabaseCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/fleetDatabaseCases';
import {
  MIGRATIONS,
  openPostgres,
  type TestDatabase,
} from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/testDatabase';
import {
  recordWithKills,
  KILLS,
  recordingErrors,
} from '../../../plugins/argocd-fleet-backend/src/systemTests/convergence/__testUtils__/killedRecorder';
import {
  findPostgres,
  INSTALL_POSTGRES,
  startPostgres,
  type Postgres,
} from '../takeover/postgres';

jest.setTimeout(600_000);

const programs = findPostgres();
const seed = Number(process.env.ARGOCD_FLEET_SEED ?? Date.now() % 1_000_000);

// Without PostgreSQL this suite is reported as skipped, and its name says what to install.
(programs ? describe : describe.skip)(
  `the backend's database on PostgreSQL (${INSTALL_POSTGRES}; seed ${seed})`,
  () => {
    let postgres: Postgres;
    let databaseCount = 0;

    beforeAll(async () => {
      postgres = await startPostgres(programs!);
    });

    afterAll(() => postgres.stop());

    async function createDatabase() {
      databaseCount += 1;
      const database = `fleet_${databaseCount}`;
      await postgres.query(postgres.user, `CREATE DATABASE ${database}`);
      const { host, port, user } = postgres;
      return { host, port, user, database };
    }

    describe('with an empty database', () => {
      let database: TestDatabase;

      beforeEach(async () => {
        database = openPostgres(await createDatabase());
        await database.knex.migrate.latest(MIGRATIONS);
      });

      afterEach(() => database.close());

      it.each(
        Object.entries({
          ...fleetDatabaseCases(() => database),
          ...answerStoreCases(() => database),
        }),
      )('%s', (_, run) => expect(run()).resolves.toBeUndefined());
    });

    it('keeps each acknowledged transition exactly once, however often its writer is killed', async () => {
      const connection = await createDatabase();
      const result = await recordWithKills({ client: 'pg', connection }, seed);
      expect(recordingErrors(result)).toEqual({
        lost: [],
        twice: [],
        misnumbered: [],
      });
      expect(result.acknowledged.length).toBeGreaterThan(KILLS * 10);
    });
  },
);
