import { readFileSync } from 'node:fs';
import { startEmbeddedHub } from 'embedded-hub';
import {
  REAL_HUB_ETCD,
  REAL_HUB_HAS_CONTROLLERS,
  REAL_HUB_KUBECONFIG,
  RUN,
} from '../environment';
import { Headers, readConnection } from '../hub/connection';
import { ApiResponse, HttpClient } from '../hub/httpClient';
import { eventually } from '../polling';
import { ResponseBody } from '../hub/responseBody';
import { DEFINITIONS, GROUP } from './definitions';
import { openWatch, WatchRecorder } from './watchRecorder';

/** The namespace of most cases. */
export const NAMESPACE = `contract-${RUN}`;

/** Whether the cases run on the embedded hub, which the suite starts when it gets no kubeconfig. */
export const IS_EMBEDDED = REAL_HUB_KUBECONFIG === undefined;

/** What some cases need besides an API server: the controllers of Kubernetes, and a way to compact the history. */
export type HubCapability = 'controllers' | 'compaction';

export const MISSING_CAPABILITIES: ReadonlySet<HubCapability> =
  new Set<HubCapability>([
    ...(REAL_HUB_HAS_CONTROLLERS ? [] : (['controllers'] as const)),
    ...(IS_EMBEDDED || REAL_HUB_ETCD ? [] : (['compaction'] as const)),
  ]);

export const NAMESPACES = '/api/v1/namespaces';
export const CONFIG_MAPS = `${NAMESPACES}/${NAMESPACE}/configmaps`;
export const SECRETS = `${NAMESPACES}/${NAMESPACE}/secrets`;
export const WIDGETS = `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/widgets`;
export const OLD_WIDGETS = `/apis/${GROUP}/v1beta1/namespaces/${NAMESPACE}/widgets`;
export const GADGETS = `/apis/${GROUP}/v1/gadgets`;
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export const MERGE = { 'content-type': 'application/merge-patch+json' };
export const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
export const STRATEGIC = {
  'content-type': 'application/strategic-merge-patch+json',
};
export const APPLY = { 'content-type': 'application/apply-patch+yaml' };
export const AS_TABLE = {
  accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
};

/** The Kubernetes API that the cases call. */
export interface HubUnderTest {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<ApiResponse>;
  get(path: string, headers?: Headers): Promise<ApiResponse>;
  /** Creates an object; throws if the hub refuses. */
  create(collection: string, object: object): Promise<ResponseBody>;
  /** Sends a merge patch; throws if the hub refuses. */
  merge(path: string, patch: object): Promise<ResponseBody>;
  watch(path: string, headers?: Headers): Promise<WatchRecorder>;
  /** Compacts the history up to the last write of an object. */
  compact(object: ResponseBody): Promise<void>;
}

interface RunningHub {
  readonly kubeconfig: string;
  compact(revision: string): Promise<void>;
  stop(): Promise<void>;
}

/** Does what kube-apiserver does every five minutes: announces the revision to its peers, then compacts. */
async function compactEtcd(revision: string): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  await callEtcd('put', {
    key: base64('compact_rev_key'),
    value: base64(revision),
  });
  await callEtcd('compaction', { revision });
}

async function callEtcd(operation: string, body: object): Promise<void> {
  const response = await fetch(`${REAL_HUB_ETCD}/v3/kv/${operation}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`etcd refuses a ${operation}: ${await response.text()}`);
  }
}

async function startOrFindHub(): Promise<RunningHub> {
  if (REAL_HUB_KUBECONFIG !== undefined) {
    return {
      kubeconfig: readFileSync(REAL_HUB_KUBECONFIG, 'utf8'),
      compact: compactEtcd,
      stop: async () => {},
    };
  }
  const hub = await startEmbeddedHub({ bookmarkInterval: 100 });
  return {
    kubeconfig: hub.kubeconfig(),
    compact: async () => hub.compact(),
    stop: () => hub.stop(),
  };
}

/** Creates the suite's definitions and its namespace. */
async function prepare(hub: HubUnderTest): Promise<void> {
  for (const definition of DEFINITIONS) {
    const { status, text } = await hub.call(
      'PATCH',
      `${CRDS}/${definition.metadata.name}?fieldManager=contract&force=true`,
      definition,
      APPLY,
    );
    if (status >= 300) {
      throw new Error(`${definition.metadata.name}: ${status} ${text}`);
    }
  }
  await eventually(
    () => Promise.all([WIDGETS, GADGETS].map(path => hub.get(path))),
    responses => responses.every(({ status }) => status === 200),
  );
  await hub.create(NAMESPACES, { metadata: { name: NAMESPACE } });
}

/** The hub for the test file that calls this; it exists between the file's `beforeAll` and `afterAll`. */
export function hubUnderTest(): HubUnderTest {
  let client: HttpClient | undefined;
  let running: RunningHub | undefined;
  const http = () => {
    if (!client) {
      throw new Error('the hub runs only while the cases run');
    }
    return client;
  };
  const callOrThrow = async (
    method: string,
    path: string,
    body: object,
    headers?: Headers,
  ) => {
    const response = await http().call(method, path, body, headers);
    if (response.status >= 300) {
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    }
    return response.body;
  };
  const hub: HubUnderTest = {
    call: (...request) => http().call(...request),
    get: (path, headers) => http().call('GET', path, undefined, headers),
    create: (collection, object) => callOrThrow('POST', collection, object),
    merge: (path, patch) => callOrThrow('PATCH', path, patch, MERGE),
    watch: (path, headers) => openWatch(http(), path, headers),
    compact: async ({ metadata }) => running?.compact(metadata.resourceVersion),
  };
  beforeAll(async () => {
    running = await startOrFindHub();
    client = new HttpClient(await readConnection(running.kubeconfig));
    await prepare(hub);
  });
  afterAll(async () => {
    if (client) {
      await hub.call('DELETE', `${NAMESPACES}/${NAMESPACE}`);
      client.close();
    }
    await running?.stop();
  });
  return hub;
}
