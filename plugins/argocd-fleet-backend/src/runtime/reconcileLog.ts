import type { LoggerService } from '@backstage/backend-plugin-api';
import { objectKey, type ObjectName } from '../kubernetes/client';

/** Milliseconds that one summary covers. */
const SUMMARY_MS = 10_000;
/** Failures that one summary's time lists at warn. */
const LISTED_FAILURES = 10;
/** Objects that one line at debug names: a line costs the logger much more than a name. */
const OBJECTS_PER_LINE = 100;

/**
 * Logs what a controller wrote, and which keys failed. It may be hundreds a second, so at info it is one line with the
 * counts of the last seconds, and at debug the objects, many in a line; of the failures, the first ones are logged at
 * warn.
 */
export interface ReconcileLog {
  wrote(verb: string, kind: string, object: ObjectName): void;
  failed(
    message: string,
    details: Readonly<Record<string, string | number>>,
  ): void;
  /** Logs the summary of what none has counted yet. */
  flush(): void;
}

/** Creates the log of one controller on one hub. */
export function createReconcileLog(
  logger: Pick<LoggerService, 'info' | 'debug' | 'warn'>,
): ReconcileLog {
  /** By what was done: how many objects, and those that are not logged yet. */
  const writes = new Map<string, { count: number; objects: string[] }>();
  let failures = 0;
  let startedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function summariseSoon() {
    if (!timer) {
      startedAt = performance.now();
      timer = setTimeout(flush, SUMMARY_MS);
      timer.unref();
    }
  }

  function logObjects(write: string, objects: string[]) {
    if (objects.length > 0) {
      logger.debug(write, { objects: objects.splice(0).join(' ') });
    }
  }

  function flush() {
    if (!timer) {
      return;
    }
    clearTimeout(timer);
    timer = undefined;
    const ms = performance.now() - startedAt;
    const seconds = Math.max(1, Math.round(ms / 1000));
    for (const [write, { objects }] of writes) {
      logObjects(write, objects);
    }
    if (writes.size > 0) {
      const counts = [...writes].map(
        ([write, { count }]) => `${write}: ${count}`,
      );
      logger.info(`Writes in ${seconds} s: ${counts.join(', ')}`);
    }
    if (failures > LISTED_FAILURES) {
      logger.warn(
        `Failures in ${seconds} s: ${failures}, of which the first ${LISTED_FAILURES} are logged; the log level debug shows all`,
      );
    }
    writes.clear();
    failures = 0;
  }

  return {
    wrote(verb, kind, object) {
      const write = `${verb} ${kind}`;
      let known = writes.get(write);
      if (!known) {
        known = { count: 0, objects: [] };
        writes.set(write, known);
      }
      known.count += 1;
      known.objects.push(objectKey(object));
      if (known.objects.length === OBJECTS_PER_LINE) {
        logObjects(write, known.objects);
      }
      summariseSoon();
    },
    failed(message, details) {
      failures += 1;
      const log = failures <= LISTED_FAILURES ? logger.warn : logger.debug;
      log.call(logger, message, details);
      summariseSoon();
    },
    flush,
  };
}
