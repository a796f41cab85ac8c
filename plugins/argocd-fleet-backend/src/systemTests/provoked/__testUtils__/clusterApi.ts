import {
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
} from '@kubernetes/client-node';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { emptyHub } from '../../../__testUtils__/emptyHub';
import { clientOf } from '../../../__testUtils__/hubFixture';
import type { ResourceType } from '../../../kubernetes/client';

/** Objects of any kind on the API server of a managed cluster. */
export interface ClusterApi {
  /** Applies the manifest by server-side apply, against all other managers. */
  apply(manifest: KubernetesObject): Promise<void>;
  /** Writes the status of an object that is there, as its own controller does. */
  report(object: KubernetesObject & { readonly status: object }): Promise<void>;
  /** Undefined where there is none. */
  read<T extends KubernetesObject>(
    identity: KubernetesObject,
  ): Promise<T | undefined>;
  /** Resolves with true if the API server lists objects of the kind. */
  list(kind: { apiVersion: string; kind: string }): Promise<boolean>;
  delete(identity: KubernetesObject): Promise<void>;
  /** Removes what earlier tests left, whatever its finalizers. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** What the Applications of the tests deploy. */
const WORKLOADS = [
  ['', 'ConfigMap'],
  ['', 'Pod'],
  ['', 'ResourceQuota'],
  ['', 'Secret'],
  ['', 'Service'],
  ['apps', 'Deployment'],
  ['apps', 'StatefulSet'],
].map(([group, kind]) => typeOf(group, 'v1', kind));

function typeOf(group: string, version: string, kind: string): ResourceType {
  const plural = `${kind.toLowerCase()}s`;
  return { group, version, plural, kind, namespaced: true };
}

/** @param fieldManager - of what is applied */
export function clusterApi(
  kubeconfigPath: string,
  fieldManager: string,
): ClusterApi {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfigPath);
  const api = KubernetesObjectApi.makeApiClient(config);
  const client = clientOf(kubeconfigPath);
  const identityOf = ({ apiVersion, kind, metadata }: KubernetesObject) => ({
    ...{ apiVersion, kind },
    metadata: { namespace: metadata.namespace, name: metadata.name },
  });
  return {
    async apply(manifest) {
      await api.patch(
        manifest as object,
        undefined,
        undefined,
        fieldManager,
        true,
        PatchStrategy.ServerSideApply,
      );
    },
    async read(identity) {
      try {
        // The client makes dates of times, and the agent reads JSON.
        return JSON.parse(JSON.stringify(await api.read(identityOf(identity))));
      } catch (error) {
        if ((error as { code?: number }).code === 404) {
          return undefined;
        }
        throw error;
      }
    },
    async list({ apiVersion, kind }) {
      await api.list(apiVersion, kind);
      return true;
    },
    async delete(identity) {
      await api.delete(identityOf(identity));
    },
    async report({ apiVersion, kind, metadata, status }) {
      const [version, group = ''] = apiVersion.split('/').toReversed();
      await client.patch(
        typeOf(group, version, kind),
        metadata,
        { status },
        { subresource: 'status' },
      );
    },
    empty: () =>
      emptyHub(client, `${kubeconfigPath}.definitions.json`, WORKLOADS),
    close: () => client.close(),
  };
}
