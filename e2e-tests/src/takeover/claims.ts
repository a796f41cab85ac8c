import type { Postgres } from './postgres';

const DATABASE = 'backstage_plugin_argocd-fleet';
const TASKS = 'backstage_backend_tasks__tasks';

/** That a process was the one to run a task. */
export interface Claim {
  readonly task: string;
  readonly process: string;
  readonly from: Date;
  /** When it was let go, or taken away after its time; undefined where it still is held. */
  readonly until?: Date;
}

/**
 * Has the database itself take down who claims a task and when it is free again, by the name under which each process is connected.
 * To be called once the first process has made its tables, and while it is alone.
 */
export async function auditClaims(
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
     CREATE FUNCTION note_claim() RETURNS trigger AS $$
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
     CREATE TRIGGER note_claim AFTER UPDATE ON ${TASKS}
       FOR EACH ROW EXECUTE FUNCTION note_claim();`,
  );
}

/** All claims of a task since {@link auditClaims}, oldest first. */
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
