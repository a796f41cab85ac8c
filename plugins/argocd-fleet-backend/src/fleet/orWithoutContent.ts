import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { errorMessage, withoutContent } from '../kubernetes/client';

/**
 * What `make` returns; where it throws, what `makeWithout` returns for the object without its content, which says so. One
 * object that cannot be shown must not fail the answer about all others.
 */
export function orWithoutContent<T extends KubernetesObject, R>(
  object: T,
  make: () => R,
  makeWithout: (object: T) => R,
): R {
  try {
    return make();
  } catch (error) {
    return makeWithout(
      withoutContent(object, `could not be processed (${errorMessage(error)})`),
    );
  }
}
