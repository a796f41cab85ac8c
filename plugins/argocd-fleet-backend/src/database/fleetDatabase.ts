import {
  resolvePackagePath,
  type DatabaseService,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { createAnswerStore, type AnswerStore } from './answerStore';
import { createFleetCounts, type FleetCounts } from './fleetCounts';
import { createFleetRecords, type FleetRecords } from './fleetRecords';
import { removeHistory, type Removed } from './retention';
import { retireUnconfiguredHubs } from './retiredHubs';
import { createTimelines, type Timelines } from './timelines';

/** The fleet model in the plugin's database. */
export interface FleetDatabase {
  readonly records: FleetRecords;
  readonly timelines: Timelines;
  readonly counts: FleetCounts;
  /** What resource sources said. */
  readonly answers: AnswerStore;
  /**
   * Has the Applications of all other hubs count as gone, and forgets what sources said of those about which none was asked since.
   * @returns Applications that were not gone before
   */
  retireUnconfiguredHubs(
    configured: readonly string[],
    startedBefore: Date,
    signal: AbortSignal,
  ): Promise<number>;
  /** Removes what ended longer ago, in small steps, until the signal is aborted. */
  removeHistory(before: Date, signal: AbortSignal): Promise<Removed>;
}

/** Brings the plugin's database up to date, unless its configuration forbids that, and gives access to it. */
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

/** Access to a database that is up to date. */
export function fleetDatabaseOn(knex: Knex): FleetDatabase {
  return {
    records: createFleetRecords(knex),
    timelines: createTimelines(knex),
    counts: createFleetCounts(knex),
    answers: createAnswerStore(knex),
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
 * SQLite is a part of this process, which stands still at each commit until the disk has it. With a write-ahead log it does so only now and
 * then. What that can lose with the machine's power, and not with the process, are transitions of the last moments: the state is read
 * from the hub again.
 * @see https://www.sqlite.org/wal.html
 */
async function enableWriteAheadLog(knex: Knex): Promise<void> {
  await knex.raw('pragma journal_mode = wal');
  await knex.raw('pragma synchronous = normal');
}
