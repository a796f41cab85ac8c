// The parts of the benchmark on a real hub: a cold start of propagation, statuses, single changes, and rest.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { countRequests, followAuditLog } from './auditLog.mjs';
import { startProductionBackend } from './productionBackend.mjs';
import { log, percentile, round } from '../figures.mjs';
import { start } from '../processes.mjs';
import { findOrBuildControlPlane } from '../../scripts/real-hub/build.mjs';
import { startControlPlane } from '../../scripts/real-hub/start.mjs';

const REPORTS = 'multiclusterapplicationsetreports';
const POLL_MS = 250;
/** The product rests when it has sent nothing to the hub for so long. */
const QUIET_MS = 4_000;
const CHANGES = 50;

/** Starts a process that plays the rest of the world on a hub; `order` sends it one order and resolves when it is done. */
export async function startLoad({
  kubeconfig,
  clusters,
  applicationSets,
  etcdUrl,
}) {
  const child = start(
    'whole/fleetLoad.ts',
    [kubeconfig, clusters, applicationSets, ...(etcdUrl ? [etcdUrl] : [])].map(
      String,
    ),
    ['--max-old-space-size=4000'],
  );
  await child.message();
  return {
    order: (name, ...args) => child.request({ name, args }),
    stop: () => child.stop(),
  };
}

/** Starts a real hub with its load; the audit log tells the product's requests from those of others. */
export async function startRealHub(size) {
  const { binaries, missing } = await findOrBuildControlPlane();
  if (missing) {
    throw new Error(missing);
  }
  const hub = await startControlPlane({ binaries, auditLog: true });
  const load = await startLoad({
    kubeconfig: hub.kubeconfigPath,
    etcdUrl: hub.etcdUrl,
    ...size,
  });
  const audit = followAuditLog(hub.auditLogPath);
  return {
    kubeconfig: hub.kubeconfigPath,
    ...{ load, audit },
    async stop() {
      audit.close();
      await load.stop();
      await hub.stop();
    },
  };
}

/** Collects the product's requests until `isDone`, asked after each poll, is true; then returns them. */
async function requestsUntil(audit, what, timeoutMs, isDone) {
  const requests = [];
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    for (const request of await audit.read()) {
      requests.push(request);
    }
    if (await isDone(requests)) {
      return requests;
    }
    if (Date.now() > deadline) {
      throw new Error(
        `Not within ${timeoutMs / 1000} s: ${what}. Requests: ${JSON.stringify(countRequests(requests))}`,
      );
    }
    await setTimeout(POLL_MS);
  }
}

const isWatch = ({ verb }) => verb === 'watch';

/** Waits until the product has sent nothing but watches for a while. */
export function untilQuiet(audit) {
  let quietSince = Date.now();
  let seen = 0;
  return requestsUntil(audit, 'the product rests', 300_000, requests => {
    const last = requests
      .slice(seen)
      .filter(r => !isWatch(r))
      .at(-1);
    seen = requests.length;
    if (last) {
      quietSince = Math.max(last.at, quietSince);
    }
    return Date.now() - quietSince > QUIET_MS;
  });
}

/** Starts to measure CPU, memory and requests of all processes; the returned function ends it. */
export async function measureAll(load, backend) {
  const totalsBefore = await load.order('requestTotals');
  await load.order('startMeasuring');
  const cpuBefore = process.cpuUsage();
  await backend?.figures();
  const startedAt = performance.now();
  return async () => {
    const product = await backend?.figures();
    const capacityMs = (performance.now() - startedAt) * availableParallelism();
    const { ownCpuMs, hubCpuMs, idle, others } = await load.order('measured');
    const { user, system } = process.cpuUsage(cpuBefore);
    const known = ((user + system) / 1000 + (product?.cpuMs ?? 0)) / capacityMs;
    const totals = await load.order('requestTotals');
    return {
      cpuMs: {
        ...(product && { backend: product.cpuMs }),
        ...hubCpuMs,
        load: ownCpuMs,
      },
      machine: { idle, others: Math.max(0, others - known) },
      backend: product,
      // Of all clients, as the API server counts them.
      requestTotals: Object.fromEntries(
        Object.entries(totals)
          .map(([kind, count]) => [kind, count - (totalsBefore[kind] ?? 0)])
          .filter(([, count]) => count > 0)
          .sort(([, a], [, b]) => b - a),
      ),
    };
  };
}

/** Writes of reports: of all sets, and of the set with the most, against its limit of 2 + one a second. */
function reportWrites(requests, seconds) {
  const bySet = {};
  for (const { resource, verb, name, namespace } of requests) {
    if (resource === REPORTS && /patch|update|create/.test(verb)) {
      // A request that creates a report has no name when it is received.
      const key = name ?? `${namespace} (created)`;
      bySet[key] = (bySet[key] ?? 0) + (name ? 1 : 0);
    }
  }
  const all = requests.filter(
    ({ resource, verb }) =>
      resource === REPORTS && /patch|update|create/.test(verb),
  ).length;
  return {
    all,
    mostOfOneSet: Math.max(0, ...Object.values(bySet)),
    allowedForOneSet: 2 + seconds,
  };
}

/** Runs one bare loop, and measures its CPU time. */
async function bareLoop(load, name, kind) {
  const measured = await measureAll(load);
  const figures = await load.order(name, kind);
  const { cpuMs, machine } = await measured();
  return { ...figures, cpuMs, machine };
}

async function bareLoops(load) {
  const same = await bareLoop(load, 'bareWorks', 'same');
  const statuses = await bareLoop(load, 'reportStatuses', 'bare');
  await load.order('deleteBareWorks');
  const documented = await bareLoop(load, 'bareWorks', 'documented');
  await load.order('deleteBareWorks');
  const seconds = [same, statuses, documented].map(loop => loop.seconds);
  log(
    `Seconds for works, statuses, and documented works: ${seconds.map(s => round(s)).join(', ')}`,
  );
  return { same, statuses, documented };
}

const isCreatedWork = ({ verb, resource }) =>
  verb === 'create' && resource === 'manifestworks';
const isApplicationPatch = ({ verb, resource }) =>
  verb === 'patch' && resource.startsWith('applications');

/** All Applications wait for a decision; once it is there, all works are created. */
async function measureCold({ load, audit, backend, applications }) {
  log('Their works by the backend');
  const measured = await measureAll(load, backend);
  audit.read();
  const { startedAt } = await load.order('authorise');
  const requests = await requestsUntil(
    audit,
    'all works are created',
    300_000,
    // A refused request is logged too, so the hub decides.
    async all =>
      all.filter(isCreatedWork).length >= applications &&
      (await load.order('works')).works === applications,
  );
  const created = requests.filter(isCreatedWork).map(({ at }) => at);
  const seconds = (created.at(-1) - startedAt) / 1000;
  const figures = await measured();
  // The last report may still be due.
  const all = [...requests, ...(await untilQuiet(audit))];
  return {
    seconds,
    firstWorkSeconds: (created[0] - startedAt) / 1000,
    steadyPerSecond:
      (applications - 1) / ((created.at(-1) - created[0]) / 1000),
    requests: countRequests(all),
    reports: reportWrites(all, (all.at(-1).at - startedAt) / 1000),
    ...figures,
  };
}

/** The agents report all statuses at once. */
async function measureStatuses({
  load,
  audit,
  backend,
  applications,
  clusters,
}) {
  log('Their statuses while the backend runs');
  const database = new Database(backend.database, { readonly: true });
  const recorded = database.prepare(
    "select count(*) as healthy, max(updated_at) as last from fleet_applications where health = 'Healthy'",
  );
  const measured = await measureAll(load, backend);
  audit.read();
  const requests = [];
  let written;
  const writing = load.order('reportStatuses', 'product').then(result => {
    written = result;
  });
  const onApplications = await requestsUntil(
    audit,
    'all statuses are on the Applications',
    400_000,
    all =>
      written !== undefined &&
      all.filter(isApplicationPatch).length >= applications,
  );
  await writing;
  requests.push(...onApplications);
  let recordedAt;
  let listedAt;
  requests.push(
    ...(await requestsUntil(
      audit,
      'all statuses are in the database and in the API',
      120_000,
      async () => {
        const { healthy, last } = recorded.get();
        recordedAt ??= healthy >= applications ? last : undefined;
        if (!listedAt) {
          const list = await backend.api('/applicationsets');
          const listed = list.items.reduce(
            (sum, { summary }) => sum + summary.health.Healthy,
            0,
          );
          listedAt = listed >= applications ? Date.now() : undefined;
        }
        return recordedAt !== undefined && listedAt !== undefined;
      },
    )),
  );
  database.close();
  const figures = await measured();
  requests.push(...(await untilQuiet(audit)));
  const { healthy } = await load.order('state');
  if (
    healthy.applications !== applications ||
    healthy.reported !== applications
  ) {
    throw new Error(
      `Of ${applications} Applications, ${healthy.applications} are Healthy on the hub and ${healthy.reported} in reports, of ${clusters} clusters`,
    );
  }
  const after = times => (Math.max(...times) - written.endedAt) / 1000;
  const times = matches => requests.filter(matches).map(({ at }) => at);
  const reportedAt = times(
    ({ resource, verb }) => resource === REPORTS && verb !== 'watch',
  );
  const lastAt = Math.max(written.endedAt, ...reportedAt);
  return {
    writers: written,
    secondsAfterLast: {
      applications: after(times(isApplicationPatch)),
      reports: after(reportedAt),
      database: (recordedAt - written.endedAt) / 1000,
      api: (listedAt - written.endedAt) / 1000,
    },
    requests: countRequests(requests),
    reports: reportWrites(requests, (lastAt - written.startedAt) / 1000),
    ...figures,
  };
}

async function measureIdle({ audit, backend }, seconds) {
  log(`${seconds} s without a change`);
  await untilQuiet(audit);
  await backend.figures();
  await setTimeout(seconds * 1000);
  const figures = await backend.figures();
  const requests = audit.read();
  const besides = requests.filter(request => !isWatch(request));
  return {
    seconds,
    requestsBesidesWatches: besides.length,
    requests: countRequests(requests),
    share: figures.cpuMs / (seconds * 1000),
    ...figures,
  };
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95) };
}

async function measureChanges({ load, backend }) {
  log(`${CHANGES} single changes to works, and to pages`);
  const { taken } = await load.order('changeSpecs', CHANGES);
  const { notified, shown } = await load.order(
    'changePages',
    CHANGES,
    backend.url,
    backend.token,
  );
  return {
    workMs: spread(taken),
    notifiedMs: spread(notified),
    shownMs: spread(shown),
  };
}

/** Measures on one real hub what `parts` names: cold, statuses, changes, idle. */
export async function measureOnRealHub({
  folder,
  clusters,
  applicationSets,
  parts,
  idleSeconds,
}) {
  const applications = clusters * applicationSets;
  log('Starting etcd and kube-apiserver');
  const hub = await startRealHub({ clusters, applicationSets });
  const { load, audit } = hub;
  let backend;
  try {
    log(
      `Creating ${applications} Applications of ${applicationSets} ApplicationSets on ${clusters} clusters`,
    );
    await load.order('prepare');
    log('Their works, and statuses, by bare loops');
    const before = await bareLoops(load);
    const bytesBefore = await load.order('hubBytes');
    backend = await startProductionBackend({
      folder: join(folder, 'backend'),
      kubeconfig: hub.kubeconfig,
    });
    await setTimeout(2_000);
    await untilQuiet(audit);
    const ready = await backend.collect();
    const context = { ...{ load, audit, backend, applications, clusters } };
    const cold = await measureCold(context);
    log(`${round(applications / cold.seconds)} works a second`);
    const figures = { applications, clusters, applicationSets, ready, cold };
    if (parts.includes('statuses')) {
      figures.statuses = await measureStatuses(context);
    }
    const bytesAfter = await load.order('hubBytes');
    figures.hubBytes = { before: bytesBefore, after: bytesAfter };
    if (parts.includes('changes')) {
      figures.changes = await measureChanges(context);
    }
    if (parts.includes('idle')) {
      figures.idle = await measureIdle(context, idleSeconds);
    }
    figures.afterwards = await backend.collect();
    figures.logBytes = backend.output().length;
    await backend.stop();
    backend = undefined;
    log('Works, and statuses, by bare loops once more');
    return { ...figures, bare: [before, await bareLoops(load)] };
  } finally {
    await backend?.stop();
    await hub.stop();
  }
}
