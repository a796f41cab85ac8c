import { ApplicationSet } from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';

/** The JSON pointers that an ApplicationSet ignores in the Application with that name. */
export function ignoredPointers(
  { spec }: ApplicationSet,
  applicationName: string,
): string[] {
  return (spec?.ignoreApplicationDifferences ?? [])
    .filter(({ name }) => !name || name === applicationName)
    .flatMap(({ jsonPointers = [] }) => jsonPointers);
}

/** A document without the values at the JSON pointers (RFC 6901); a pointer to no value is ignored. */
export function withoutPointers(
  document: JsonObject,
  pointers: readonly string[],
): JsonObject {
  return pointers.reduce<JsonObject>((rest, pointer) => {
    const path = pointer
      .split('/')
      .slice(1)
      .map(token => token.replace(/~1/g, '/').replace(/~0/g, '~'));
    return path.length > 0 ? (without(rest, path) as JsonObject) : rest;
  }, document);
}

function without(value: unknown, [head, ...tail]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const index = Number(head);
    if (!/^\d+$/.test(head) || index >= value.length) {
      return value;
    }
    return tail.length === 0
      ? value.toSpliced(index, 1)
      : value.with(index, without(value[index], tail));
  }
  if (!isJsonObject(value) || !(head in value)) {
    return value;
  }
  const { [head]: found, ...others } = value;
  return tail.length === 0
    ? others
    : { ...others, [head]: without(found, tail) };
}
