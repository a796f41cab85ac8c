import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  HUB_RESOURCES,
  isHubError,
  objectKey,
  type HubClient,
  type HubObject,
  type HubResource,
  type HubResourceName,
  type ObjectName,
} from '../hub';
import type { FleetCache } from './fleetIndexes';

/** The writes of a controller, made, or only written down in `observe` mode. */
export interface HubWriter {
  create<Name extends HubResourceName>(
    name: Name,
    object: HubObject<Name>,
  ): Promise<void>;
  /** Fails with `conflict` where the object is no longer the one that was looked at. */
  patch<Name extends HubResourceName>(
    name: Name,
    existing: HubObject<Name>,
    patch: Readonly<Record<string, unknown>>,
  ): Promise<void>;
  /** Deletes this very object; one that is gone already, or going, is left alone. */
  delete<Name extends HubResourceName>(
    name: Name,
    existing: HubObject<Name>,
  ): Promise<void>;
}

/** Creates the writer of `manage` mode. */
export function createHubWriter(options: {
  readonly client: HubClient;
  readonly cache: FleetCache;
  readonly signal: AbortSignal;
  /** Called after each write that the hub accepted. */
  readonly onWrite: (verb: string, kind: string, object: ObjectName) => void;
}): HubWriter {
  const { client, cache, signal, onWrite } = options;
  return {
    async create(name, object) {
      const resource = HUB_RESOURCES[name] as HubResource;
      const created = await client.create(resource, object, { signal });
      onWrite('create', resource.kind, object.metadata);
      cache.absorb(name, created as HubObject<typeof name>);
    },
    async patch(name, existing, patch) {
      const resource = HUB_RESOURCES[name] as HubResource;
      const { metadata } = existing as KubernetesObject;
      const patched = await client.patch(resource, metadata, patch, {
        signal,
        resourceVersion: metadata.resourceVersion,
      });
      onWrite('patch', resource.kind, metadata);
      cache.absorb(name, patched as HubObject<typeof name>);
    },
    async delete(name, existing) {
      const resource = HUB_RESOURCES[name] as HubResource;
      const { metadata } = existing as KubernetesObject;
      if (metadata.deletionTimestamp) {
        return;
      }
      try {
        const left = await client.delete(resource, metadata, {
          signal,
          uid: metadata.uid ?? '',
        });
        onWrite('delete', resource.kind, metadata);
        if (left) {
          cache.absorb(name, left as HubObject<typeof name>);
          return;
        }
      } catch (error) {
        if (!isHubError(error, 'notFound')) {
          throw error;
        }
      }
      cache.forget(name, existing);
    },
  };
}

/** Creates the writer of `observe` mode. */
export function createWithheldWriter(
  onWithheld: (write: string) => void,
): HubWriter {
  const withhold = (
    verb: string,
    name: HubResourceName,
    { metadata }: KubernetesObject,
  ) => {
    onWithheld(`${verb} ${HUB_RESOURCES[name].kind} ${objectKey(metadata)}`);
  };
  return {
    create: async (name, object) => withhold('create', name, object),
    patch: async (name, existing) => withhold('patch', name, existing),
    async delete(name, existing) {
      if (!existing.metadata.deletionTimestamp) {
        withhold('delete', name, existing);
      }
    },
  };
}
