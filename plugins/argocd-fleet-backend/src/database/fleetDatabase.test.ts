import { mockServices } from '@backstage/backend-test-utils';
import { fleetDatabaseCases } from './__testUtils__/fleetDatabaseCases';
import {
  MIGRATIONS,
  openSqlite,
  type TestDatabase,
} from './__testUtils__/testDatabase';
import { createFleetDatabase } from './fleetDatabase';

describe('fleet model on SQLite', () => {
  let opened: TestDatabase;

  beforeEach(async () => {
    opened = openSqlite();
    await opened.knex.migrate.latest(MIGRATIONS);
  });

  afterEach(() => opened.close());

  it.each(Object.entries(fleetDatabaseCases(() => opened)))('%s', (_, run) =>
    expect(run()).resolves.toBeUndefined(),
  );

  it('is not migrated where that is forbidden', async () => {
    const { knex, close } = openSqlite();
    const service = (skip: boolean) =>
      mockServices.database.mock({
        getClient: async () => knex,
        migrations: { skip },
      });
    await createFleetDatabase(service(true));
    expect(await knex.schema.hasTable('fleet_applications')).toBe(false);
    await createFleetDatabase(service(false));
    expect(await knex.schema.hasTable('fleet_applications')).toBe(true);
    await close();
  });
});
