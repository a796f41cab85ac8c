import { applyPatch, JsonPatchError, Operation } from 'fast-json-patch';
import { isJsonObject } from '../api/kubernetesObject';
import { ApiError, badRequest } from '../api/statusErrors';

/** Kubernetes' limit on the operations of one JSON patch. */
const OPERATIONS_LIMIT = 10_000;

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** JSON patch (RFC 6902). Changes nothing that it is given. */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${typeof patch} into Go value of type jsonpatch.Patch`,
    );
  }
  if (patch.length > OPERATIONS_LIMIT) {
    throw new ApiError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${OPERATIONS_LIMIT}, got ${patch.length}`,
    );
  }
  for (const operation of patch) {
    const op = isJsonObject(operation) ? operation.op : undefined;
    if (!OPERATIONS.includes(op as string)) {
      throw new ApiError(422, 'Invalid', `Unexpected kind: ${String(op)}`);
    }
  }
  try {
    return applyPatch(target, patch as Operation[], true, false).newDocument;
  } catch (error) {
    if (error instanceof JsonPatchError) {
      // kube-apiserver does not say which operation failed, or why.
      throw new ApiError(
        422,
        'Invalid',
        'the server rejected our request due to an error in our request',
        {},
      );
    }
    throw error;
  }
}
