import { answerStoreCases } from './__testUtils__/answerStoreCases';
import {
  MIGRATIONS,
  openSqlite,
  type TestDatabase,
} from './__testUtils__/testDatabase';

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
