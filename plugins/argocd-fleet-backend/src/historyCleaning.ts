import type {
  LoggerService,
  SchedulerServiceTaskInvocationDefinition,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import type { FleetDatabase } from './database';

/** Creates the task that removes history older than `argocdFleet.history.keep` from the database. */
export function createHistoryCleaningTask(options: {
  readonly database: Pick<
    FleetDatabase,
    'retireUnconfiguredHubs' | 'removeHistory'
  >;
  /** Names of the configured hubs. */
  readonly hubNames: readonly string[];
  readonly keepHistoryMs: number;
  readonly logger: LoggerService;
}): SchedulerServiceTaskInvocationDefinition &
  SchedulerServiceTaskScheduleDefinition {
  const { database, hubNames, keepHistoryMs, logger } = options;
  return {
    id: 'history-cleaning',
    scope: 'global',
    frequency: { hours: 1 },
    timeout: { minutes: 30 },
    initialDelay: { minutes: 1 },
    async fn(signal) {
      const before = new Date(Date.now() - keepHistoryMs);
      const retired = await database.retireUnconfiguredHubs(
        hubNames,
        before,
        signal,
      );
      if (retired > 0) {
        logger.info(
          `Marked ${retired} Applications as gone: their hubs are no longer configured`,
        );
      }
      const removed = await database.removeHistory(before, signal);
      if (removed.transitions > 0 || removed.applications > 0) {
        logger.info(
          `Removed ${removed.transitions} transitions and ${removed.applications} gone Applications from before ${before.toISOString()}`,
        );
      }
    },
  };
}
