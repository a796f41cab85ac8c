// Plays Argo CD, placement and the agents on a hub: fleetLoad.ts KUBECONFIG CLUSTERS APPLICATION_SETS [ETCD_URL]. Its
// parent sends orders; each is answered when it is done.
import type {
  ArgoApplication,
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { createArgocdFleetClient } from 'backstage-plugin-argocd-fleet-common';
import { buildManifestWork } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/workPlan';
import {
  application,
  bareWork,
  cluster,
  clusterName,
  createPlacement,
  DOCUMENTED_WORK,
  NAMESPACE,
  pathOf,
  placementDecision,
  reportedStatus,
  worksPath,
} from '../controllers/fleetObjects';
import { createHubCalls, forEachAtOnce } from '../controllers/hubCalls';
import { measureMachine } from '../controllers/machineUsage';
import { createHealthChange } from '../status/workHealth';

const [kubeconfig, clustersArgument, setsArgument, etcdUrl] =
  process.argv.slice(2);
const CLUSTERS = Number(clustersArgument);
const SETS = Number(setsArgument);
const APPLICATIONS = CLUSTERS * SETS;
/** As many as the controllers by default, and as the agents that report at the same time. */
const CONCURRENCY = 10;
/** Open Cluster Management writes at most so many clusters into one decision. */
const CLUSTERS_PER_DECISION = 100;
const PAGE = 500;
const WORKS = '/apis/work.open-cluster-management.io/v1/manifestworks';
const APPLICATIONS_PATH = pathOf('applications');
const TARGET = 'apps.open-cluster-management.io/ocm-managed-cluster';
const HUB_NAME = 'apps.open-cluster-management.io/hub-application-name';
const BARE_NAME = 'bench.example.com/name';
const PLACEMENT_LABEL = 'cluster.open-cluster-management.io/placement';

const calls = createHubCalls(kubeconfig);
const { call, read, close } = calls;
const changeHealth = createHealthChange(call);
const clusters = Array.from({ length: CLUSTERS }, (_, i) => clusterName(i));

interface Page<T> {
  readonly items: readonly T[];
  readonly metadata: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
}

/** Calls `visit` for each object of a resource, page by page. */
async function visitAll<T extends KubernetesObject>(
  path: string,
  visit: (object: T) => void,
) {
  let token: string | undefined;
  do {
    const page = await call<Page<T>>(
      'GET',
      `${path}?limit=${PAGE}${token ? `&continue=${encodeURIComponent(token)}` : ''}`,
    );
    page.items.forEach(visit);
    token = page.metadata.continue;
  } while (token);
}

function applicationSet(name: string) {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name },
    spec: {
      generators: [
        {
          clusterDecisionResource: {
            configMapRef: 'ocm-placement-generator',
            labelSelector: { matchLabels: { [PLACEMENT_LABEL]: 'stores' } },
            requeueAfterSeconds: 180,
          },
        },
      ],
      template: {
        metadata: {
          name: `{{name}}-${name}`,
          labels: {
            'apps.open-cluster-management.io/pull-to-ocm-managed-cluster':
              'true',
          },
          annotations: {
            'apps.open-cluster-management.io/ocm-managed-cluster': '{{name}}',
          },
        },
        spec: application(0, 1).spec,
      },
    },
  };
}

const setName = (index: number) => `shop-${index}`;

/** The decisions of the placement, once it exists, without their status. */
let decisions: readonly ReturnType<typeof placementDecision>[] = [];

/** Creates everything but the decisions' status: no Application may be delivered yet. */
async function prepare() {
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
  const placement = await createPlacement(calls);
  decisions = Array.from(
    { length: Math.ceil(CLUSTERS / CLUSTERS_PER_DECISION) },
    (_, i) => placementDecision(placement, i + 1),
  );
  for (const decision of decisions) {
    await call('POST', pathOf('decisions'), decision);
  }
  const owners: object[] = [];
  for (let i = 0; i < SETS; i += 1) {
    const { apiVersion, kind, metadata } = await call<KubernetesObject>(
      'POST',
      pathOf('applicationSets'),
      applicationSet(setName(i)),
    );
    owners.push({
      ...{ apiVersion, kind, name: metadata.name, uid: metadata.uid },
      controller: true,
      blockOwnerDeletion: true,
    });
  }
  const indexes = Array.from({ length: APPLICATIONS }, (_, i) => i);
  return {
    seconds: await forEachAtOnce(indexes, CONCURRENCY, index => {
      const { metadata, ...rest } = application(index, CLUSTERS);
      const ownerReferences = [owners[Math.floor(index / CLUSTERS)]];
      return call('POST', APPLICATIONS_PATH, {
        ...rest,
        metadata: { ...metadata, ownerReferences },
      });
    }),
  };
}

/** Lets the placement select every cluster: all Applications may be delivered at once. */
async function authorise() {
  const startedAt = Date.now();
  await Promise.all(
    decisions.map(({ metadata: { name } }, i) =>
      call('PATCH', `${pathOf('decisions', name)}/status`, {
        status: {
          decisions: clusters
            .slice(i * CLUSTERS_PER_DECISION, (i + 1) * CLUSTERS_PER_DECISION)
            .map(clusterName_ => ({ clusterName: clusterName_, reason: '' })),
        },
      }),
    ),
  );
  return { startedAt };
}

/** Creates the works of all Applications with plain requests. */
async function bareWorks(kind: 'same' | 'documented') {
  const works = Array.from({ length: APPLICATIONS }, (_, i) =>
    bareWork(
      application(i, CLUSTERS),
      kind === 'documented' ? DOCUMENTED_WORK : undefined,
    ),
  );
  const bytes = JSON.stringify(works[0]).length;
  const seconds = await forEachAtOnce(works, CONCURRENCY, work =>
    call('POST', worksPath(work.metadata.namespace ?? ''), work),
  );
  return { seconds, bytes };
}

async function deleteBareWorks() {
  const names = Array.from(
    { length: APPLICATIONS },
    (_, i) => bareWork(application(i, CLUSTERS)).metadata,
  );
  const seconds = await forEachAtOnce(
    names,
    CONCURRENCY,
    ({ namespace = '', name }) => call('DELETE', worksPath(namespace, name)),
  );
  return { seconds };
}

/** Writes the first status of all works, those of the bare loop or those of the product, as fast as the hub takes it. */
async function reportStatuses(whose: 'bare' | 'product') {
  const annotation = whose === 'bare' ? BARE_NAME : HUB_NAME;
  const applications = new Map(
    Array.from({ length: APPLICATIONS }, (_, i) => {
      const object = application(i, CLUSTERS);
      return [object.metadata.name, object as ArgoApplication] as const;
    }),
  );
  const reports: { readonly path: string; readonly body: object }[] = [];
  await visitAll<ManifestWork>(WORKS, work => {
    const { namespace = '', name, annotations } = work.metadata;
    const of = applications.get(annotations?.[annotation] ?? '');
    if (of) {
      reports.push({
        path: `${worksPath(namespace, name)}/status`,
        body: { status: reportedStatus(work, of) },
      });
    }
  });
  const startedAt = Date.now();
  const seconds = await forEachAtOnce(reports, CONCURRENCY, report =>
    call('PATCH', report.path, report.body),
  );
  return { seconds, startedAt, endedAt: Date.now(), writes: reports.length };
}

/** How many objects the hub has. */
async function count(path: string): Promise<number> {
  const { items, metadata } = await call<Page<unknown>>(
    'GET',
    `${path}?limit=1`,
  );
  return items.length + (metadata.remainingItemCount ?? 0);
}

/** What the hub says about works, Applications and reports. */
async function state() {
  const healthy = { applications: 0, reported: 0 };
  await visitAll<ArgoApplication>(APPLICATIONS_PATH, ({ status }) => {
    healthy.applications += status?.health?.status === 'Healthy' ? 1 : 0;
  });
  await visitAll<
    KubernetesObject & {
      readonly statuses?: { readonly summary?: { readonly healthy: string } };
    }
  >(
    '/apis/apps.open-cluster-management.io/v1alpha1/multiclusterapplicationsetreports',
    ({ statuses }) => {
      healthy.reported += Number(statuses?.summary?.healthy ?? 0);
    },
  );
  return { works: await count(WORKS), healthy };
}

async function worksOfApplications() {
  const found = new Map<string, { namespace: string; name: string }>();
  await visitAll<ManifestWork>(WORKS, ({ metadata }) => {
    const { namespace = '', name, annotations } = metadata;
    found.set(annotations?.[HUB_NAME] ?? '', { namespace, name });
  });
  return found;
}

/** Creates the works of all Applications as the product has them, with their reported statuses. */
async function reportedWorks() {
  const applications: ArgoApplication[] = [];
  await visitAll<ArgoApplication>(APPLICATIONS_PATH, found => {
    applications.push(found);
  });
  return {
    seconds: await forEachAtOnce(applications, CONCURRENCY, async of => {
      const { name, uid = '', annotations } = of.metadata;
      const target = {
        cluster: annotations?.[TARGET] ?? '',
        name: `${name}-${uid.slice(0, 5)}`,
      };
      const path = worksPath(target.cluster);
      const work = await call<ManifestWork>(
        'POST',
        path,
        buildManifestWork(of, target, DEFAULT_PROPAGATION),
      );
      await call('PATCH', `${path}/${target.name}/status`, {
        status: reportedStatus(work, of),
      });
    }),
  };
}

/**
 * Changes clusters at an even pace: a changed cluster reports another health for each of its Applications. Remembers
 * the clusters, so that the next call changes others.
 */
async function churn(clustersPerMinute: number, seconds: number) {
  if (worksByCluster.size === 0) {
    await visitAll<ManifestWork>(WORKS, ({ metadata }) => {
      const { namespace = '', name } = metadata;
      const works = worksByCluster.get(namespace) ?? [];
      worksByCluster.set(namespace, works);
      works.push({ namespace, name });
    });
  }
  const names = [...worksByCluster.keys()];
  const changing = Math.ceil((clustersPerMinute * seconds) / 60);
  const startedAt = performance.now();
  const running: Promise<void>[] = [];
  let changes = 0;
  for (let i = 0; i < changing; i += 1) {
    await pause(
      startedAt + (i * seconds * 1000) / changing - performance.now(),
    );
    const works = worksByCluster.get(names[nextCluster % names.length]) ?? [];
    nextCluster += 1;
    changes += works.length;
    running.push(
      (async () => {
        for (const work of works) {
          await changeHealth(work);
        }
      })(),
    );
  }
  await Promise.all(running);
  await pause(startedAt + seconds * 1000 - performance.now());
  return { changes };
}

const worksByCluster = new Map<string, { namespace: string; name: string }[]>();
let nextCluster = 0;

const pause = (ms: number) =>
  new Promise(resolve => {
    setTimeout(resolve, Math.max(0, ms));
  });

/** Repeats `check` until it is true; after a minute, fails. */
async function until(what: string, check: () => Promise<boolean>) {
  const deadline = performance.now() + 60_000;
  while (!(await check())) {
    if (performance.now() > deadline) {
      throw new Error(`Not within a minute: ${what}`);
    }
    await pause(2);
  }
}

/** Changes the specs of single Applications; milliseconds from the hub's answer to each until it has the changed work. */
async function changeSpecs(times: number) {
  const works = await worksOfApplications();
  const taken: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const { name } = application(
      Math.floor((i * APPLICATIONS) / times),
      CLUSTERS,
    ).metadata;
    const work = works.get(name)!;
    const path = worksPath(work.namespace, work.name);
    const before = await call<ManifestWork>('GET', path);
    await call('PATCH', pathOf('applications', name), {
      spec: { source: { targetRevision: `v2.${i}` } },
    });
    const startedAt = performance.now();
    await until('the changed work', async () => {
      const { metadata } = await call<ManifestWork>('GET', path);
      return metadata.generation !== before.metadata.generation;
    });
    taken.push(performance.now() - startedAt);
    await pause(50);
  }
  return { taken };
}

/**
 * Changes the statuses of single works; milliseconds from the hub's answer to each until the API's event stream names
 * the ApplicationSet, and until the API's answer has the new health.
 */
async function changePages(times: number, url: string, token: string) {
  const client = createArgocdFleetClient({
    discoveryApi: { getBaseUrl: async () => `${url}/api/argocd-fleet` },
  });
  const works = await worksOfApplications();
  const notified: number[] = [];
  const shown: number[] = [];
  const stop = new AbortController();
  let onEvent: (set: string) => void = () => {};
  let following: Promise<void> = Promise.resolve();
  await new Promise<void>(resolve => {
    following = (async () => {
      const events = client.changes({
        token,
        signal: stop.signal,
        onOpen: resolve,
      });
      for await (const { applicationSets } of events) {
        applicationSets.forEach(({ name }) => onEvent(name));
      }
    })().catch(error => {
      if (!stop.signal.aborted) {
        throw error;
      }
    });
  });
  const healthOf = async (set: string, name: string) => {
    const detail = await client.getApplicationSet(
      { hub: 'hub', namespace: NAMESPACE, name: set },
      { token },
    );
    return detail.applications.find(row => row.application.name === name)
      ?.health;
  };
  for (let i = 0; i < times; i += 1) {
    const index = Math.floor((i * APPLICATIONS) / times) + 1;
    const { name } = application(index, CLUSTERS).metadata;
    const set = setName(Math.floor(index / CLUSTERS));
    const before = await healthOf(set, name);
    const named = new Promise<number>(resolve => {
      onEvent = event => event === set && resolve(performance.now());
    });
    await changeHealth(works.get(name)!);
    const startedAt = performance.now();
    notified.push(Math.max(0, (await named) - startedAt));
    await until(
      'the changed page',
      async () => (await healthOf(set, name)) !== before,
    );
    shown.push(performance.now() - startedAt);
    await pause(50);
  }
  stop.abort();
  await following;
  return { notified, shown };
}

/** Calls of the programs' metrics, by program. */
const METRICS: Parameters<typeof measureMachine>[0] = etcdUrl
  ? {
      'kube-apiserver': () => read('/metrics'),
      etcd: async () => (await fetch(`${etcdUrl}/metrics`)).text(),
    }
  : {};

let machineSince: Awaited<ReturnType<typeof measureMachine>> | undefined;

/** Requests that kube-apiserver has answered, of all clients, by verb and resource. */
async function requestTotals() {
  const totals: Record<string, number> = {};
  const metrics = etcdUrl ? await read('/metrics') : '';
  for (const [, labels, value] of metrics.matchAll(
    /^apiserver_request_total\{(.*)\} (\S+)$/gm,
  )) {
    const label = (name: string) =>
      new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
    const resource = [label('resource'), label('subresource')]
      .filter(Boolean)
      .join('/');
    const kind = `${label('verb')} ${resource}`;
    totals[kind] = (totals[kind] ?? 0) + Number(value);
  }
  return totals;
}

/** Bytes in use after a garbage collection of kube-apiserver and a compaction of etcd, and of one work as stored. */
async function hubBytes() {
  const etcd = async (path: string, body: object) => {
    const response = await fetch(`${etcdUrl}/v3/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const prefix = '/registry/work.open-cluster-management.io/manifestworks/';
  const first = await etcd('kv/range', {
    key: base64(prefix),
    range_end: base64(prefix.replace(/\/$/, '0')),
    limit: 1,
  });
  await etcd('kv/compaction', {
    revision: first.header.revision,
    physical: true,
  });
  await read('/debug/pprof/heap?gc=1&debug=1');
  const metric = (text: string, name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const apiServer = await METRICS['kube-apiserver']();
  return {
    etcd: metric(
      await METRICS.etcd(),
      'etcd_mvcc_db_total_size_in_use_in_bytes',
    ),
    apiServerHeap: metric(apiServer, 'go_memstats_heap_alloc_bytes'),
    apiServerResident: metric(apiServer, 'process_resident_memory_bytes'),
    work: first.kvs ? Buffer.from(first.kvs[0].value, 'base64').length : 0,
  };
}

const ORDERS = {
  prepare,
  authorise,
  bareWorks,
  deleteBareWorks,
  reportStatuses,
  state,
  changeSpecs,
  changePages,
  reportedWorks,
  churn,
  requestTotals,
  hubBytes,
  works: async () => ({ works: await count(WORKS) }),
  async startMeasuring() {
    machineSince = await measureMachine(METRICS);
    return {};
  },
  measured: async () => machineSince!(),
};

process.on(
  'message',
  (
    order:
      'stop' | { readonly name: keyof typeof ORDERS; readonly args: never[] },
  ) => {
    if (order === 'stop') {
      void close().then(() => process.disconnect());
      return;
    }
    const run = ORDERS[order.name] as (...args: never[]) => Promise<object>;
    run(...order.args).then(
      bench => process.send?.({ bench }),
      error => {
        process.stderr.write(`${error.stack}\n`);
        process.exit(1);
      },
    );
  },
);
process.send?.({ bench: 'ready' });
