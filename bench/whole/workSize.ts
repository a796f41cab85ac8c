// What works cost on a real hub: workSize.ts KUBECONFIG ETCD_URL [WORKS]
import { generateFleet } from 'simulated-fleet';
import { buildManifestWork } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../../plugins/argocd-fleet-backend/src/model/manifestwork/workPlan';
import { pathOf, worksPath } from '../controllers/fleetObjects';
import {
  createHubCalls,
  forEachAtOnce,
  type HubCalls,
} from '../controllers/hubCalls';

/** Applications of a cluster. */
const APPLICATION_SETS = 20;
const CONCURRENCY = 10;
const FINALIZER = 'cluster.open-cluster-management.io/manifest-work-cleanup';
const KEY_PREFIX = '/registry/work.open-cluster-management.io/manifestworks/';
const MEBIBYTE = 1024 * 1024;

type Application = Parameters<typeof buildManifestWork>[0];
type Work = ReturnType<typeof buildManifestWork>;

/** What a number of works costs on a hub. */
export interface WorkSize {
  readonly works: number;
  /** Mean size of a work as etcd stores it, and sizes of its parts as JSON; bytes. */
  readonly bytes: number;
  readonly parts: Readonly<Record<string, number>>;
  /** What all works add, in MiB. */
  readonly etcdMiB: number;
  readonly apiServerHeapMiB: number;
  readonly apiServerRssMiB: number;
}

/**
 * Creates the works of a generated fleet without troubles on a hub without works, with the finalizers and the statuses
 * that agents write, and measures what they add to etcd and to the API server's memory.
 */
export async function measureWorkSize({
  kubeconfig,
  etcdUrl,
  works: count,
}: {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  readonly etcdUrl: string;
  readonly works: number;
}): Promise<WorkSize> {
  const calls = createHubCalls(kubeconfig);
  const works = generatedWorks(count);
  const clusters = [
    ...new Set(works.map(({ metadata }) => metadata.namespace)),
  ];
  await forEachAtOnce(clusters, CONCURRENCY, name =>
    calls.call('POST', pathOf('namespaces'), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    }),
  );
  const before = await usage(calls, etcdUrl);
  await forEachAtOnce(works, CONCURRENCY, work => store(calls, work));
  const after = await usage(calls, etcdUrl);
  const { bytes, example } = await storedWorks(etcdUrl);
  await calls.close();
  return {
    works: works.length,
    bytes,
    parts: partsOf(example),
    etcdMiB: (after.etcd - before.etcd) / MEBIBYTE,
    apiServerHeapMiB: (after.heap - before.heap) / MEBIBYTE,
    apiServerRssMiB: (after.rss - before.rss) / MEBIBYTE,
  };
}

/** Works with the reports of their agents, as propagation with its defaults builds them. */
function generatedWorks(count: number): Work[] {
  const fleet = generateFleet({
    seed: 'work size',
    clusters: Math.ceil(count / APPLICATION_SETS),
    applicationSets: Math.min(count, APPLICATION_SETS),
    troubled: 0,
    silent: 0,
    // The two packages declare the same API object with different types.
    buildWork: application =>
      buildWork(application as Application) as ReturnType<
        NonNullable<Parameters<typeof generateFleet>[0]['buildWork']>
      >,
  });
  const works: Work[] = [];
  for (const object of fleet) {
    if (object.kind === 'ManifestWork') {
      works.push(object as Work);
    }
  }
  return works.slice(0, count);
}

function buildWork(application: Application): Work {
  const { name, uid = '', annotations } = application.metadata;
  const cluster =
    annotations?.['apps.open-cluster-management.io/ocm-managed-cluster'] ?? '';
  return buildManifestWork(
    application,
    { cluster, name: `${name}-${uid.slice(0, 5)}` },
    DEFAULT_PROPAGATION,
  );
}

/** Writes a work as propagation and then its agent do. */
async function store({ call }: HubCalls, { status, ...work }: Work) {
  const { name, namespace = '' } = work.metadata;
  const { uid, creationTimestamp, generation, finalizers, ...metadata } =
    work.metadata;
  const path = worksPath(namespace, name);
  const agent = 'fieldManager=work-agent';
  await call('POST', `${worksPath(namespace)}?fieldManager=argocd-fleet`, {
    ...work,
    metadata,
  });
  await call('PATCH', `${path}?${agent}`, {
    metadata: { finalizers: [FINALIZER] },
  });
  await call('PATCH', `${path}/status?${agent}`, { status });
}

/** Bytes of etcd's data, and of the API server's heap and process, after both have removed what is obsolete. */
async function usage({ read }: HubCalls, etcdUrl: string) {
  await compact(etcdUrl);
  // The profile of the heap begins with a garbage collection.
  await read('/debug/pprof/heap?gc=1');
  const apiServer = await read('/metrics');
  const etcd = await (await fetch(`${etcdUrl}/metrics`)).text();
  return {
    etcd: metric(etcd, 'etcd_mvcc_db_total_size_in_bytes'),
    heap: metric(apiServer, 'go_memstats_heap_alloc_bytes'),
    rss: metric(apiServer, 'process_resident_memory_bytes'),
  };
}

/** Removes old versions from etcd, and frees their space. */
async function compact(etcdUrl: string) {
  const { header } = await callEtcd(etcdUrl, 'kv/range', rangeOf('\0', 1));
  await callEtcd(etcdUrl, 'kv/compaction', {
    revision: header.revision,
    physical: true,
  });
  await callEtcd(etcdUrl, 'maintenance/defragment', {});
}

async function storedWorks(etcdUrl: string) {
  const sizes: number[] = [];
  let example = '';
  for (let from = KEY_PREFIX; ;) {
    const { kvs = [] } = await callEtcd(
      etcdUrl,
      'kv/range',
      rangeOf(from, 500),
    );
    for (const { value } of kvs) {
      example = Buffer.from(value, 'base64').toString();
      sizes.push(Buffer.byteLength(example));
    }
    const last = kvs.at(-1)?.key;
    if (!last) {
      break;
    }
    from = `${Buffer.from(last, 'base64')}\0`;
  }
  return {
    bytes: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    example: JSON.parse(example) as Work,
  };
}

function partsOf({ metadata, spec, status }: Work): Record<string, number> {
  const { managedFields, ...more } = metadata as typeof metadata & {
    managedFields: unknown;
  };
  const [config] = spec.manifestConfigs ?? [];
  const [rule] = config?.conditionRules ?? [];
  const [manifest] = status?.resourceStatus?.manifests ?? [];
  const parts = {
    managedFields,
    'other metadata': more,
    workload: spec.workload,
    'manifest configurations': spec.manifestConfigs,
    'expression of the digest, in these': rule?.messageExpression,
    'conditions of the work': status?.conditions,
    'status of the resources': status?.resourceStatus,
    'digest, in these twice': manifest?.conditions?.find(
      ({ type }) => type === rule?.condition,
    )?.message,
  };
  return Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [
      name,
      Buffer.byteLength(JSON.stringify(value ?? null)),
    ]),
  );
}

function rangeOf(from: string, limit: number) {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const end = from === '\0' ? '\0' : `${KEY_PREFIX.slice(0, -1)}0`;
  return { key: base64(from), range_end: base64(end), limit };
}

/** A request to the JSON gateway of etcd's API. */
async function callEtcd(etcdUrl: string, operation: string, body: object) {
  const response = await fetch(`${etcdUrl}/v3/${operation}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`etcd refuses ${operation}: ${text}`);
  }
  return JSON.parse(text);
}

function metric(text: string, name: string): number {
  return Number(text.match(new RegExp(`^${name} (.*)$`, 'm'))?.[1]);
}

if (require.main === module) {
  const [kubeconfig, etcdUrl, works = '10000'] = process.argv.slice(2);
  measureWorkSize({ kubeconfig, etcdUrl, works: Number(works) }).then(
    figures =>
      process.send
        ? process.send({ bench: figures }, () => process.disconnect())
        : console.log(figures),
    error => {
      process.stderr.write(`${error.stack}\n`);
      process.exit(1);
    },
  );
}
