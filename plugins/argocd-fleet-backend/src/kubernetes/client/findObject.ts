import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type {
  KubernetesClient,
  ObjectName,
  RequestOptions,
  ResourceType,
} from './client';
import { isKubernetesError } from './errors';

/**
 * Gets an object; undefined where there is none of that name.
 * @throws KubernetesError of every other kind than `notFound`
 */
export async function findObject<T extends KubernetesObject>(
  client: KubernetesClient,
  resource: ResourceType<T>,
  name: ObjectName,
  options?: RequestOptions,
): Promise<T | undefined> {
  try {
    return await client.get(resource, name, options);
  } catch (error) {
    if (isKubernetesError(error, 'notFound')) {
      return undefined;
    }
    throw error;
  }
}
