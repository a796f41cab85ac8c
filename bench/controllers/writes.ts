// Measures creates, statuses, single changes and deletions: writes.ts KUBECONFIG APPLICATIONS [ETCD_URL of a real hub]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createControllersUnderTest,
  until,
  type ControllersUnderTest,
} from './controllersUnderTest';
import {
  application,
  applicationSet,
  bareWork,
  cluster,
  clusterName,
  createPlacement,
  NAMESPACE,
  pathOf,
  placementDecision,
  reportedStatus,
  setName,
  worksPath,
} from './fleetObjects';
import { openDatabase } from './database';
import { createHubCalls, forEachAtOnce, type HubCalls } from './hubCalls';
import { measureMachine } from './machineUsage';

const [kubeconfig, applicationsArgument, etcdUrl] = process.argv.slice(2);
const APPLICATIONS = Number(applicationsArgument);
const CLUSTERS = Math.max(1, Math.round(APPLICATIONS / 50));
/** The controllers' default. */
const CONCURRENCY = 10;
const CHANGES = 100;

const log = (text: string) => process.stderr.write(`  ${text}\n`);

/** Notifies the parent and waits until it has read the hub's request counts. */
async function notifyParent(what: string) {
  const answered = new Promise(resolve => {
    process.once('message', resolve);
  });
  process.send?.({ bench: what });
  await answered;
}

function setNames(): string[] {
  const names = Array.from({ length: APPLICATIONS }, (_, i) =>
    setName(i, CLUSTERS),
  );
  return [...new Set(names)];
}

async function prepare(calls: HubCalls) {
  const { call } = calls;
  const clusters = Array.from({ length: CLUSTERS }, (_, i) => clusterName(i));
  await forEachAtOnce([NAMESPACE, ...clusters], CONCURRENCY, name =>
    call('POST', pathOf('namespaces'), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    }),
  );
  await forEachAtOnce(clusters, CONCURRENCY, name =>
    call('POST', pathOf('clusters'), cluster(name)),
  );
  const decision = placementDecision(await createPlacement(calls), 1);
  await call('POST', pathOf('decisions'), decision);
  await call('PATCH', `${pathOf('decisions', decision.metadata.name)}/status`, {
    status: {
      decisions: clusters.map(name => ({
        clusterName: name,
        reason: '',
      })),
    },
  });
  const setUids = new Map<string, string>();
  await forEachAtOnce(setNames(), CONCURRENCY, async name => {
    const { metadata } = await call<{ metadata: { uid: string } }>(
      'POST',
      pathOf('applicationSets'),
      applicationSet(name),
    );
    setUids.set(name, metadata.uid);
  });
  const objects = Array.from({ length: APPLICATIONS }, (_, i) =>
    application(i, CLUSTERS, setUids.get(setName(i, CLUSTERS))),
  );
  await forEachAtOnce(objects, CONCURRENCY, object =>
    call('POST', pathOf('applications'), object),
  );
}

/** Creates the works of all Applications with plain requests, and deletes them again. */
async function bareLoop({ call }: HubCalls) {
  const works = Array.from({ length: APPLICATIONS }, (_, i) =>
    bareWork(application(i, CLUSTERS)),
  );
  const cpu = process.cpuUsage();
  const seconds = await forEachAtOnce(works, CONCURRENCY, work =>
    call('POST', worksPath(work.metadata.namespace ?? ''), work),
  );
  const { user, system } = process.cpuUsage(cpu);
  const deletionSeconds = await forEachAtOnce(
    works,
    CONCURRENCY,
    ({ metadata }) =>
      call('DELETE', worksPath(metadata.namespace ?? '', metadata.name)),
  );
  return { seconds, deletionSeconds, cpuMs: (user + system) / 1000 };
}

/** Measures propagation of new Applications. */
async function creates(controllers: ControllersUnderTest) {
  const { cache } = controllers;
  await until(
    () => cache.applications.size === APPLICATIONS && cache.works.size === 0,
    'the cache has all Applications and no work',
  );
  controllers.requests();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const stop = controllers.start('propagation');
  await until(
    () => controllers.writes('propagation') >= APPLICATIONS,
    'each Application has its work',
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await stop();
  return {
    seconds,
    cpuMs: (user + system) / 1000,
    requests: controllers.requests(),
  };
}

/** Reads the metrics of a real hub's programs. */
function hubMetrics({ read }: HubCalls): Parameters<typeof measureMachine>[0] {
  return etcdUrl
    ? {
        'kube-apiserver': () => read('/metrics'),
        etcd: async () => (await fetch(`${etcdUrl}/metrics`)).text(),
      }
    : {};
}

/** Measures the status updates of hub Applications after the agents' reports. */
async function statuses(controllers: ControllersUnderTest, calls: HubCalls) {
  const { call } = calls;
  const { cache } = controllers;
  await until(
    () => cache.works.size === APPLICATIONS,
    'the works of the bare loop are deleted',
  );
  // After a first pass without changes, only the reported statuses are left to write.
  const stopFirst = controllers.start('applicationStatus');
  await until(
    () => controllers.passes('applicationStatus') > 0,
    'a first pass over all statuses',
  );
  await stopFirst();
  await forEachAtOnce([...cache.works.list()], CONCURRENCY, work => {
    const { namespace = '', name, annotations } = work.metadata;
    const hubName =
      annotations?.['apps.open-cluster-management.io/hub-application-name'];
    const hubApplication = cache.applications.get(`${NAMESPACE}/${hubName}`);
    return call('PATCH', `${worksPath(namespace, name)}/status`, {
      status: reportedStatus(work, hubApplication!),
    });
  });
  await until(
    () => [...cache.works.list()].every(({ status }) => status?.resourceStatus),
    'the cache has all statuses',
  );
  controllers.requests();
  await notifyParent('statuses begin');
  const areUpdated = () =>
    [...cache.applications.list()].every(
      ({ status }) => status?.health?.status === 'Healthy',
    );
  const writesBefore = controllers.writes('applicationStatus');
  const writes = () => controllers.writes('applicationStatus') - writesBefore;
  const machineSince = await measureMachine(hubMetrics(calls));
  const startedAt = performance.now();
  const stop = controllers.start('applicationStatus');
  await until(() => writes() >= APPLICATIONS, 'each status was written');
  const seconds = (performance.now() - startedAt) / 1000;
  const { ownCpuMs, hubCpuMs, idle, others } = await machineSince();
  await until(areUpdated, 'each hub Application is Healthy');
  await notifyParent('statuses end');
  await stop();
  return {
    seconds,
    cpuMsPerStatus: ownCpuMs / APPLICATIONS,
    hubCpuMsPerStatus: Object.fromEntries(
      Object.entries(hubCpuMs).map(([program, ms]) => [
        program,
        ms / APPLICATIONS,
      ]),
    ),
    machine: { idle, others },
    requests: controllers.requests(),
  };
}

/** Measures the time from one change of an Application to the hub's response to the write of its work. */
async function latency(controllers: ControllersUnderTest, { call }: HubCalls) {
  const stop = controllers.start('propagation', 'applicationStatus');
  await until(
    () => controllers.passes('propagation') > 1,
    'a pass over everything',
  );
  const taken: number[] = [];
  for (let i = 0; i < CHANGES; i += 1) {
    const { metadata } = application(
      Math.floor((i * APPLICATIONS) / CHANGES),
      CLUSTERS,
    );
    const startedAt = performance.now();
    const written = new Promise<void>(resolve => {
      controllers.onWrite((verb, resource) => {
        if (verb === 'patch' && resource === 'manifestworks') {
          resolve();
        }
      });
    });
    await call('PATCH', pathOf('applications', metadata.name), {
      spec: { source: { targetRevision: `v2.${i}` } },
    });
    await written;
    taken.push(performance.now() - startedAt);
  }
  controllers.onWrite(undefined);
  await stop();
  taken.sort((a, b) => a - b);
  return {
    p50Ms: taken[Math.floor(CHANGES * 0.5)],
    p95Ms: taken[Math.floor(CHANGES * 0.95)],
    maxMs: taken[CHANGES - 1],
  };
}

/** Measures from the deletion of all ApplicationSets and their Applications until all works and Applications are gone. */
async function deletions(
  controllers: ControllersUnderTest,
  { call }: HubCalls,
) {
  const { cache } = controllers;
  const passes = controllers.passes('propagation');
  const stop = controllers.start('propagation');
  await until(
    () => controllers.passes('propagation') > passes,
    'a pass over everything',
  );
  controllers.requests();
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await forEachAtOnce(setNames(), CONCURRENCY, name =>
    call('DELETE', pathOf('applicationSets', name)),
  );
  await forEachAtOnce(
    [...cache.applications.list()],
    CONCURRENCY,
    ({ metadata }) => call('DELETE', pathOf('applications', metadata.name)),
  );
  const requestedSeconds = (performance.now() - startedAt) / 1000;
  await until(
    () => cache.works.size === 0 && cache.applications.size === 0,
    'all works and Applications are gone',
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  await stop();
  return {
    seconds,
    requestedSeconds,
    cpuMs: (user + system) / 1000,
    requests: controllers.requests(),
  };
}

async function main() {
  const calls = createHubCalls(kubeconfig);
  log(`Creating ${APPLICATIONS} Applications on ${CLUSTERS} clusters`);
  await prepare(calls);
  log('Their works by a bare loop');
  const before = await bareLoop(calls);
  const folder = mkdtempSync(join(tmpdir(), 'argocd-fleet-bench-'));
  const database = await openDatabase(join(folder, 'fleet.sqlite'));
  const controllers = await createControllersUnderTest({
    kubeconfig,
    removals: database.removals,
    fullPassEveryMs: 2_000,
  });
  log('Their works by the controllers');
  const created = await creates(controllers);
  log('Changed statuses');
  const status = await statuses(controllers, calls);
  log('Single changes');
  const changes = await latency(controllers, calls);
  log('Ordered deletions');
  const deleted = await deletions(controllers, calls);
  await controllers.close();
  await database.close();
  rmSync(folder, { recursive: true });
  log('The works by a bare loop once more');
  const after = await bareLoop(calls);
  await calls.close();
  const bareSeconds = (before.seconds + after.seconds) / 2;
  process.send?.({
    bench: {
      applications: APPLICATIONS,
      creates: {
        ...created,
        bareSeconds: [before.seconds, after.seconds],
        bareCpuMs: [before.cpuMs, after.cpuMs],
        ratio: bareSeconds / created.seconds,
      },
      status,
      changes,
      deletions: {
        ...deleted,
        bareSeconds: [before.deletionSeconds, after.deletionSeconds],
      },
    },
  });
  process.disconnect();
}

main().catch(error => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
