import { equalJson, isJsonObject, JsonObject } from 'apimachinery';
import { memberSchema, StructuralSchema } from '../schema/structuralSchema';

/**
 * A set of field paths in the encoding of `managedFields[].fieldsV1`: members
 * are `f:<field>`, `k:<list keys>` or `v:<set value>`; an empty node, or one
 * with `.`, is itself in the set.
 * See https://kubernetes.io/docs/reference/using-api/server-side-apply/.
 */
export type FieldSet = { [element: string]: FieldSet };

const SELF = '.';

function encode(member: boolean, children: FieldSet): FieldSet | undefined {
  const empty = Object.keys(children).length === 0;
  if (empty) {
    return member ? {} : undefined;
  }
  return member ? { [SELF]: {}, ...children } : children;
}

function isMember(node: FieldSet): boolean {
  return SELF in node || Object.keys(node).length === 0;
}

function elements(node: FieldSet): string[] {
  return Object.keys(node).filter(element => element !== SELF);
}

function combine(
  a: FieldSet | undefined,
  b: FieldSet | undefined,
  member: (inA: boolean, inB: boolean) => boolean,
): FieldSet | undefined {
  const children: FieldSet = {};
  const names = new Set([...(a ? elements(a) : []), ...(b ? elements(b) : [])]);
  for (const name of names) {
    const child = combine(a?.[name], b?.[name], member);
    if (child) {
      children[name] = child;
    }
  }
  return encode(
    member(a !== undefined && isMember(a), b !== undefined && isMember(b)),
    children,
  );
}

/** Like {@link combine} for roots, which are never members themselves: an empty root is the empty set. */
function combineRoots(
  a: FieldSet,
  b: FieldSet,
  member: (inA: boolean, inB: boolean) => boolean,
): FieldSet {
  const result: FieldSet = {};
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const child = combine(a[name], b[name], member);
    if (child) {
      result[name] = child;
    }
  }
  return result;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  return combineRoots(a, b, (inA, inB) => inA || inB);
}

export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return combineRoots(a, b, (inA, inB) => inA && !inB);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return combineRoots(a, b, (inA, inB) => inA && inB);
}

export function isEmptySet(set: FieldSet): boolean {
  return Object.keys(set).length === 0;
}

/** Paths as conflicts print them: `.spec.template`, `.status.conditions[type="Ready"].status`. */
export function pathsOf(set: FieldSet, prefix = ''): string[] {
  return elements(set).flatMap(element => {
    const text = element.slice(2);
    let path = `${prefix}.${text}`;
    if (element.startsWith('k:')) {
      const keys = Object.entries(JSON.parse(text) as JsonObject);
      path = `${prefix}[${keys
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`;
    } else if (element.startsWith('v:')) {
      path = `${prefix}[=${text}]`;
    }
    const node = set[element];
    return [...(isMember(node) ? [path] : []), ...pathsOf(node, path)];
  });
}

/** How server-side apply treats a value: as one field (`leaf`), or as a container of fields. */
export type Structure = 'leaf' | 'map' | 'keyedList' | 'set';

export function structureOf(
  value: unknown,
  schema: StructuralSchema | undefined,
): Structure {
  if (isJsonObject(value)) {
    return schema?.['x-kubernetes-map-type'] === 'atomic' ? 'leaf' : 'map';
  }
  if (Array.isArray(value)) {
    switch (schema?.['x-kubernetes-list-type']) {
      case 'map':
        return 'keyedList';
      case 'set':
        return 'set';
      default:
        return 'leaf';
    }
  }
  return 'leaf';
}

/** Name of a list item in a field set. */
export function itemElement(item: unknown, schema: StructuralSchema): string {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (schema['x-kubernetes-list-type'] === 'set' || !keys) {
    return `v:${JSON.stringify(item)}`;
  }
  const key: JsonObject = {};
  for (const name of [...keys].sort()) {
    key[name] =
      (item as JsonObject | undefined)?.[name] ??
      schema.items?.properties?.[name]?.default;
  }
  return `k:${JSON.stringify(key)}`;
}

/** The members of a container by their names in a field set. */
export function membersOf(
  value: unknown,
  schema: StructuralSchema | undefined,
): Map<string, { value: unknown; schema: StructuralSchema | undefined }> {
  const members = new Map<
    string,
    { value: unknown; schema: StructuralSchema | undefined }
  >();
  if (Array.isArray(value)) {
    for (const item of value) {
      members.set(itemElement(item, schema!), {
        value: item,
        schema: schema?.items,
      });
    }
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      if (value[key] !== undefined) {
        members.set(`f:${key}`, {
          value: value[key],
          schema: memberSchema(schema, key),
        });
      }
    }
  }
  return members;
}

/** All fields of a value, containers included, as a manager that added the value owns them. */
function addedSet(
  value: unknown,
  schema: StructuralSchema | undefined,
): FieldSet {
  if (structureOf(value, schema) === 'leaf') {
    return {};
  }
  const children: FieldSet = {};
  for (const [element, member] of membersOf(value, schema)) {
    children[element] = addedSet(member.value, member.schema);
  }
  return encode(true, children) ?? {};
}

/**
 * The fields of an applied configuration. Containers that the schema declares are not part of the set, only their
 * content.
 */
export function appliedSet(
  value: unknown,
  schema: StructuralSchema | undefined,
): FieldSet {
  const result: FieldSet = {};
  for (const [element, member] of membersOf(value, schema)) {
    if (structureOf(member.value, member.schema) === 'leaf') {
      result[element] = {};
    } else {
      const declared =
        element.startsWith('f:') &&
        schema?.properties?.[element.slice(2)] !== undefined;
      result[element] =
        encode(!declared, appliedSet(member.value, member.schema)) ?? {};
    }
  }
  return result;
}

/** The difference of two values in terms of fields. */
export interface Comparison {
  /** Added or modified. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** Compares two containers of the same structure, member by member. */
export function compareFields(
  before: unknown,
  after: unknown,
  schema: StructuralSchema | undefined,
): Comparison {
  const changed: FieldSet = {};
  const removed: FieldSet = {};
  const old = membersOf(before, schema);
  const now = membersOf(after, schema);
  for (const [element, member] of now) {
    const previous = old.get(element);
    if (!previous) {
      changed[element] = addedSet(member.value, member.schema);
      continue;
    }
    const structure = structureOf(member.value, member.schema);
    if (structure !== structureOf(previous.value, previous.schema)) {
      changed[element] = addedSet(member.value, member.schema);
      removed[element] = addedSet(previous.value, previous.schema);
    } else if (structure === 'leaf') {
      if (!equalJson(member.value, previous.value)) {
        changed[element] = {};
      }
    } else {
      const below = compareFields(previous.value, member.value, member.schema);
      if (!isEmptySet(below.changed)) {
        changed[element] = below.changed;
      }
      if (!isEmptySet(below.removed)) {
        removed[element] = below.removed;
      }
    }
  }
  for (const [element, member] of old) {
    if (!now.has(element)) {
      removed[element] = addedSet(member.value, member.schema);
    }
  }
  return { changed, removed };
}

/** Fields of the metadata without an owner: those of the server, and those that identify the object. */
const UNOWNED_METADATA = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
];

/** Removes the fields that no manager can own. */
export function ownable(set: FieldSet): FieldSet {
  const result = { ...set };
  delete result['f:apiVersion'];
  delete result['f:kind'];
  if (result['f:metadata']) {
    const metadata = { ...result['f:metadata'] };
    delete metadata[SELF];
    for (const name of UNOWNED_METADATA) {
      delete metadata[`f:${name}`];
    }
    if (isEmptySet(metadata)) {
      delete result['f:metadata'];
    } else {
      result['f:metadata'] = metadata;
    }
  }
  return result;
}
