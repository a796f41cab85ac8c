import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { isRecord } from '../../model/json';

/** What readers expect of a part of an object: a JSON type, a list, a map, or known fields beside any others. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'object'
  | { readonly each: Shape; readonly limit?: number }
  | { readonly values: Shape }
  | {
      readonly fields: Readonly<Record<string, Shape>>;
      /** Without these, the whole part is of no use. */
      readonly required: readonly string[];
    };

/** A list; items of another shape are left out, and those after the first `limit`. */
export const list = (each: Shape, limit?: number): Shape => ({ each, limit });

/** An object with any keys; values of another shape are left out. */
export const map = (values: Shape): Shape => ({ values });

/** An object with these fields and any others; fields of another shape are left out. */
export const fields = (
  known: Readonly<Record<string, Shape>>,
  ...required: readonly string[]
): Shape => ({ fields: known, required });

/**
 * The object without the parts that readers could not read: the definition of its resource may be older, made by hand
 * or without a schema, and then nothing else checks what a tenant or a cluster writes. One such object must not fail an
 * answer about all others. An object without such parts is returned as it is.
 * @param shape - of the object besides its metadata, which every API server checks
 */
export function readable<T extends KubernetesObject>(
  object: T,
  shape: Shape,
): T {
  return (shaped(object, shape) as T | undefined) ?? object;
}

/** The value, or a copy without unreadable parts; undefined where nothing of it is readable. */
function shaped(value: unknown, shape: Shape): unknown {
  if (typeof shape === 'string') {
    return isOfType(value, shape) ? value : undefined;
  }
  if ('each' in shape) {
    return Array.isArray(value) ? shapedList(value, shape) : undefined;
  }
  if (!isOfType(value, 'object')) {
    return undefined;
  }
  const record = value as Record<string, unknown>;
  if ('values' in shape) {
    return shapedFields(record, Object.keys(record), () => shape.values);
  }
  const result = shapedFields(
    record,
    Object.keys(shape.fields),
    key => shape.fields[key],
  );
  return shape.required.every(key => Object.hasOwn(result, key))
    ? result
    : undefined;
}

function shapedList(
  all: readonly unknown[],
  { each, limit = Infinity }: { readonly each: Shape; readonly limit?: number },
) {
  const values = all.length > limit ? all.slice(0, limit) : all;
  /** From the first item on that is not as it was. */
  let result: unknown[] | undefined;
  for (let i = 0; i < values.length; i += 1) {
    const item = shaped(values[i], each);
    if (item !== values[i] || item === undefined) {
      result ??= values.slice(0, i);
    }
    if (item !== undefined) {
      result?.push(item);
    }
  }
  return result ?? values;
}

function shapedFields(
  record: Record<string, unknown>,
  keys: readonly string[],
  shapeOf: (key: string) => Shape,
): Record<string, unknown> {
  let result = record;
  for (const key of keys) {
    if (Object.hasOwn(record, key)) {
      const value = shaped(record[key], shapeOf(key));
      if (value !== record[key] || value === undefined) {
        result = result === record ? { ...record } : result;
        if (value === undefined) {
          delete result[key];
        } else {
          result[key] = value;
        }
      }
    }
  }
  return result;
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'object'
    ? isRecord(value) && !JSON.isRawJSON(value)
    : typeof value === type;
}
