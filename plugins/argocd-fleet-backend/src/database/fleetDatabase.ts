import {
  resolvePackagePath,
  type DatabaseService,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { createAnswerStore, type AnswerStore } from './answerStore';
import { createFleetCounts, type FleetCounts } from './fleetCounts';
import { createFleetRecords, type FleetRecords } from './fleetRecords';
import {
  createImportAccountStore,
  type ImportAccountStore,
} from './importAccountStore';
import { createRemovalStore, type RemovalStore } from './removalStore';
import { removeHistory, type Removed } from './retention';
import { retireUnconfiguredHubs } from './retiredHubs';
import { createTimelines, type Timelines } from './timelines';

/** The fleet model in the plugin's database. */
export interface FleetDatabase {
  readonly records: FleetRecords;
  readonly timelines: Timelines;
  readonly counts: FleetCounts;
  /** Answers of resource sources. */
  readonly answers: AnswerStore;
  /** What decides about the deletion of ManifestWorks. */
  readonly removals: RemovalStore;
  /** Which ManagedServiceAccounts each Argo CD had from before. */
  readonly importAccounts: ImportAccountStore;
  /**
   * Marks the Applications of all unconfigured hubs as gone, and deletes the sources' answers about those hubs, unless
   * a round started after `startedBefore`.
   * @returns number of Applications that are newly marked
   */
  retireUnconfiguredHubs(
    configured: readonly string[],
    startedBefore: Date,
    signal: AbortSignal,
  ): Promise<number>;
  /** Removes history that ended before a time, in small batches, until the signal is aborted. */
  removeHistory(before: Date, signal: AbortSignal): Promise<Removed>;
}

/** Migrates the plugin's database, unless its configuration skips migrations, and gives access to it. */
export async function createFleetDatabase(
  database: DatabaseService,
): Promise<FleetDatabase> {
  const knex = await database.getClient();
  if (!database.migrations?.skip) {
    await migrate(knex);
  }
  if (knex.client.config.client === 'better-sqlite3') {
    await enableWriteAheadLog(knex);
  }
  return fleetDatabaseOn(knex);
}

/** Gives access to a migrated database. */
export function fleetDatabaseOn(knex: Knex): FleetDatabase {
  return {
    records: createFleetRecords(knex),
    timelines: createTimelines(knex),
    counts: createFleetCounts(knex),
    answers: createAnswerStore(knex),
    removals: createRemovalStore(knex),
    importAccounts: createImportAccountStore(knex),
    retireUnconfiguredHubs: (configured, startedBefore, signal) =>
      retireUnconfiguredHubs(knex, configured, startedBefore.getTime(), signal),
    removeHistory: (before, signal) =>
      removeHistory(knex, before.getTime(), signal),
  };
}

async function migrate(knex: Knex): Promise<void> {
  await knex.migrate.latest({
    directory: resolvePackagePath(
      'backstage-plugin-argocd-fleet-backend',
      'migrations',
    ),
  });
}

/**
 * SQLite runs inside this process and blocks it at each commit until the data is on disk. With a write-ahead log that
 * is rare. A power failure (not a crash of the process) can lose the last transitions; the state itself is read from
 * the hub again.
 * @see https://www.sqlite.org/wal.html
 */
async function enableWriteAheadLog(knex: Knex): Promise<void> {
  await knex.raw('pragma journal_mode = wal');
  await knex.raw('pragma synchronous = normal');
}
