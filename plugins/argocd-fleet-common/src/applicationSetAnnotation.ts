import type { ObjectRef } from './api';

/** An ApplicationSet as an entity's annotation names it: the hub may be left out. @public */
export type AnnotatedApplicationSet = Omit<ObjectRef, 'hub'> & {
  readonly hub?: string;
};

/** A DNS label, as namespaces are named. */
const NAMESPACE = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
/** A DNS subdomain, as ApplicationSets are named. */
const NAME =
  /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

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
    if (match && NAMESPACE.test(match[2]) && NAME.test(match[3])) {
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
