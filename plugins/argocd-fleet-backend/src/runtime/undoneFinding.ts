import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { parseKey } from '../kubernetes/client';
import { writerFindings } from '../model/findings';
import type { ContestedObject } from './rewriteDamper';

/**
 * One finding about the objects that another writer undoes; none where there are none.
 * @param part - what is written of them; undefined for the whole object
 */
export function undoneFinding(
  hub: string,
  { kind, part }: { readonly kind: string; readonly part?: string },
  contested: readonly ContestedObject[],
): Finding[] {
  if (contested.length === 0) {
    return [];
  }
  const managers = new Set(contested.flatMap(({ manager }) => manager ?? []));
  return [
    writerFindings.undone(hub, {
      kind,
      part,
      objects: contested.map(({ key }) => parseKey(key)),
      managers: [...managers].sort(),
    }),
  ];
}
