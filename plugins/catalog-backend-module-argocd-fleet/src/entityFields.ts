import {
  ANNOTATION_LOCATION,
  ANNOTATION_ORIGIN_LOCATION,
  KubernetesValidatorFunctions,
  parseEntityRef,
  stringifyEntityRef,
  type CompoundEntityRef,
  type Entity,
} from '@backstage/catalog-model';
import {
  FLEET_LOCATION_TYPE,
  isFleetLocation,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * Annotations for the location of an entity. The type is not `url`: for that type the catalog expects a source-code
 * host, and offers a refresh that does nothing.
 */
export function locationAnnotations(target: string): Record<string, string> {
  const location = `${FLEET_LOCATION_TYPE}:${target}`;
  return {
    [ANNOTATION_LOCATION]: location,
    [ANNOTATION_ORIGIN_LOCATION]: location,
  };
}

/** Whether this module made an entity of the catalog. */
export function isOwnLocation({ metadata }: Entity): boolean {
  return isFleetLocation(metadata.annotations?.[ANNOTATION_LOCATION]);
}

/**
 * The owner's full entity reference; the kind defaults to group. `undefined` when the text is not a valid reference.
 */
export function parseOwner(text: string): string | undefined {
  let owner: CompoundEntityRef;
  try {
    owner = parseEntityRef(text.trim(), { defaultKind: 'group' });
  } catch {
    return undefined;
  }
  const isValid =
    KubernetesValidatorFunctions.isValidKind(owner.kind) &&
    KubernetesValidatorFunctions.isValidNamespace(owner.namespace) &&
    KubernetesValidatorFunctions.isValidObjectName(owner.name);
  return isValid ? stringifyEntityRef(owner) : undefined;
}
