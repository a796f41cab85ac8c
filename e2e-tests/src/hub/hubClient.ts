import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parse } from 'yaml';
import { readConnection } from './connection';
import { HttpClient } from './httpClient';
import { resourcePath } from './resourcePath';
import { watchEvents } from './watchEvents';

/** A JSON object whose shape the caller knows. */
export interface Json {
  [field: string]: any;
}

/** A Kubernetes object of any kind. */
export interface HubObject extends Json {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly managedFields?: readonly { readonly manager: string }[];
  };
}

/** API version and kind of each resource. */
const RESOURCES = {
  namespaces: ['v1', 'Namespace'],
  configmaps: ['v1', 'ConfigMap'],
  secrets: ['v1', 'Secret'],
  appprojects: ['argoproj.io/v1alpha1', 'AppProject'],
  applications: ['argoproj.io/v1alpha1', 'Application'],
  applicationsets: ['argoproj.io/v1alpha1', 'ApplicationSet'],
  managedclusters: ['cluster.open-cluster-management.io/v1', 'ManagedCluster'],
  managedclustersets: [
    'cluster.open-cluster-management.io/v1beta2',
    'ManagedClusterSet',
  ],
  placements: ['cluster.open-cluster-management.io/v1beta1', 'Placement'],
  placementdecisions: [
    'cluster.open-cluster-management.io/v1beta1',
    'PlacementDecision',
  ],
  manifestworks: ['work.open-cluster-management.io/v1', 'ManifestWork'],
  multiclusterapplicationsetreports: [
    'apps.open-cluster-management.io/v1alpha1',
    'MulticlusterApplicationSetReport',
  ],
} as const;

/** Plural name of a resource that {@link HubClient} knows. */
export type Resource = keyof typeof RESOURCES;

const MERGE_PATCH = { 'content-type': 'application/merge-patch+json' };

/** The Kubernetes API of a hub, with the rights of a kubeconfig's user. */
export class HubClient {
  readonly #http: HttpClient;

  private constructor(http: HttpClient) {
    this.#http = http;
  }

  static async connect(kubeconfig: string): Promise<HubClient> {
    return new HubClient(new HttpClient(await readConnection(kubeconfig)));
  }

  static async connectWithFile(kubeconfigPath: string): Promise<HubClient> {
    return HubClient.connect(readFileSync(kubeconfigPath, 'utf8'));
  }

  async list(resource: Resource, namespace?: string): Promise<HubObject[]> {
    return (await this.#send('GET', pathOf(resource, namespace))).items;
  }

  async get(
    resource: Resource,
    namespace: string,
    name: string,
  ): Promise<HubObject> {
    return this.#send('GET', pathOf(resource, namespace, name));
  }

  /** Creates an object, then writes its status through the subresource if it has one. */
  async create(object: Json): Promise<HubObject> {
    const { status, ...rest } = object;
    const { name, namespace } = object.metadata;
    const resource = resourceOf(object.kind);
    const created = await this.#send('POST', pathOf(resource, namespace), rest);
    return status
      ? this.patchStatus(resource, namespace, name, status)
      : created;
  }

  /** Creates the one object of a YAML document. */
  async createFromYaml(yaml: string): Promise<HubObject> {
    return this.create(parse(yaml));
  }

  /** Applies a JSON merge patch. */
  async patch(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    patch: object,
  ): Promise<HubObject> {
    const path = pathOf(resource, namespace, name);
    return this.#send('PATCH', path, patch, MERGE_PATCH);
  }

  /** Merges fields into the status subresource. */
  async patchStatus(
    resource: Resource,
    namespace: string | undefined,
    name: string,
    status: object,
  ): Promise<HubObject> {
    const path = `${pathOf(resource, namespace, name)}/status`;
    return this.#send('PATCH', path, { status }, MERGE_PATCH);
  }

  async delete(
    resource: Resource,
    namespace: string | undefined,
    name: string,
  ): Promise<void> {
    await this.#send('DELETE', pathOf(resource, namespace, name));
  }

  /** Deletes an object unless it is already gone. */
  async deleteIfPresent(
    resource: Resource,
    namespace: string | undefined,
    name: string,
  ): Promise<void> {
    const path = pathOf(resource, namespace, name);
    const { status, text } = await this.#http.call('DELETE', path);
    if (status >= 300 && status !== 404) {
      throw new Error(`DELETE ${path}: ${status} ${text}`);
    }
  }

  /** Passes each state of each object to the callback until the signal is aborted or the hub closes the watch. */
  async watch(
    resource: Resource,
    namespace: string,
    callback: (object: HubObject) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const path = `${pathOf(resource, namespace)}?watch=1`;
    const response = await this.#openWatch(path, signal);
    for await (const { object } of watchEvents<HubObject>(response)) {
      callback(object);
    }
  }

  close(): void {
    this.#http.close();
  }

  /** Retries after a 429, which a server returns while it prepares to serve a new definition. */
  async #openWatch(
    path: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    for (;;) {
      const response = await this.#http.open(
        'GET',
        path,
        undefined,
        {},
        signal,
      );
      if (response.statusCode === 200) {
        return response;
      }
      response.resume();
      if (response.statusCode !== 429) {
        throw new Error(`GET ${path}: ${response.statusCode}`);
      }
      const seconds = Number(response.headers['retry-after'] ?? 1);
      await delay(seconds * 1000, undefined, { signal });
    }
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    headers?: { readonly [name: string]: string },
  ): Promise<any> {
    const response = await this.#http.call(method, path, body, headers);
    if (response.status >= 300) {
      throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    }
    return response.body;
  }
}

function pathOf(resource: Resource, namespace?: string, name?: string): string {
  return resourcePath(RESOURCES[resource][0], resource, namespace, name);
}

function resourceOf(kind: string): Resource {
  const entry = Object.entries(RESOURCES).find(([, [, each]]) => each === kind);
  if (!entry) {
    throw new Error(`HubClient has no resource for the kind ${kind}`);
  }
  return entry[0] as Resource;
}
