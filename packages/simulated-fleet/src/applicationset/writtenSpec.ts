import { isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';

// Argo CD decodes a spec into its Go types and writes it from there: fields
// with Go's zero value are left out, save those that a type always writes, by
// the field that the type stands in, and those that are pointers, for which
// absent and empty are two things.
const ALWAYS_WRITTEN: Readonly<Record<string, JsonObject>> = {
  spec: { destination: {}, project: '' },
  source: { repoURL: '' },
  sources: { repoURL: '' },
  directory: { jsonnet: {} },
  info: { name: '', value: '' },
  env: { name: '', value: '' },
  extVars: { name: '', value: '' },
  tlas: { name: '', value: '' },
  ignoreDifferences: { kind: '' },
  replicas: { name: '', count: 0 },
  sourceHydrator: { drySource: {}, syncSource: {} },
  drySource: { repoURL: '', targetRevision: '', path: '' },
  syncSource: { targetBranch: '', path: '' },
  hydrateTo: { targetBranch: '' },
};
const POINTERS = new Set([
  'source',
  'syncPolicy',
  'automated',
  'enabled',
  'retry',
  'backoff',
  'factor',
  'managedNamespaceMetadata',
  'revisionHistoryLimit',
  'helm',
  'kustomize',
  'directory',
  'plugin',
  'target',
  'string',
  'sourceHydrator',
  'hydrateTo',
]);
const TEXT_MAPS = new Set([
  'labels',
  'annotations',
  'commonLabels',
  'commonAnnotations',
  'options',
  'map',
]);
const SOURCE_OPTIONS = ['helm', 'kustomize', 'directory'] as const;

/** The spec of an Application as Argo CD writes it to the hub when it was given this one. */
export function writtenSpec(spec: JsonObject): JsonObject {
  const { syncPolicy, source, ...written } = writtenObject(spec, 'spec');
  const several = Array.isArray(written.sources) && written.sources.length > 0;
  if (isJsonObject(source)) {
    // Of several sources Argo CD leaves empty options as they are.
    written.source = several ? source : withoutEmptyOptions(source);
  }
  if (isJsonObject(syncPolicy) && Object.keys(syncPolicy).length > 0) {
    written.syncPolicy = syncPolicy;
  }
  return { ...written, project: written.project || 'default' };
}

function writtenObject(object: JsonObject, type: string): JsonObject {
  const written: JsonObject = { ...ALWAYS_WRITTEN[type] };
  for (const [field, value] of Object.entries(object)) {
    const fieldWritten = writtenField(field, value);
    if (fieldWritten !== undefined) {
      written[field] = fieldWritten;
    }
  }
  return written;
}

function writtenField(field: string, value: unknown): unknown {
  if (value === null || value === undefined) {
    return undefined;
  }
  if (field === 'valuesObject') {
    return value;
  }
  if (Array.isArray(value)) {
    return value.length > 0
      ? value.map(item =>
          isJsonObject(item) ? writtenObject(item, field) : item,
        )
      : undefined;
  }
  if (isJsonObject(value)) {
    const object = TEXT_MAPS.has(field) ? value : writtenObject(value, field);
    return Object.keys(object).length > 0 || POINTERS.has(field)
      ? object
      : undefined;
  }
  const zero = value === '' || value === 0 || value === false;
  return zero && !POINTERS.has(field) ? undefined : value;
}

function withoutEmptyOptions(source: JsonObject): JsonObject {
  const result = { ...source };
  for (const option of SOURCE_OPTIONS) {
    const fields = { jsonnet: {}, ...(result[option] as JsonObject) };
    const { jsonnet, ...others } = fields;
    const empty =
      Object.keys(others).length + Object.keys(jsonnet ?? {}).length === 0;
    if (empty) {
      delete result[option];
    }
  }
  return result;
}
