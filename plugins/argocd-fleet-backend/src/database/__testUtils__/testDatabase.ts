import createKnex, { type Knex } from 'knex';
import { resolvePackagePath } from '@backstage/backend-plugin-api';

/** A database of this test alone. */
export interface TestDatabase {
  readonly knex: Knex;
  /** Somebody else's connections to it, where it takes more than one process. */
  another?(): Knex;
  close(): Promise<void>;
}

/** Where the migrations are. */
export const MIGRATIONS = {
  directory: resolvePackagePath(
    'backstage-plugin-argocd-fleet-backend',
    'migrations',
  ),
};

/** SQLite as Backstage opens it. */
export function openSqlite(filename = ':memory:'): TestDatabase {
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
  });
  return { knex, close: () => knex.destroy() };
}

/** An empty PostgreSQL database. */
export function openPostgres(
  connection: Knex.PgConnectionConfig,
): TestDatabase {
  const open = () => createKnex({ client: 'pg', connection });
  const opened = [open()];
  return {
    knex: opened[0],
    another() {
      opened.push(open());
      return opened.at(-1)!;
    },
    async close() {
      await Promise.all(opened.map(knex => knex.destroy()));
    },
  };
}
