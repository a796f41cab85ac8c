import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import {
  FLEET_RESOURCES,
  type FleetCache,
  type FleetObject,
  type FleetResource,
  type StoredObject,
} from '../fleet';
import {
  isKubernetesError,
  objectKey,
  type KubernetesClient,
  type KubernetesError,
  type ResourceType,
  type ObjectName,
  type Patch,
  type WriteOptions,
} from '../kubernetes/client';

/**
 * The namespace of an object to be created does not exist; unlike other `notFound` errors, this is not caused by a
 * stale cache.
 */
export class MissingNamespaceError extends Error {
  readonly name = 'MissingNamespaceError';

  constructor(
    readonly namespace: string,
    cause: KubernetesError,
  ) {
    super(cause.message, { cause });
  }
}

/** The writes of a controller: sent to the hub, or only listed in `observe` mode. */
export interface HubWriter {
  /** Whether writes are only listed. */
  readonly isWithheld: boolean;
  /**
   * Resolves with the object that the hub stored; undefined in `observe` mode.
   * @throws MissingNamespaceError
   */
  create<Name extends FleetResource>(
    name: Name,
    object: FleetObject<Name>,
  ): Promise<FleetObject<Name> | undefined>;
  /** As `create`; fails with `conflict` if the hub has another version of the existing object. */
  patch<Name extends FleetResource>(
    name: Name,
    existing: StoredObject<Name>,
    patch: Patch,
  ): Promise<FleetObject<Name> | undefined>;
  /** As `patch`, for the status only; other keys of the status stay. */
  patchStatus<Name extends FleetResource>(
    name: Name,
    existing: StoredObject<Name>,
    status: Readonly<Record<string, unknown>>,
  ): Promise<FleetObject<Name> | undefined>;
  /** Deletes the object by its UID; does nothing if it is gone or being deleted. */
  delete<Name extends FleetResource>(
    name: Name,
    existing: StoredObject<Name>,
  ): Promise<void>;
}

/** Creates the writer of `manage` mode. */
export function createHubWriter(options: {
  readonly client: KubernetesClient;
  readonly cache: FleetCache;
  readonly signal: AbortSignal;
  readonly notAfter: NonNullable<WriteOptions['notAfter']>;
  /** Called before each write. */
  readonly onAttempt: () => void;
  /** Called after each write that the hub accepted. */
  readonly onWrite: (
    verb: string,
    resource: ResourceType,
    object: ObjectName,
  ) => void;
}): HubWriter {
  const { client, cache, signal, notAfter, onAttempt, onWrite } = options;
  return {
    isWithheld: false,
    async create<Name extends FleetResource>(
      name: Name,
      object: FleetObject<Name>,
    ) {
      const resource = FLEET_RESOURCES[name] as ResourceType;
      const { metadata } = object as KubernetesObject;
      onAttempt();
      const created = await client
        .create(resource, object, { signal, notAfter })
        .catch(error => {
          // Not the object itself, which does not exist yet: its namespace.
          throw isKubernetesError(error, 'notFound') && metadata.namespace
            ? new MissingNamespaceError(metadata.namespace, error)
            : error;
        });
      onWrite('create', resource, metadata);
      cache.applyWriteResult(name, created as FleetObject<Name>);
      return created as FleetObject<Name>;
    },
    async patch<Name extends FleetResource>(
      name: Name,
      existing: StoredObject<Name>,
      patch: Patch,
    ) {
      const resource = FLEET_RESOURCES[name] as ResourceType;
      const { metadata } = existing as KubernetesObject;
      onAttempt();
      const patched = await client.patch(resource, metadata, patch, {
        signal,
        notAfter,
        resourceVersion: metadata.resourceVersion,
      });
      onWrite('patch', resource, metadata);
      cache.applyWriteResult(name, patched as FleetObject<Name>);
      return patched as FleetObject<Name>;
    },
    async patchStatus<Name extends FleetResource>(
      name: Name,
      existing: StoredObject<Name>,
      status: Readonly<Record<string, unknown>>,
    ) {
      const resource = FLEET_RESOURCES[name] as ResourceType;
      const { metadata } = existing as KubernetesObject;
      const { resourceVersion } = metadata;
      const patch = { status };
      onAttempt();
      const patched = await client
        .patch(resource, metadata, patch, {
          signal,
          notAfter,
          resourceVersion,
          subresource: 'status',
        })
        .catch(error => {
          if (!isKubernetesError(error, 'notServed')) {
            throw error;
          }
          // An older definition keeps its status as a plain field.
          return client.patch(resource, metadata, patch, {
            signal,
            notAfter,
            resourceVersion,
          });
        });
      onWrite('patch', resource, metadata);
      cache.applyWriteResult(name, patched as FleetObject<Name>);
      return patched as FleetObject<Name>;
    },
    async delete(name, existing) {
      const resource = FLEET_RESOURCES[name] as ResourceType;
      const { metadata } = existing as KubernetesObject;
      if (metadata.deletionTimestamp) {
        return;
      }
      onAttempt();
      try {
        const left = await client.delete(resource, metadata, {
          signal,
          notAfter,
          uid: metadata.uid ?? '',
        });
        onWrite('delete', resource, metadata);
        if (left) {
          cache.applyWriteResult(name, left as FleetObject<typeof name>);
          return;
        }
      } catch (error) {
        if (!isKubernetesError(error, 'notFound')) {
          throw error;
        }
      }
      cache.applyDeletion(name, existing);
    },
  };
}

/** Creates the writer of `observe` mode. */
export function createWithheldWriter(
  onWithheld: (write: string) => void,
): HubWriter {
  const withhold = (
    verb: string,
    name: FleetResource,
    { metadata }: KubernetesObject,
  ) => {
    onWithheld(`${verb} ${FLEET_RESOURCES[name].kind} ${objectKey(metadata)}`);
    return undefined;
  };
  return {
    isWithheld: true,
    create: async (name, object) => withhold('create', name, object),
    patch: async (name, existing) => withhold('patch', name, existing),
    patchStatus: async (name, existing) =>
      withhold('patch status of', name, existing),
    async delete(name, existing) {
      if (!existing.metadata.deletionTimestamp) {
        withhold('delete', name, existing);
      }
    },
  };
}
