import type {
  LoggerService,
  SchedulerServiceTaskInvocationDefinition,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';
import type { FleetDatabase } from './database';

/** The task that removes from the database what happened longer ago than is to be kept. */
export function historyCleaning(options: {
  readonly database: Pick<FleetDatabase, 'leaveHubs' | 'removeHistory'>;
  /** Of the hubs that are configured. */
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
      const left = await database.leaveHubs(hubNames, before, signal);
      if (left > 0) {
        logger.info(
          `${left} Applications of hubs that are no longer configured count as gone`,
        );
      }
      const removed = await database.removeHistory(before, signal);
      if (removed.transitions > 0 || removed.applications > 0) {
        logger.info(
          `Removed ${removed.transitions} transitions and ${removed.applications} Applications that are gone, from before ${before.toISOString()}`,
        );
      }
    },
  };
}
