import type { JsonPatchOperation, Patch } from './client';

/**
 * The content type and the body of a patch, which fails with `conflict` where the object no longer has the resource
 * version.
 */
export function patchBody(
  patch: Patch,
  resourceVersion: string | undefined,
): { readonly contentType: string; readonly body: Patch } {
  return {
    contentType: `application/${isOperations(patch) ? 'json-patch' : 'merge-patch'}+json`,
    body: resourceVersion ? withResourceVersion(patch, resourceVersion) : patch,
  };
}

function isOperations(patch: Patch): patch is readonly JsonPatchOperation[] {
  return Array.isArray(patch);
}

function withResourceVersion(patch: Patch, resourceVersion: string): Patch {
  if (isOperations(patch)) {
    // Not a `test` operation: that would fail with `invalid`, not with `conflict`.
    const path = '/metadata/resourceVersion';
    return [{ op: 'replace', path, value: resourceVersion }, ...patch];
  }
  const metadata = patch.metadata as object | undefined;
  return { ...patch, metadata: { ...metadata, resourceVersion } };
}
