import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { resourceId, type KubernetesClient, type ResourceType } from './client';
import { isKubernetesError } from './errors';

/**
 * Makes a client use a resource's older versions where the API server does not serve the newest: a list tries them, the
 * newest first, and all other requests use the version of the last list. Resources without `olderVersions` are not
 * affected.
 */
export function createVersionedClient(
  client: KubernetesClient,
): KubernetesClient {
  const served = new Map<string, string>();

  function versioned<T extends KubernetesObject>(
    resource: ResourceType<T>,
  ): ResourceType<T> {
    const version = resource.olderVersions && served.get(resourceId(resource));
    return version ? { ...resource, version } : resource;
  }

  return {
    async list(resource, options) {
      const id = resourceId(resource);
      try {
        // A continue token belongs to the version of the list's first page.
        const current = options?.continue ? versioned(resource) : resource;
        const page = await client.list(current, options);
        served.set(id, current.version);
        return page;
      } catch (error) {
        if (!isKubernetesError(error, 'notServed')) {
          throw error;
        }
        for (const version of resource.olderVersions ?? []) {
          try {
            const page = await client.list({ ...resource, version }, options);
            served.set(id, version);
            return page;
          } catch (olderError) {
            if (!isKubernetesError(olderError, 'notServed')) {
              throw olderError;
            }
          }
        }
        throw error;
      }
    },
    watch: (resource, options) => client.watch(versioned(resource), options),
    get: (resource, name, options) =>
      client.get(versioned(resource), name, options),
    create: (resource, object, options) =>
      client.create(versioned(resource), object, options),
    patch: (resource, name, patch, options) =>
      client.patch(versioned(resource), name, patch, options),
    delete: (resource, name, options) =>
      client.delete(versioned(resource), name, options),
    close: () => client.close(),
  };
}
