// Measures the cost and the speed of the controllers. See README.md.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { log, round, row } from './figures.mjs';
import { start } from './processes.mjs';
import { findOrBuildControlPlane } from '../scripts/real-hub/build.mjs';
import { startControlPlane } from '../scripts/real-hub/start.mjs';

/** The documented limits. */
const TARGETS = {
  createsRatio: 0.7,
  statusSeconds: 20,
  statusesOfTarget: 5000,
  /** For as many deletions as statuses. */
  deletionSeconds: 20,
  changeP95Ms: 300,
  heapBytes: 2048,
  passCpuMs: 200,
  passObjects: 50_000,
  /**
   * Cost per object at the largest size, as a multiple of the cost at the next smaller one; above this limit, cost is
   * not linear.
   */
  linearity: 1.5,
};

const APPLICATION_SETS = 20;

async function startEmbedded(folder, snapshot) {
  const kubeconfig = join(folder, 'kubeconfig');
  const child = start(
    'controllers/benchHub.ts',
    snapshot ? [kubeconfig, snapshot] : [kubeconfig],
    ['--max-old-space-size=6000'],
  );
  await child.message();
  return {
    kubeconfig,
    requests: () => child.request('requests'),
    stop: () => child.stop(),
  };
}

async function startReal() {
  const { binaries, missing } = await findOrBuildControlPlane();
  if (missing) {
    throw new Error(missing);
  }
  const hub = await startControlPlane({ binaries });
  return {
    kubeconfig: hub.kubeconfigPath,
    etcdUrl: hub.etcdUrl,
    // kube-apiserver runs without a request log here: only the client's counts are available.
    requests: undefined,
    stop: () => hub.stop(),
  };
}

async function measureWrites(hub, applications) {
  const child = start('controllers/writes.ts', [
    hub.kubeconfig,
    String(applications),
    ...(hub.etcdUrl ? [hub.etcdUrl] : []),
  ]);
  await child.message();
  await hub.requests?.();
  await child.request('noted');
  const requestsSeenByHub = await hub.requests?.();
  const figures = await child.request('noted');
  return {
    ...figures,
    status: { ...figures.status, requestsSeenByHub },
  };
}

async function measureSize(folder, applications, seed) {
  const snapshot = join(folder, `fleet-${applications}.ndjson.gz`);
  const clusters = Math.ceil(applications / APPLICATION_SETS);
  const generator = start(
    'makeSnapshot.ts',
    [snapshot, clusters, APPLICATION_SETS, seed].map(String),
  );
  await generator.message();
  const hub = await startEmbedded(folder, snapshot);
  try {
    const child = start(
      'controllers/size.ts',
      [hub.kubeconfig],
      ['--expose-gc', '--max-old-space-size=4000'],
    );
    return await child.message();
  } finally {
    await hub.stop();
    rmSync(snapshot);
  }
}

/** Logs the CPU time per status of each process. Unlike seconds, it is meaningful on a busy machine. */
function logCpuPerStatus({ cpuMsPerStatus, hubCpuMsPerStatus, machine }) {
  const spent = Object.entries({
    ...hubCpuMsPerStatus,
    controllers: cpuMsPerStatus,
  });
  log(
    `CPU per status: ${spent.map(([name, ms]) => `${name} ${round(ms, 2)} ms`).join(', ')}; the machine was ${Math.round(machine.idle * 100)} % idle, and other processes used ${Math.round(machine.others * 100)} %`,
  );
}

/** Writes per status, and the number of all other requests to the hub during that time. */
function requestsPerStatus({ applications, status }) {
  const counted = Object.entries(status.requests);
  const writes = counted
    .filter(([request]) => request === 'patch applications')
    .reduce((sum, [, count]) => sum + count, 0);
  const others = counted
    // Watches restart after their timeout, whether statuses change or not.
    .filter(([request]) => !/^(patch applications|watch .*)$/.test(request))
    .reduce((sum, [, count]) => sum + count, 0);
  return { writes: writes / applications, others };
}

function compareWithTargets(writes, sizes) {
  const largest = sizes.at(-1);
  const base = sizes.length > 2 ? sizes.at(-2) : sizes[0];
  const pass = size => Math.max(...Object.values(size.passCpuMs));
  const perKeyUs = size => (pass(size) * 1000) / size.applications;
  const perStatus = requestsPerStatus(writes);
  const statusSeconds =
    (writes.status.seconds * TARGETS.statusesOfTarget) / writes.applications;
  const passAtTarget = (perKeyUs(largest) * TARGETS.passObjects) / 1000;
  return {
    'creates, as a share of a bare loop’s rate': row(
      writes.creates.ratio,
      '≥',
      TARGETS.createsRatio,
    ),
    [`${TARGETS.statusesOfTarget} statuses to their Applications (s)`]: row(
      statusSeconds,
      '<',
      TARGETS.statusSeconds,
    ),
    [`${TARGETS.statusesOfTarget} ordered deletions of works (s)`]: row(
      (writes.deletions.seconds * TARGETS.statusesOfTarget) /
        writes.applications,
      '<',
      TARGETS.deletionSeconds,
    ),
    'writes per status': row(perStatus.writes, '=', 1),
    'other requests': row(perStatus.others, '=', 0),
    'one change to its work, p95 (ms)': row(
      writes.changes.p95Ms,
      '<',
      TARGETS.changeP95Ms,
    ),
    'heap per object, cache (bytes)': row(
      largest.cachedBytesPerObject,
      '<',
      TARGETS.heapBytes,
    ),
    'heap per object, cache and controllers (bytes)': row(
      largest.heapBytesPerObject,
      '<',
      TARGETS.heapBytes,
    ),
    [`no-change pass over ${TARGETS.passObjects} (ms CPU)`]: row(
      passAtTarget,
      '<',
      TARGETS.passCpuMs,
    ),
    [`pass per key, ${largest.applications} to ${base.applications}`]: row(
      perKeyUs(largest) / perKeyUs(base),
      '≤',
      TARGETS.linearity,
    ),
    [`reading per object, ${largest.applications} to ${base.applications}`]:
      row(
        largest.readingCpuUsPerObject / base.readingCpuUsPerObject,
        '≤',
        TARGETS.linearity,
      ),
  };
}

/** Runs the benchmark; returns the figures. */
export async function benchControllers({
  directory,
  hub: kind,
  applications,
  sizes: sizesToMeasure,
  seed,
}) {
  mkdirSync(directory, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-bench-'));
  try {
    log(`Starting ${kind === 'real' ? 'etcd and kube-apiserver' : 'a hub'}`);
    const hub =
      kind === 'real' ? await startReal() : await startEmbedded(folder);
    let writes;
    try {
      writes = await measureWrites(hub, applications);
    } finally {
      await hub.stop();
    }
    const sizes = [];
    for (const size of sizesToMeasure) {
      log(`Heap and cost of a pass with ${size} Applications (embedded hub)`);
      sizes.push(await measureSize(folder, size, seed));
    }
    console.table(
      sizes.map(size => ({
        Applications: size.applications,
        works: size.works,
        'heap B/object': Math.round(size.heapBytesPerObject),
        'of which cache': Math.round(size.cachedBytesPerObject),
        'reading µs/object': round(size.readingCpuUsPerObject),
        ...Object.fromEntries(
          Object.entries(size.passCpuMs).map(([name, ms]) => [
            `${name} pass ms`,
            round(ms),
          ]),
        ),
      })),
    );
    const results = compareWithTargets(writes, sizes);
    console.table(results);
    if (kind === 'real') {
      logCpuPerStatus(writes.status);
    }
    return { hub: kind, seed, results, writes, sizes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
