import {
  coreServices,
  createServiceFactory,
  type BackendFeature,
} from '@backstage/backend-plugin-api';
import {
  openSqlite,
  type TestDatabase,
} from '../database/__testUtils__/testDatabase';

/** A database that outlives the backends that use it. */
export interface SqliteService extends TestDatabase {
  readonly service: BackendFeature;
}

/** Opens an empty database. */
export function openSqliteService(): SqliteService {
  const database = openSqlite();
  return {
    ...database,
    service: createServiceFactory({
      service: coreServices.database,
      deps: {},
      factory: () => ({ getClient: async () => database.knex }),
    }),
  };
}
