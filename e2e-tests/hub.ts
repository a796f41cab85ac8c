import type { IncomingMessage } from 'node:http';
import type { AgentOptions } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { HttpClient } from './src/contract/httpClient';

/** What the tests look at in any Kubernetes object. */
export interface HubObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
    readonly managedFields?: readonly { readonly manager: string }[];
  };
  readonly spec?: any;
  readonly status?: any;
  readonly statuses?: any;
}

const GROUPS = {
  applications: 'argoproj.io/v1alpha1',
  applicationsets: 'argoproj.io/v1alpha1',
  manifestworks: 'work.open-cluster-management.io/v1',
  multiclusterapplicationsetreports: 'apps.open-cluster-management.io/v1alpha1',
} as const;

export type Resource = keyof typeof GROUPS;

/** The hub as somebody with `kubectl` sees it: its Kubernetes API and nothing else. */
export class HubAccess {
  readonly #client: HttpClient;

  constructor(client: HttpClient) {
    this.#client = client;
  }

  /** As the user of a kubeconfig. */
  static async of(kubeconfig: string): Promise<HubAccess> {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    const options: AgentOptions & { headers?: Record<string, string> } = {};
    await config.applyToHTTPSOptions(options);
    const { headers = {}, ...tls } = options;
    const url = config.getCurrentCluster()!.server;
    return new HubAccess(new HttpClient({ url, tls, headers }));
  }

  async list(resource: Resource, namespace?: string): Promise<HubObject[]> {
    const { items } = await this.#send('GET', this.#path(resource, namespace));
    return items;
  }

  async get(
    resource: Resource,
    namespace: string,
    name: string,
  ): Promise<HubObject> {
    return this.#send('GET', this.#path(resource, namespace, name));
  }

  async create(resource: Resource, object: object): Promise<HubObject> {
    const { namespace } = (object as HubObject).metadata;
    return this.#send('POST', this.#path(resource, namespace), object);
  }

  /** Creates the one object of a YAML file. */
  async apply(resource: Resource, yaml: string): Promise<HubObject> {
    return this.create(resource, parse(yaml));
  }

  async patch(
    resource: Resource,
    namespace: string,
    name: string,
    patch: object,
  ): Promise<HubObject> {
    return this.#send(
      'PATCH',
      this.#path(resource, namespace, name),
      patch,
      'application/merge-patch+json',
    );
  }

  async delete(
    resource: Resource,
    namespace: string,
    name: string,
  ): Promise<void> {
    await this.#send('DELETE', this.#path(resource, namespace, name));
  }

  /** Calls back with each state of an object until the signal is aborted. */
  async watch(
    resource: Resource,
    namespace: string,
    callback: (object: HubObject) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.#openWatch(
      `${this.#path(resource, namespace)}?watch=1`,
      signal,
    );
    const decoder = new TextDecoder();
    let pending = '';
    for await (const chunk of response) {
      pending += decoder.decode(chunk, { stream: true });
      const lines = pending.split('\n');
      pending = lines.pop()!;
      for (const line of lines) {
        callback(JSON.parse(line).object);
      }
    }
  }

  /** A server that has just learned of a definition asks to come again: 429 while it prepares to serve it. */
  async #openWatch(
    path: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    for (;;) {
      const response = await this.#client.open(
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
      await wait(seconds * 1000, undefined, { signal });
    }
  }

  #path(resource: Resource, namespace?: string, name?: string): string {
    return [
      '/apis',
      GROUPS[resource],
      ...(namespace ? ['namespaces', namespace] : []),
      resource,
      ...(name ? [name] : []),
    ].join('/');
  }

  async #send(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<any> {
    const {
      status,
      text,
      body: answer,
    } = await this.#client.call(method, path, body, { 'content-type': type });
    if (status >= 300) {
      throw new Error(`${method} ${path}: ${status} ${text}`);
    }
    return answer;
  }
}
