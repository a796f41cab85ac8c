import type { ObjectRef } from './api';
import { isNamespaceName, isObjectName } from './kubernetesNames';

/** An ApplicationSet named by an entity's annotation; the hub is optional. @public */
export type AnnotatedApplicationSet = Omit<ObjectRef, 'hub'> & {
  readonly hub?: string;
};

/**
 * Parses the entity annotation `argocd-fleet/applicationset`: `[<hub>:]<namespace>/<name>`, comma-separated.
 * @returns the valid references, and the entries that are not valid, unchanged
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

/**
 * Parses the annotation once, for any number of ApplicationSets.
 * @returns whether the annotation names an ApplicationSet: with its hub, or without one and so on every hub
 * @public
 */
export function applicationSetMatcher(
  value: string = '',
): (set: AnnotatedApplicationSet) => boolean {
  const named = new Set(parseApplicationSetAnnotation(value).refs.map(keyOf));
  return ({ hub, namespace, name }) =>
    named.has(keyOf({ hub, namespace, name })) ||
    named.has(keyOf({ namespace, name }));
}

/** Formats the annotation's value, each reference with its hub. @public */
export function formatApplicationSetAnnotation(
  refs: readonly ObjectRef[],
): string {
  return refs
    .map(({ hub, namespace, name }) => `${hub}:${namespace}/${name}`)
    .join(',');
}

function keyOf({ hub = '', namespace, name }: AnnotatedApplicationSet): string {
  return `${hub}:${namespace}/${name}`;
}
