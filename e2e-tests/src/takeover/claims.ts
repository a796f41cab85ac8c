import type { Postgres } from './postgres';

const DATABASE = 'backstage_plugin_argocd-fleet';
const TASKS = 'backstage_backend_tasks__tasks';

/** The time for which a process held a scheduler task. */
export interface Claim {
  readonly task: string;
  readonly process: string;
  readonly from: Date;
  /** When it was released or expired; undefined while it is held. */
  readonly until?: Date;
}

/**
 * Installs a trigger that records when each process, by its connection's application name, claims and releases a task.
 * Call it while only the first process runs and after it has created its tables.
 */
export async function recordClaims(
  postgres: Postgres,
  process: string,
): Promise<void> {
  await postgres.query(
    DATABASE,
    `CREATE TABLE claims (
       task text, process text, ticket text, since timestamptz, until timestamptz
     );
     INSERT INTO claims
       SELECT id, '${process}', current_run_ticket, now(), NULL FROM ${TASKS}
       WHERE current_run_ticket IS NOT NULL;
     CREATE FUNCTION record_claim() RETURNS trigger AS $$
     BEGIN
       IF OLD.current_run_ticket IS DISTINCT FROM NEW.current_run_ticket THEN
         UPDATE claims SET until = clock_timestamp()
           WHERE task = NEW.id AND ticket = OLD.current_run_ticket;
         IF NEW.current_run_ticket IS NOT NULL THEN
           INSERT INTO claims VALUES (
             NEW.id, current_setting('application_name'),
             NEW.current_run_ticket, clock_timestamp(), NULL
           );
         END IF;
       END IF;
       RETURN NEW;
     END $$ LANGUAGE plpgsql;
     CREATE TRIGGER record_claim AFTER UPDATE ON ${TASKS}
       FOR EACH ROW EXECUTE FUNCTION record_claim();`,
  );
}

/** Releases expired claims as the scheduler of each process does every minute, which cannot be configured. */
export async function releaseExpiredClaims(postgres: Postgres): Promise<void> {
  await postgres.query(
    DATABASE,
    `UPDATE ${TASKS} SET
       current_run_ticket = NULL,
       current_run_started_at = NULL,
       current_run_expires_at = NULL,
       last_run_ended_at = now()
     WHERE current_run_expires_at < now()`,
  );
}

/** All claims of a task since {@link recordClaims}, oldest first. */
export async function claimsOf(
  postgres: Postgres,
  task: string,
): Promise<Claim[]> {
  const rows = await postgres.query(
    DATABASE,
    `SELECT process, extract(epoch FROM since) * 1000, extract(epoch FROM until) * 1000
       FROM claims WHERE task = '${task}' ORDER BY since`,
  );
  return rows.map(([process, since, until]) => ({
    task,
    process,
    from: new Date(Number(since)),
    ...(until && { until: new Date(Number(until)) }),
  }));
}
