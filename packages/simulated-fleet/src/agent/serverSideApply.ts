import { isJsonObject, jsonEqual } from '../kubernetes/json';
import { JsonObject, KubeObject } from '../kubernetes/objects';

/**
 * An object after a forced server-side apply. Fields of the manifest replace the
 * live ones. Fields of the previous manifest only are removed, unless the
 * cluster has changed them or another manager owns them too. All other fields
 * stay. Lists whose elements have names are merged by name, finalizers are a
 * set; other lists are replaced.
 *
 * @throws Error in the API server's words for a new finalizer on an object that is being deleted.
 */
export function serverSideApplied(
  live: KubeObject,
  /** The previously applied manifest, without fields that must never be removed. */
  before: KubeObject | undefined,
  manifest: KubeObject,
  /** The fields that another manager owns too, with the values that it wrote. */
  others: JsonObject = {},
): KubeObject {
  const { status: _ignored, ...desired } = manifest;
  const result = appliedObject(
    asJson(live),
    asJson(before ?? {}),
    asJson(desired),
    others,
  ) as KubeObject & JsonObject;
  const { finalizers: _list, ...metadata } = result.metadata;
  const finalizers = appliedFinalizers(
    live,
    before?.metadata.finalizers ?? [],
    manifest.metadata.finalizers ?? [],
    (others as Partial<KubeObject>).metadata?.finalizers ?? [],
  );
  return {
    ...live,
    ...result,
    metadata: {
      ...metadata,
      ...(finalizers.length > 0 && { finalizers }),
    } as KubeObject['metadata'],
    status: live.status,
  };
}

function appliedFinalizers(
  { metadata }: KubeObject,
  before: readonly string[],
  desired: readonly string[],
  others: readonly string[],
): string[] {
  const live = metadata.finalizers ?? [];
  const added = desired.filter(name => !live.includes(name));
  if (metadata.deletionTimestamp && added.length > 0) {
    throw new Error(
      `metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
    );
  }
  const kept = live.filter(
    name =>
      desired.includes(name) || !before.includes(name) || others.includes(name),
  );
  return [...kept, ...added];
}

function appliedObject(
  live: JsonObject,
  before: JsonObject,
  desired: JsonObject,
  others: JsonObject,
): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(live)) {
    const isRemoved =
      !(key in desired) &&
      key in before &&
      jsonEqual(before[key], value) &&
      !jsonEqual(others[key], value);
    if (!isRemoved) {
      result[key] = value;
    }
  }
  for (const [key, value] of Object.entries(desired)) {
    result[key] = appliedValue(live[key], before[key], value, others[key]);
  }
  return result;
}

function appliedValue(
  live: unknown,
  before: unknown,
  desired: unknown,
  others: unknown,
): unknown {
  if (isJsonObject(live) && isJsonObject(desired)) {
    return appliedObject(
      live,
      isJsonObject(before) ? before : {},
      desired,
      isJsonObject(others) ? others : {},
    );
  }
  if (isNamedList(live) && isNamedList(desired)) {
    const old = isNamedList(before) ? before : [];
    const given = new Set(desired.map(({ name }) => name));
    const kept = live.filter(
      ({ name }) => !given.has(name) && !old.some(entry => entry.name === name),
    );
    return [
      ...desired.map(entry =>
        appliedObject(
          live.find(({ name }) => name === entry.name) ?? {},
          old.find(({ name }) => name === entry.name) ?? {},
          entry,
          {},
        ),
      ),
      ...kept,
    ];
  }
  return desired;
}

function isNamedList(
  value: unknown,
): value is (JsonObject & { name: string })[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(entry => isJsonObject(entry) && typeof entry.name === 'string')
  );
}

/** An object as untyped JSON. */
function asJson(object: object): JsonObject {
  return { ...object };
}
