import { isDeepStrictEqual } from 'node:util';
import type {
  SchedulerServiceTaskInvocationDefinition,
  SchedulerServiceTaskScheduleDefinition,
} from '@backstage/backend-plugin-api';

/** A task that reads the portal's catalog. */
export type CatalogCheckTask = SchedulerServiceTaskInvocationDefinition &
  SchedulerServiceTaskScheduleDefinition;

/**
 * Creates a check that every replica makes for itself.
 * @param id - of the task
 * @param initial - the result until the first check
 * @param onChange - called when `result()` has changed
 * @returns the result of the last check, and the task that makes it
 */
export function createCatalogCheck<Result>(
  id: string,
  initial: Result,
  check: () => Promise<Result>,
  onChange: () => void,
): { readonly result: () => Result; readonly task: CatalogCheckTask } {
  let result = initial;
  return {
    result: () => result,
    task: {
      id,
      // Every replica answers with what it found itself.
      scope: 'local',
      // The catalog has read its locations by then.
      initialDelay: { minutes: 2 },
      frequency: { minutes: 10 },
      timeout: { minutes: 1 },
      async fn() {
        const before = result;
        result = await check();
        if (!isDeepStrictEqual(result, before)) {
          onChange();
        }
      },
    },
  };
}
