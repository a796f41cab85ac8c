// Cost of reports: aggregation.ts KUBECONFIG; run with --expose-gc. Its parent makes each change.
import {
  createControllersUnderTest,
  until,
  type ControllersUnderTest,
} from '../controllers/controllersUnderTest';
import { cpuMs, heapUsed } from '../controllers/usage';

const [kubeconfig] = process.argv.slice(2);
const FULL_PASS_EVERY_MS = 2_000;
const IDLE_MS = 10_000;
const PASSES = 5;
/** Changes of each set. */
const CHANGES = 3;

const send = (figures: object) => process.send?.({ bench: figures });

/** The parent's next message. */
function nextMessage(): Promise<unknown> {
  return new Promise(resolve => {
    process.once('message', resolve);
  });
}

const start = (fullPassEveryMs: number) =>
  createControllersUnderTest({ kubeconfig, fullPassEveryMs });

/** Measures the first pass of a new controller, after a collection of the garbage from listing the hub. */
async function firstPass({ start: begin, passes }: ControllersUnderTest) {
  heapUsed();
  const before = process.cpuUsage();
  const stop = begin('aggregation');
  await until(() => passes('aggregation') > 0, 'the first pass', 1_200_000);
  return { cpu: cpuMs(before), stop };
}

/** CPU time of the idle process, in milliseconds per millisecond. */
async function idle(): Promise<number> {
  const end = performance.now() + IDLE_MS;
  const before = process.cpuUsage();
  await until(() => performance.now() > end, 'the idle time');
  return cpuMs(before) / IDLE_MS;
}

/** Writes all reports. */
async function writeReports() {
  const controllers = await start(FULL_PASS_EVERY_MS);
  const { cache } = controllers;
  const rows = cache.applications.size;
  const sets = cache.applicationSets.size;
  const first = await firstPass(controllers);
  await until(() => cache.reports.size === sets, 'all reports');
  await first.stop();
  const written = controllers.writes('aggregation');
  await controllers.close();
  return { sets, rows, written, firstPassWithWritesCpuMs: first.cpu };
}

/** Measures a first pass as after a restart: the reports exist, but the controller has no state. */
async function measureFirstPass() {
  const controllers = await start(FULL_PASS_EVERY_MS);
  const { cpu, stop } = await firstPass(controllers);
  await stop();
  await controllers.close();
  return cpu;
}

/** Measures a first pass, then passes without changes. */
async function measurePasses(rows: number) {
  const controllers = await start(FULL_PASS_EVERY_MS);
  const cached = heapUsed();
  const first = await firstPass(controllers);
  const aggregated = heapUsed();
  const begun = controllers.passes('aggregation');
  const passesFrom = performance.now();
  const beforePasses = process.cpuUsage();
  await until(
    () => controllers.passes('aggregation') >= begun + PASSES,
    'passes with nothing to do',
  );
  const passing = performance.now() - passesFrom;
  const passesCpuMs = cpuMs(beforePasses);
  const writesWithoutChange = controllers.writes('aggregation');
  await first.stop();
  // Measured after the first pass: memory that was unused for seconds can be slower.
  const idleLoad = await idle();
  await controllers.close();
  return {
    idleLoad,
    firstPassCpuMs: first.cpu,
    passCpuMs: Math.max(0, passesCpuMs - idleLoad * passing) / PASSES,
    writesWithoutChange,
    heapBytesPerRow: (aggregated - cached) / rows,
  };
}

/** Measures one change after the other, between two full passes. */
async function measureChanges(idleLoad: number) {
  const { cache, ...controllers } = await start(3_600_000);
  const first = await firstPass({ cache, ...controllers });
  const works = new Map(
    [...cache.works.list()].map(({ metadata }) => [
      metadata.annotations?.[
        'apps.open-cluster-management.io/hosting-applicationset'
      ],
      { namespace: metadata.namespace, name: metadata.name },
    ]),
  );
  const changes: number[] = [];
  for (const change of Array(CHANGES)
    .fill([...works.values()])
    .flat()) {
    let reported = false;
    const unsubscribe = cache.onChange(({ resource }) => {
      reported ||= resource === 'reports';
    });
    const startedAt = performance.now();
    const before = process.cpuUsage();
    send({ change });
    await nextMessage();
    // The controller also processes the event of its own write.
    await until(() => reported, 'the report of a changed work');
    unsubscribe();
    const elapsed = performance.now() - startedAt;
    changes.push(cpuMs(before) - idleLoad * elapsed);
  }
  await first.stop();
  await controllers.close();
  return { firstPassCpuMs: first.cpu, changes };
}

const sorted = (figures: number[]) => figures.toSorted((a, b) => a - b);

async function main() {
  // Each measurement closes its cache, so that garbage collections do not traverse another one's.
  const written = await writeReports();
  const firstPasses = [await measureFirstPass()];
  const { idleLoad, firstPassCpuMs, ...passes } = await measurePasses(
    written.rows,
  );
  firstPasses.push(firstPassCpuMs);
  const { changes, ...last } = await measureChanges(idleLoad);
  firstPasses.push(last.firstPassCpuMs);
  send({
    ...written,
    ...passes,
    firstPassCpuMs: sorted(firstPasses),
    changeCpuMs: sorted(changes),
  });
  process.disconnect();
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
