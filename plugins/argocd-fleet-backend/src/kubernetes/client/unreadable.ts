import type {
  KubernetesObject,
  ObjectMeta,
} from 'backstage-plugin-argocd-fleet-common';
import type { ResourceType } from './client';
import { MAX_DEPTH, parseExactJson } from './exactJson';

/** What is kept of an unreadable object: who it is, whose, and of which version. API servers check these fields. */
const KEPT = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
] as const satisfies readonly (keyof ObjectMeta)[];

/**
 * The object with its metadata alone, and an empty spec where readers expect one. Nothing is known of the rest: it is
 * neither empty nor what it was before.
 */
export function withoutContent<T extends KubernetesObject>(
  { apiVersion, kind, metadata }: T,
  unreadable: string,
): T {
  const stub: KubernetesObject & { readonly spec: object } = {
    apiVersion,
    kind,
    metadata: Object.fromEntries(
      KEPT.flatMap(key =>
        metadata[key] === undefined ? [] : [[key, metadata[key]]],
      ),
    ) as unknown as ObjectMeta,
    spec: {},
    unreadable,
  };
  return stub as unknown as T;
}

/** The object without its content, for a value that nests deeper than so many levels. */
export function tooDeep<T extends KubernetesObject>(
  value: unknown,
  maxDepth: number,
): T {
  return withoutContent(
    value as T,
    `has lists and objects that nest deeper than ${maxDepth} levels`,
  );
}

/**
 * Parses an object; one that nests too deep is unreadable.
 * @throws SyntaxError
 */
export function parseObject<T extends KubernetesObject>(
  text: string,
  { maxDepth = MAX_DEPTH }: Pick<ResourceType, 'maxDepth'> = {},
): T {
  return parseExactJson<T>(text, value => tooDeep(value, maxDepth), maxDepth);
}
