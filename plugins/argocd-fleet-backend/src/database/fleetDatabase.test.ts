import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseService } from '@backstage/backend-plugin-api';
import { fleetDatabaseCases } from './__testUtils__/fleetDatabaseCases';
import { historyLimitCases } from './__testUtils__/historyLimitCases';
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

  it.each(
    Object.entries({
      ...fleetDatabaseCases(() => opened),
      ...historyLimitCases(() => opened),
    }),
  )('%s', (_, run) => expect(run()).resolves.toBeUndefined());

  it('is not migrated where that is forbidden', async () => {
    const { knex, close } = openSqlite();
    const service = (skip: boolean): DatabaseService => ({
      getClient: async () => knex,
      migrations: { skip },
    });
    await createFleetDatabase(service(true));
    expect(await knex.schema.hasTable('fleet_applications')).toBe(false);
    await createFleetDatabase(service(false));
    expect(await knex.schema.hasTable('fleet_applications')).toBe(true);
    await close();
  });

  it('does not have the process wait for the disk at each commit', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-database-'));
    const { knex, close } = openSqlite(join(folder, 'fleet.sqlite'));
    await createFleetDatabase({ getClient: async () => knex });
    expect(await knex.raw('pragma journal_mode')).toEqual([
      { journal_mode: 'wal' },
    ]);
    expect(await knex.raw('pragma synchronous')).toEqual([{ synchronous: 1 }]);
    await close();
    await rm(folder, { recursive: true });
  });
});
