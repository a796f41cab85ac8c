import createKnex from 'knex';
import {
  createFleetDatabase,
  type FleetDatabase,
} from '../../plugins/argocd-fleet-backend/src/database/fleetDatabase';

/** Opens the plugin's database in an SQLite file, until `close`. */
export async function openDatabase(
  filename: string,
): Promise<FleetDatabase & { close(): Promise<void> }> {
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
  });
  const database = await createFleetDatabase({ getClient: async () => knex });
  return { ...database, close: () => knex.destroy() };
}
