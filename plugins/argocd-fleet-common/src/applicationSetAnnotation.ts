import type { ObjectRef } from './api';
import { isNamespaceName, isObjectName } from './kubernetesNames';

/** An ApplicationSet as an entity's annotation names it: the hub may be left out. @public */
export type AnnotatedApplicationSet = Omit<ObjectRef, 'hub'> & {
  readonly hub?: string;
};

/**
 * Reads the entity annotation `argocd-fleet/applicationset`: `[<hub>:]<namespace>/<name>`, comma-separated.
 * @returns what could be read, and the entries that do not have this form, as they were written
 * @public
 */
export function parseApplicationSetAnnotation(value: string): {
  readonly refs: AnnotatedApplicationSet[];
  readonly malformed: string[];
} {
  const refs: AnnotatedApplicationSet[] = [];
  const malformed: string[] = [];
  for (const entry of value.split(',').map(part => part.trim())) {
    const match = /^(?:([^:/\s]+):)?([^:/\s]+)\/([^:/\s]+)$/.exec(entry);
    if (match && isNamespaceName(match[2]) && isObjectName(match[3])) {
      const [, hub, namespace, name] = match;
      refs.push({ hub, namespace, name });
    } else if (entry) {
      malformed.push(entry);
    }
  }
  return { refs, malformed };
}

/** Writes the annotation's value for ApplicationSets whose hub is known. @public */
export function formatApplicationSetAnnotation(
  refs: readonly ObjectRef[],
): string {
  return refs
    .map(({ hub, namespace, name }) => `${hub}:${namespace}/${name}`)
    .join(',');
}
