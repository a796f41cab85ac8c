import { InputError } from '@backstage/errors';
import {
  parseApplicationSetAnnotation,
  type ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type { z as zod } from 'zod/v3';

/** Input of the actions about one ApplicationSet, which {@link readRef} reads. */
export const REF_INPUT = {
  applicationSet: (z: typeof zod) =>
    z.string().min(1).describe('The ApplicationSet, as hub:namespace/name'),
};

/** @throws InputError for a text that names no ApplicationSet of a hub */
export function readRef(text: string): ObjectRef {
  const { refs, malformed } = parseApplicationSetAnnotation(text);
  const [ref] = refs;
  if (!ref?.hub || refs.length > 1 || malformed.length > 0) {
    throw new InputError(
      `${JSON.stringify(text)} names no ApplicationSet: write hub:namespace/name`,
    );
  }
  return { ...ref, hub: ref.hub };
}
