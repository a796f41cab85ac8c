// Measures the whole product: the built backend with all its plugins in a process of its own. See README.md.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { log, round, row } from './figures.mjs';
import { buildBackend } from './whole/productionBackend.mjs';
import { measureOnRealHub } from './whole/realHub.mjs';
import { churnOnRealHub, measureOnEmbeddedHub } from './whole/steadyChurn.mjs';

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
  churnShare: 0.25,
  churnLateMs: 100,
  ownTurnMs: 50,
  /** Heap after steady churn, as a multiple of the heap before. */
  churnHeap: 1.1,
};

/** `statuses`, `changes` and `idle` need the works of `cold`, so they include it. */
const REAL_HUB_PARTS = ['cold', 'statuses', 'changes', 'idle'];
export const PARTS = [...REAL_HUB_PARTS, 'churn', 'start'];

/** Sizes of the fleets in steady churn. */
const REAL_CHURN = { clusters: 500, applicationSets: 20 };
const EMBEDDED_CHURN = { clusters: 3500, applicationSets: 20 };

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

/**
 * One line of the table of costs: CPU time per unit of work, and memory and event loop of the backend where it runs.
 */
function costs({ cpuMs, backend, machine }, units) {
  return {
    ...Object.fromEntries(
      Object.entries(cpuMs).map(([program, ms]) => [
        `${program} ms CPU`,
        round(ms / units, 2),
      ]),
    ),
    ...(backend && {
      'heap MiB': mib(backend.mostHeap),
      'RSS MiB': mib(backend.mostRss),
      'late max ms': round(backend.lateMs.max),
      'late p99 ms': round(backend.lateMs.p99),
    }),
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
    ...Object.fromEntries(
      bare.flatMap((loops, run) =>
        Object.entries(loops).map(([loop, figures]) => [
          `bare ${loop} ${run + 1}`,
          costs(figures, applications),
        ]),
      ),
    ),
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

function compareChurn({ clusters, share, lateMs, heap, turns }) {
  const name = `${clusters} clusters in churn`;
  return {
    [`${name}: CPU, as a share of a core`]: row(share, '<', TARGETS.churnShare),
    [`${name}: event loop delay, max (ms)`]: row(
      lateMs.max,
      '<',
      TARGETS.churnLateMs,
    ),
    [`${name}: longest turn of our code (ms CPU)`]: row(
      turns.own.ms,
      '≤',
      TARGETS.ownTurnMs,
    ),
    [`${name}: heap after, as a share of that before`]: row(
      heap.after / heap.before,
      '≤',
      TARGETS.churnHeap,
    ),
  };
}

function printChurn({
  clusters,
  applicationSets,
  changes,
  pages,
  hubBytes,
  ...figures
}) {
  const { rss, heap, lateMs, longestTurnMs, turns, machine, requests } =
    figures;
  log(
    `${clusters} clusters, ${changes} changes: heap ${mib(heap.before)} to ${mib(heap.after)} MiB, RSS ${rss.map(mib).join(', ')} MiB; late p99 ${round(lateMs.p99)} ms, longest turn ${round(longestTurnMs)} ms of CPU; pages of ${pages.rows} rows loaded ${pages.loads} times, median ${round(pages.medianMs)} ms, ${pages.errors} errors; others ${Math.round(machine.others * 100)} %`,
  );
  log(`The backend’s requests: ${JSON.stringify(requests)}`);
  log(
    `While profiled, the longest turns of the event loop: ${Object.entries(
      turns,
    )
      .map(([part, { ms }]) => `${part} ${round(ms)} ms`)
      .join(', ')}; our functions in theirs: ${turns.own.functions.join(', ')}`,
  );
  if (hubBytes) {
    const { before, after } = hubBytes;
    log(
      `${clusters * applicationSets} works with statuses and reports on the hub: etcd ${mib(after.etcd - before.etcd)} MiB, kube-apiserver’s heap ${mib(after.apiServerHeap - before.apiServerHeap)} MiB, resident ${mib(after.apiServerResident - before.apiServerResident)} MiB`,
    );
  }
}

function printStarts({ withoutFleet, empty, first, fleet }, applications) {
  const line = ({
    readyMs,
    firstAnswerMs,
    syncedMs,
    cpuMs,
    mostRss,
    heap,
    heapAtRest,
  }) => ({
    'ready s': round(readyMs / 1000),
    'first answer s': firstAnswerMs && round(firstAnswerMs / 1000),
    'synced s': syncedMs && round(syncedMs / 1000),
    'CPU s': round(cpuMs / 1000),
    'heap MiB': mib(heap),
    'heap at rest MiB': heapAtRest && mib(heapAtRest),
    'RSS MiB': mib(mostRss),
  });
  console.table({
    'without these plugins': line(withoutFleet),
    'empty hub': line(empty),
    [`${applications} works, first`]: line(first),
    [`${applications} works, later`]: line(fleet),
  });
}

/** Runs the benchmark; returns the figures. */
export async function benchWhole({
  directory,
  parts,
  clusters,
  applicationSets,
  idleSeconds,
  seconds,
  seed,
}) {
  mkdirSync(directory, { recursive: true });
  // In memory where possible: SQLite blocks the backend while a slow disk writes, which PostgreSQL would not.
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(parent, 'argocd-fleet-bench-'));
  try {
    await buildBackend();
    const results = {};
    const figures = {};
    if (parts.some(part => REAL_HUB_PARTS.includes(part))) {
      figures.realHub = await measureOnRealHub({
        ...{ folder, clusters, applicationSets, parts, idleSeconds },
      });
      printRealHub(figures.realHub);
      Object.assign(results, compareRealHub(figures.realHub));
    }
    if (parts.includes('churn')) {
      figures.realChurn = await churnOnRealHub({
        ...{ folder, ...REAL_CHURN, seconds },
      });
      printChurn(figures.realChurn);
      Object.assign(results, compareChurn(figures.realChurn));
    }
    if (parts.includes('churn') || parts.includes('start')) {
      const embedded = await measureOnEmbeddedHub({
        ...{ folder, ...EMBEDDED_CHURN, seconds, seed, parts },
      });
      figures.embedded = embedded;
      if (embedded.starts) {
        printStarts(embedded.starts, embedded.applications);
      }
      if (embedded.churn) {
        printChurn(embedded.churn);
        Object.assign(results, compareChurn(embedded.churn));
      }
    }
    console.table(results);
    return { results, ...figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
