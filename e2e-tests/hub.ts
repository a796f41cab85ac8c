import { parse } from 'yaml';

/** What the tests look at in any Kubernetes object. */
export interface HubObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
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
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
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
    const response = await fetch(
      `${this.#url}${this.#path(resource, namespace)}?watch=1`,
      { signal },
    );
    const decoder = new TextDecoder();
    let pending = '';
    for await (const chunk of response.body!) {
      pending += decoder.decode(chunk, { stream: true });
      const lines = pending.split('\n');
      pending = lines.pop()!;
      for (const line of lines) {
        callback(JSON.parse(line).object);
      }
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
    const response = await fetch(`${this.#url}${path}`, {
      method,
      headers: { 'Content-Type': type },
      body: body && JSON.stringify(body),
    });
    if (!response.ok) {
      throw new Error(
        `${method} ${path}: ${response.status} ${await response.text()}`,
      );
    }
    return response.json();
  }
}
