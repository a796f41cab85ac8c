import { randomBytes } from 'node:crypto';
import { AgentOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';
import { startEmbeddedHub } from 'embedded-hub';
import { eventually } from './conditions';
import { DEFINITIONS, GROUP } from './definitions';
import { HubBody } from './hubBody';
import { Answer, Connection, Headers, HttpClient } from './httpClient';
import { openWatch, Watcher } from './watcher';

/** Tells this run's objects from all others: a real server may have any others, and lose ours only later. */
export const RUN = randomBytes(3).toString('hex');

/** The namespace that most cases work in. */
export const NAMESPACE = `contract-${RUN}`;

/** The kubeconfig of the server to test; without it the suite starts the embedded hub. */
const KUBECONFIG = process.env.ARGOCD_FLEET_TEST_HUB_KUBECONFIG;

export const IS_EMBEDDED = KUBECONFIG === undefined;

/** The address of the real server's etcd. */
const ETCD = process.env.ARGOCD_FLEET_TEST_HUB_ETCD;

/** What some cases need beside an API server: Kubernetes' own controllers, and somebody who compacts the history. */
export type HubAbility = 'controllers' | 'compaction';

/** What the server under test cannot do. */
export const LACKING: ReadonlySet<HubAbility> = new Set<HubAbility>([
  ...(process.env.ARGOCD_FLEET_TEST_HUB_CONTROLLERS === 'none'
    ? (['controllers'] as const)
    : []),
  ...(IS_EMBEDDED || ETCD ? [] : (['compaction'] as const)),
]);

/**
 * How long something may take that controllers do. Kubernetes' garbage collector looks for new resources every 30 s only, and cares for
 * nothing while it gets to know them.
 */
export const CONTROLLER_TIMEOUT_MS = IS_EMBEDDED ? 10_000 : 90_000;

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

/** The Kubernetes API that the cases talk to. */
export interface HubUnderTest {
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Headers,
  ): Promise<Answer>;
  get(path: string, headers?: Headers): Promise<Answer>;
  /** Creates an object; throws when that does not work. */
  create(collection: string, object: object): Promise<HubBody>;
  /** Sends a merge patch; throws when that does not work. */
  merge(path: string, patch: object): Promise<HubBody>;
  watch(path: string, headers?: Headers): Promise<Watcher>;
  /** Forgets what was before an object was last written. */
  compact(object: HubBody): Promise<void>;
}

interface ConnectedHub {
  readonly connection: Connection;
  compact(revision: string): Promise<void>;
  stop(): Promise<void>;
}

/** Does what kube-apiserver does every five minutes: says so to its peers, which forget as well, then compacts. */
async function compactEtcd(revision: string): Promise<void> {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  await callEtcd('put', {
    key: base64('compact_rev_key'),
    value: base64(revision),
  });
  await callEtcd('compaction', { revision });
}

async function callEtcd(operation: string, body: object): Promise<void> {
  const response = await fetch(`${ETCD}/v3/kv/${operation}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) {
    throw new Error(`etcd refuses a ${operation}: ${await response.text()}`);
  }
}

async function connect(): Promise<ConnectedHub> {
  const config = new KubeConfig();
  let stop = async () => {};
  let compact = compactEtcd;
  if (KUBECONFIG === undefined) {
    const hub = await startEmbeddedHub({ bookmarkInterval: 1_000 });
    config.loadFromString(hub.kubeconfig());
    stop = () => hub.stop();
    compact = async () => hub.compact();
  } else {
    config.loadFromFile(KUBECONFIG);
  }
  const options: AgentOptions & { headers?: Headers } = {};
  await config.applyToHTTPSOptions(options);
  const { headers = {}, ...tls } = options;
  const url = config.getCurrentCluster()!.server;
  return { connection: { url, tls, headers }, compact, stop };
}

/** Installs the suite's definitions and its namespace. */
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
    answers => answers.every(({ status }) => status === 200),
    30_000,
  );
  await hub.create(NAMESPACES, { metadata: { name: NAMESPACE } });
}

/** Starts or finds the server around the cases of the file that calls this. */
export function hubUnderTest(): HubUnderTest {
  let client: HttpClient | undefined;
  let connected: ConnectedHub | undefined;
  const http = () => {
    if (!client) {
      throw new Error('the hub is there only while the cases run');
    }
    return client;
  };
  const expectDone = async (
    method: string,
    path: string,
    body: object,
    headers?: Headers,
  ) => {
    const answer = await http().call(method, path, body, headers);
    if (answer.status >= 300) {
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${answer.text}`,
      );
    }
    return answer.body;
  };
  const hub: HubUnderTest = {
    call: (...request) => http().call(...request),
    get: (path, headers) => http().call('GET', path, undefined, headers),
    create: (collection, object) => expectDone('POST', collection, object),
    merge: (path, patch) => expectDone('PATCH', path, patch, MERGE),
    watch: (path, headers) => openWatch(http(), path, headers),
    compact: async ({ metadata }) =>
      connected?.compact(metadata.resourceVersion),
  };
  beforeAll(async () => {
    connected = await connect();
    client = new HttpClient(connected.connection);
    await prepare(hub);
  }, 60_000);
  afterAll(async () => {
    if (client) {
      await hub.call('DELETE', `${NAMESPACES}/${NAMESPACE}`);
      client.close();
    }
    await connected?.stop();
  });
  return hub;
}
