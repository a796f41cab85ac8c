import { equalJson, isJsonObject, JsonObject } from 'apimachinery';
import { badRequest } from '../api/statusErrors';
import { memberSchema, StructuralSchema } from '../schema/structuralSchema';

const DIRECTIVE = '$patch';
const RETAIN_KEYS = '$retainKeys';
const DELETE_PRIMITIVES = '$deleteFromPrimitiveList/';
const SET_ORDER = '$setElementOrder/';

/**
 * Strategic merge patch: like a merge patch, but it merges lists with keys item by item, and directives replace, delete
 * and order items. The schema declares the keys of lists.
 * See https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/.
 */
export function applyStrategicMergePatch(
  target: unknown,
  patch: JsonObject,
  schema: StructuralSchema | undefined,
): unknown {
  if (patch[DIRECTIVE] === 'replace') {
    return withoutDirectives(patch);
  }
  if (patch[DIRECTIVE] === 'delete') {
    return undefined;
  }
  const result: JsonObject = isJsonObject(target) ? { ...target } : {};
  const retained = patch[RETAIN_KEYS];
  if (Array.isArray(retained)) {
    for (const key of Object.keys(result)) {
      if (!retained.includes(key)) {
        delete result[key];
      }
    }
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key === DIRECTIVE || key === RETAIN_KEYS) {
      continue;
    }
    if (key.startsWith(DELETE_PRIMITIVES)) {
      const field = key.slice(DELETE_PRIMITIVES.length);
      const deleted = value as unknown[];
      const list = result[field];
      if (Array.isArray(list)) {
        result[field] = list.filter(
          item => !deleted.some(other => equalJson(item, other)),
        );
      }
    } else if (!key.startsWith(SET_ORDER)) {
      mergeMember(result, key, value, memberSchema(schema, key));
    }
  }
  orderLists(result, patch, schema);
  return result;
}

function mergeMember(
  result: JsonObject,
  key: string,
  value: unknown,
  schema: StructuralSchema | undefined,
): void {
  if (value === null) {
    delete result[key];
  } else if (isJsonObject(value)) {
    const merged = applyStrategicMergePatch(result[key], value, schema);
    if (merged === undefined) {
      delete result[key];
    } else {
      result[key] = merged;
    }
  } else if (Array.isArray(value)) {
    result[key] = mergeList(result[key], value, schema);
  } else {
    result[key] = value;
  }
}

function mergeList(
  target: unknown,
  patch: readonly unknown[],
  schema: StructuralSchema | undefined,
): unknown[] {
  const type = schema?.['x-kubernetes-list-type'];
  const current = Array.isArray(target) ? target : [];
  const replaces = patch.some(
    item => isJsonObject(item) && item[DIRECTIVE] === 'replace',
  );
  if (replaces || (type !== 'map' && type !== 'set')) {
    return patch
      .filter(item => !(isJsonObject(item) && DIRECTIVE in item))
      .map(withoutDirectives);
  }
  if (type === 'set') {
    const added = patch.filter(
      item => !current.some(other => equalJson(item, other)),
    );
    return [...current, ...added];
  }
  const keys = schema?.['x-kubernetes-list-map-keys'] ?? [];
  let result = [...current];
  for (const item of patch) {
    if (!isJsonObject(item) || keys.some(key => item[key] === undefined)) {
      throw badRequest(
        `map: ${JSON.stringify(item)} does not contain declared merge key: ${keys.join()}`,
      );
    }
    const index = result.findIndex(
      other =>
        isJsonObject(other) && keys.every(key => other[key] === item[key]),
    );
    if (item[DIRECTIVE] === 'delete') {
      result = result.filter((_other, position) => position !== index);
    } else if (index < 0) {
      result.push(withoutDirectives(item));
    } else {
      result[index] = applyStrategicMergePatch(
        result[index],
        item,
        schema?.items,
      );
    }
  }
  return result;
}

/** `$setElementOrder/<list>`: the listed items in that order, then the others. */
function orderLists(
  result: JsonObject,
  patch: JsonObject,
  schema: StructuralSchema | undefined,
): void {
  for (const [key, order] of Object.entries(patch)) {
    const field = key.slice(SET_ORDER.length);
    const list = result[field];
    if (
      !key.startsWith(SET_ORDER) ||
      !Array.isArray(order) ||
      !Array.isArray(list)
    ) {
      continue;
    }
    const keys = memberSchema(schema, field)?.['x-kubernetes-list-map-keys'];
    const position = (item: unknown) => {
      const index = order.findIndex(entry =>
        keys && isJsonObject(entry) && isJsonObject(item)
          ? keys.every(name => entry[name] === item[name])
          : equalJson(entry, item),
      );
      return index < 0 ? order.length : index;
    };
    result[field] = [...list].sort((a, b) => position(a) - position(b));
  }
}

function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (!key.startsWith('$') && member !== null) {
      result[key] = withoutDirectives(member);
    }
  }
  return result;
}
