import {
  MIGRATIONS,
  openSqlite,
  type TestDatabase,
} from '../database/__testUtils__/testDatabase';
import { answerStoreCases } from './__testUtils__/answerStoreCases';

describe('answers of resource sources on SQLite', () => {
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = openSqlite();
    await opened.knex.migrate.latest(MIGRATIONS);
  });

  afterEach(() => opened.close());

  it.each(Object.entries(answerStoreCases(() => opened)))(
    '%s',
    async (_, run) => {
      expect.hasAssertions();
      await run();
    },
  );
});
