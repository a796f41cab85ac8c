// Measures the whole product: the built backend with all its plugins in a process of its own. See README.md.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { log, round, row } from './figures.mjs';
import { buildBackend } from './whole/productionBackend.mjs';
import { measureOnRealHub } from './whole/realHub.mjs';

/** The documented limits. */
const TARGETS = {
  coldOfSame: 0.7,
  coldOfDocumented: 0.6,
  applicationsSeconds: 3,
  readersSeconds: 5,
  writers: 0.7,
  workBytes: 6144,
  idleRequests: 0,
  changeP95Ms: 300,
};

export const PARTS = ['cold', 'statuses', 'changes', 'idle'];

const mean = values => values.reduce((a, b) => a + b, 0) / values.length;

function compareRealHub({
  applications,
  cold,
  statuses,
  changes,
  idle,
  bare,
  hubBytes,
}) {
  const bareSeconds = of => mean(bare.map(of));
  const reports = ({ reports: { mostOfOneSet, allowedForOneSet } }) =>
    row(mostOfOneSet, '≤', round(allowedForOneSet));
  return {
    [`${applications} works, as a share of the rate of a bare loop`]: row(
      bareSeconds(({ same }) => same.seconds) / cold.seconds,
      '≥',
      TARGETS.coldOfSame,
    ),
    '… of a bare loop with documented works': row(
      bareSeconds(({ documented }) => documented.seconds) / cold.seconds,
      '≥',
      TARGETS.coldOfDocumented,
    ),
    'writes of a report meanwhile, most of one set': reports(cold),
    ...(statuses && {
      [`${applications} statuses to the Applications, after the last (s)`]: row(
        statuses.secondsAfterLast.applications,
        '≤',
        TARGETS.applicationsSeconds,
      ),
      '… to the reports (s)': row(
        statuses.secondsAfterLast.reports,
        '≤',
        TARGETS.readersSeconds,
      ),
      '… to the database (s)': row(
        statuses.secondsAfterLast.database,
        '≤',
        TARGETS.readersSeconds,
      ),
      'speed of the writers, as a share of that without the product': row(
        bareSeconds(({ statuses: { seconds } }) => seconds) /
          statuses.writers.seconds,
        '≥',
        TARGETS.writers,
      ),
      'writes of a report during statuses, most of one set': reports(statuses),
    }),
    'a work as stored (bytes)': row(
      hubBytes.after.work,
      '≤',
      TARGETS.workBytes,
    ),
    ...(changes && {
      'one change to its work, p95 (ms)': row(
        changes.workMs.p95,
        '<',
        TARGETS.changeP95Ms,
      ),
    }),
    ...(idle && {
      [`requests besides watches in ${idle.seconds} s without a change`]: row(
        idle.requestsBesidesWatches,
        '=',
        TARGETS.idleRequests,
      ),
    }),
  };
}

const MIB = 1024 * 1024;
const mib = bytes => Math.round(bytes / MIB);

/** One line of the table of costs: CPU time per unit of work, memory and event loop of the backend. */
function costs({ cpuMs, backend, machine }, units) {
  return {
    ...Object.fromEntries(
      Object.entries(cpuMs).map(([program, ms]) => [
        `${program} ms CPU`,
        round(ms / units, 2),
      ]),
    ),
    'heap MiB': mib(backend.mostHeap),
    'RSS MiB': mib(backend.mostRss),
    'late max ms': round(backend.lateMs.max),
    'late p99 ms': round(backend.lateMs.p99),
    'others %': Math.round(machine.others * 100),
  };
}

function printRealHub({
  applications,
  cold,
  statuses,
  changes,
  bare,
  ...more
}) {
  console.table({
    works: costs(cold, applications),
    ...(statuses && { statuses: costs(statuses, applications) }),
  });
  for (const [name, { requests }] of Object.entries({
    cold,
    statuses,
    idle: more.idle,
  }).filter(([, part]) => part)) {
    log(`The backend’s requests, ${name}: ${JSON.stringify(requests)}`);
  }
  const rate = seconds => round(applications / seconds);
  log(
    `Works a second: backend ${rate(cold.seconds)} (once begun ${round(cold.steadyPerSecond)}), bare loops ${bare.map(({ same }) => rate(same.seconds)).join(' and ')}, with documented works ${bare.map(({ documented }) => rate(documented.seconds)).join(' and ')}`,
  );
  if (statuses) {
    log(
      `Statuses a second: beside the backend ${rate(statuses.writers.seconds)}, alone ${bare.map(({ statuses: { seconds } }) => rate(seconds)).join(' and ')}`,
    );
  }
  if (changes) {
    const { workMs, notifiedMs, shownMs } = changes;
    const both = ({ p50, p95 }) => `${round(p50)} and ${round(p95)} ms`;
    log(
      `One change, median and p95: to its work ${both(workMs)}, to the event stream ${both(notifiedMs)}, to the API ${both(shownMs)}`,
    );
  }
  const { before, after } = more.hubBytes;
  log(
    `The hub with works and reports: etcd ${mib(after.etcd)} MiB (${mib(before.etcd)} before), kube-apiserver’s heap ${mib(after.apiServerHeap)} MiB (${mib(before.apiServerHeap)} before)`,
  );
  log(
    `Backend’s heap: ${mib(more.ready.heap)} MiB when ready, ${mib(more.afterwards.heap)} MiB afterwards; log ${mib(more.logBytes)} MiB`,
  );
}

/** Runs the benchmark; returns the figures. */
export async function benchWhole({
  directory,
  parts,
  clusters,
  applicationSets,
  idleSeconds,
}) {
  mkdirSync(directory, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-bench-'));
  try {
    await buildBackend();
    const results = {};
    const figures = {};
    if (
      parts.some(part => ['cold', 'statuses', 'changes', 'idle'].includes(part))
    ) {
      figures.realHub = await measureOnRealHub({
        ...{ folder, clusters, applicationSets, parts, idleSeconds },
      });
      printRealHub(figures.realHub);
      Object.assign(results, compareRealHub(figures.realHub));
    }
    console.table(results);
    return { results, ...figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
