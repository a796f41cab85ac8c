import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';

/** Requests to a hub as another client, without any of the code under test. */
export interface HubApi {
  get<T extends KubernetesObject>(path: string): Promise<T | undefined>;
  list<T extends KubernetesObject>(path: string): Promise<readonly T[]>;
  create(path: string, object: KubernetesObject): Promise<boolean>;
  /** A merge patch. */
  patch(
    path: string,
    patch: object,
    options?: { readonly fieldManager?: string },
  ): Promise<boolean>;
  delete(path: string, options?: object): Promise<boolean>;
}

/** Returns false or undefined for responses 404 and 409, and throws for every other error response. */
export function createHubApi(url: string): HubApi {
  async function send(
    method: string,
    path: string,
    body?: object,
    type = 'application/json',
  ): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': type, 'user-agent': 'test-user' },
      body: body && JSON.stringify(body),
    });
    if (response.status === 404 || response.status === 409) {
      await response.arrayBuffer();
      return undefined;
    }
    if (!response.ok) {
      throw new Error(
        `${method} ${path}: ${response.status} ${await response.text()}`,
      );
    }
    return response.json();
  }
  return {
    get: async <T>(path: string) => (await send('GET', path)) as T | undefined,
    list: async <T>(path: string) =>
      ((await send('GET', path)) as { items: T[] }).items,
    create: async (path, object) =>
      (await send('POST', path, object)) !== undefined,
    patch: async (path, patch, { fieldManager = 'test-user' } = {}) =>
      (await send(
        'PATCH',
        `${path}?fieldManager=${fieldManager}`,
        patch,
        'application/merge-patch+json',
      )) !== undefined,
    delete: async (path, options = {}) =>
      (await send('DELETE', path, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        ...options,
      })) !== undefined,
  };
}
