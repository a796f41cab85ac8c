import {
  ANNOTATION_LOCATION,
  ANNOTATION_ORIGIN_LOCATION,
  DEFAULT_NAMESPACE,
  KubernetesValidatorFunctions,
  stringifyEntityRef,
} from '@backstage/catalog-model';

/**
 * Where an entity comes from. Not of type `url`: the catalog would look for a source-code host behind it and offer a refresh
 * that does nothing.
 */
export function locationAnnotations(target: string): Record<string, string> {
  const location = `argocd-fleet:${target}`;
  return {
    [ANNOTATION_LOCATION]: location,
    [ANNOTATION_ORIGIN_LOCATION]: location,
  };
}

/** The owner's reference in full, a group where no kind is given; `undefined` where the text is no reference. */
export function parseOwner(text: string): string | undefined {
  const match = /^(?:([^:]+):)?(?:([^/]+)\/)?([^/]+)$/.exec(text.trim());
  if (!match) {
    return undefined;
  }
  const [, kind = 'group', namespace = DEFAULT_NAMESPACE, name] = match;
  const isLegal =
    KubernetesValidatorFunctions.isValidKind(kind) &&
    KubernetesValidatorFunctions.isValidNamespace(namespace) &&
    KubernetesValidatorFunctions.isValidObjectName(name);
  return isLegal ? stringifyEntityRef({ kind, namespace, name }) : undefined;
}
