// How soon a change is in the database, and what that does to the process: recording.ts KUBECONFIG DATABASE; run with --expose-gc.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import createKnex from 'knex';
import { createFleetDatabase } from '../../plugins/argocd-fleet-backend/src/database/fleetDatabase';
import type { FleetRecords } from '../../plugins/argocd-fleet-backend/src/database/fleetRecords';
import {
  createControllersUnderTest,
  until,
} from '../controllers/controllersUnderTest';
import { heapUsed } from '../controllers/usage';

const [kubeconfig, filename] = process.argv.slice(2);
/** Those that bring home what clusters report, and keep it; nobody else writes meanwhile. */
const CONTROLLERS = ['resourceSync', 'aggregation'];

const send = (figures: object) => process.send?.({ bench: figures });

/** The next thing that the parent wants. */
function asked(): Promise<unknown> {
  return new Promise(resolve => {
    process.once('message', resolve);
  });
}

/** Notes when what was recorded of an Application was in the database, in milliseconds since the epoch. */
function noting(
  records: FleetRecords,
  noted: Map<string, number>,
): FleetRecords {
  return {
    ...records,
    async record(hub, epoch, changes) {
      const after = await records.record(hub, epoch, changes);
      const now = Date.now();
      changes.forEach(({ namespace, name }) =>
        noted.set(`${namespace}/${name}`, now),
      );
      return after;
    },
  };
}

async function main() {
  const knex = createKnex({
    client: 'better-sqlite3',
    connection: { filename },
    useNullAsDefault: true,
  });
  const { records } = await createFleetDatabase({
    getClient: async () => knex,
  });
  const noted = new Map<string, number>();
  const controllers = await createControllersUnderTest({
    kubeconfig,
    fullPassEveryMs: 10_000,
    records: noting(records, noted),
  });
  const applications = controllers.cache.applications.size;
  const first = monitorEventLoopDelay({ resolution: 10 });
  first.enable();
  const startedAt = performance.now();
  const stop = controllers.start(...CONTROLLERS);
  await until(() => noted.size === applications, 'all are recorded', 1_200_000);
  const firstRecordingSeconds = (performance.now() - startedAt) / 1000;
  first.disable();
  // Whatever else there is to write is written, and passes are quiet.
  for (
    let writes = '';
    writes !== String(CONTROLLERS.map(controllers.writes));
  ) {
    writes = String(CONTROLLERS.map(controllers.writes));
    const begun = CONTROLLERS.map(controllers.passes);
    await until(
      () =>
        CONTROLLERS.every((name, i) => controllers.passes(name) > begun[i] + 1),
      'two quiet passes of each controller',
      1_200_000,
    );
  }
  noted.clear();
  // What is left of the start is collected once, and has nothing to do with what comes.
  heapUsed();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  send({ ready: true });
  const changed = (await asked()) as number;
  await until(() => noted.size >= changed, 'all changes are recorded', 120_000);
  delay.disable();
  await stop();
  await controllers.close();
  await knex.destroy();
  const figures = {
    applications,
    firstRecordingSeconds,
    firstRecordingLateMs: first.max / 1e6,
    lateMs: { max: delay.max / 1e6, p99: delay.percentile(99) / 1e6 },
    recordedAt: Object.fromEntries(noted),
  };
  // A message of this size is not on its way yet when `send` returns.
  process.send?.({ bench: figures }, () => process.disconnect());
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
