import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';

/**
 * An owner as rules compare it: the full reference in lower case, as the catalog resolves it. An owner without kind is a
 * group. Undefined where the text is no entity reference.
 * @public
 */
export function normalizeOwner(owner: string): string | undefined {
  try {
    return stringifyEntityRef(
      parseEntityRef(owner, {
        defaultKind: 'group',
        defaultNamespace: 'default',
      }),
    );
  } catch {
    // It is no reference, which is all that there is to say about it.
    return undefined;
  }
}
