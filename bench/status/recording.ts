// Time from a change to its record, and event-loop delay: recording.ts KUBECONFIG DATABASE; run with --expose-gc.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FleetRecords } from '../../plugins/argocd-fleet-backend/src/database/fleetRecords';
import {
  createControllersUnderTest,
  until,
} from '../controllers/controllersUnderTest';
import { openDatabase } from '../controllers/database';
import { heapUsed } from '../controllers/usage';

const [kubeconfig, filename] = process.argv.slice(2);
/** The controllers that record reported states and write reports; no other controller runs. */
const CONTROLLERS = ['resourceSync', 'aggregation'];

const send = (figures: object) => process.send?.({ bench: figures });

/** The parent's next message. */
function nextMessage(): Promise<unknown> {
  return new Promise(resolve => {
    process.once('message', resolve);
  });
}

/** Stores when each Application was recorded in the database, in milliseconds since the epoch. */
function withTimes(
  records: FleetRecords,
  recordedAt: Map<string, number>,
): FleetRecords {
  return {
    ...records,
    async record(hub, epoch, changes) {
      const after = await records.record(hub, epoch, changes);
      const now = Date.now();
      changes.forEach(({ namespace, name }) =>
        recordedAt.set(`${namespace}/${name}`, now),
      );
      return after;
    },
  };
}

async function main() {
  const database = await openDatabase(filename);
  const recordedAt = new Map<string, number>();
  const controllers = await createControllersUnderTest({
    kubeconfig,
    fullPassEveryMs: 10_000,
    records: withTimes(database.records, recordedAt),
  });
  const applications = controllers.cache.applications.size;
  const first = monitorEventLoopDelay({ resolution: 10 });
  first.enable();
  const startedAt = performance.now();
  const stop = controllers.start(...CONTROLLERS);
  await until(
    () => recordedAt.size === applications,
    'all are recorded',
    1_200_000,
  );
  const firstRecordingSeconds = (performance.now() - startedAt) / 1000;
  first.disable();
  // Wait until the controllers have nothing left to write.
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
  recordedAt.clear();
  // Collect the garbage of the start, so that it does not count below.
  heapUsed();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  send({ ready: true });
  const changed = (await nextMessage()) as number;
  await until(
    () => recordedAt.size >= changed,
    'all changes are recorded',
    120_000,
  );
  delay.disable();
  await stop();
  await controllers.close();
  await database.close();
  const figures = {
    applications,
    firstRecordingSeconds,
    firstRecordingLateMs: first.max / 1e6,
    lateMs: { max: delay.max / 1e6, p99: delay.percentile(99) / 1e6 },
    recordedAt: Object.fromEntries(recordedAt),
  };
  // A message of this size is not sent yet when `send` returns.
  process.send?.({ bench: figures }, () => process.disconnect());
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
