import { SEED } from '../../../plugins/argocd-fleet-backend/src/__testUtils__/randomCases';
import { answerStoreCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/answerStoreCases';
import { fleetDatabaseCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/fleetDatabaseCases';
import { historyLimitCases } from '../../../plugins/argocd-fleet-backend/src/database/__testUtils__/historyLimitCases';
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

// Each kill waits for a process to start and record: in the long run, or on a busy machine, that takes minutes.
jest.setTimeout(300_000);

const programs = findPostgres();

// Skipped without PostgreSQL, which is no npm package; the suite's name says what to install.
(programs ? describe : describe.skip)(
  `the backend's database on PostgreSQL (${INSTALL_POSTGRES}; seed ${SEED})`,
  () => {
    let postgres: Postgres;
    let databaseCount = 0;
    /** An empty database that is up to date; to copy it is faster than to migrate another one. */
    let migrated: string;

    beforeAll(async () => {
      postgres = await startPostgres(programs!);
      const connection = await createDatabase('template1');
      const { knex, close } = openPostgres(connection);
      await knex.migrate.latest(MIGRATIONS);
      await close();
      migrated = connection.database;
    });

    afterAll(() => postgres.stop());

    /** Creates a copy of a database. */
    async function createDatabase(template: string) {
      databaseCount += 1;
      const database = `fleet_${databaseCount}`;
      const { host, port, user } = postgres;
      await postgres.query(
        user,
        `CREATE DATABASE ${database} TEMPLATE ${template}`,
      );
      return { host, port, user, database };
    }

    describe('with an empty database', () => {
      let database: TestDatabase;

      beforeEach(async () => {
        database = openPostgres(await createDatabase(migrated));
      });

      afterEach(() => database.close());

      it.each(
        Object.entries({
          ...fleetDatabaseCases(() => database),
          ...historyLimitCases(() => database),
          ...answerStoreCases(() => database),
        }),
      )('%s', (_, run) => expect(run()).resolves.toBeUndefined());
    });

    it('keeps each acknowledged transition exactly once, however often its writer is killed', async () => {
      const connection = await createDatabase(migrated);
      const result = await recordWithKills({ client: 'pg', connection }, SEED);
      expect(recordingErrors(result)).toEqual({
        lost: [],
        twice: [],
        misnumbered: [],
      });
      expect(result.acknowledged.length).toBeGreaterThanOrEqual(KILLS * 10);
    });
  },
);
