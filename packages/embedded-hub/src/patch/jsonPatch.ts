import {
  applyPatch,
  getValueByPointer,
  JsonPatchError,
  Operation,
} from 'fast-json-patch';
import { isJsonObject } from 'apimachinery';
import { goTypeOf } from '../api/goDecoding';
import { ApiError, badRequest } from '../api/statusErrors';

/** Kubernetes' limit on the number of operations in one JSON patch. */
const OPERATIONS_LIMIT = 10_000;

const OPERATIONS = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** Kubernetes' library replaces a member that does not exist, which RFC 6902 forbids. */
function tolerant(document: unknown, operation: Operation): Operation {
  if (operation.op !== 'replace' || !operation.path.includes('/')) {
    return operation;
  }
  const parent: unknown = getValueByPointer(
    document,
    operation.path.slice(0, operation.path.lastIndexOf('/')),
  );
  return isJsonObject(parent) ? { ...operation, op: 'add' } : operation;
}

/** kube-apiserver's error, which names neither the operation nor the reason. */
function refusal(): ApiError {
  return new ApiError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
}

/** JSON patch (RFC 6902). Returns a new value and leaves its arguments unchanged. */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goTypeOf(patch)} into Go value of type []handlers.jsonPatchOp`,
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
      throw refusal();
    }
  }
  try {
    return (patch as Operation[]).reduce<unknown>(
      (document, operation) =>
        applyPatch(document, [tolerant(document, operation)], true, false)
          .newDocument,
      target,
    );
  } catch (error) {
    if (error instanceof JsonPatchError) {
      throw refusal();
    }
    throw error;
  }
}
