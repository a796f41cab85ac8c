import { isJsonObject } from '../kubernetes/json';
import { JsonObject } from '../kubernetes/objects';

// Argo CD decodes a spec into its Go types and serializes them. Fields with Go's
// zero value are omitted, with two exceptions: fields without `omitempty`, here
// by the field that contains them, and pointers, which distinguish absent from empty.
const REQUIRED_FIELDS: Readonly<Record<string, JsonObject>> = {
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

/** The spec of an Application as Argo CD serializes it when it writes to the hub. */
export function serializedSpec(spec: JsonObject): JsonObject {
  const { syncPolicy, source, ...written } = serializedObject(spec, 'spec');
  const several = Array.isArray(written.sources) && written.sources.length > 0;
  if (isJsonObject(source)) {
    // With several sources, Argo CD does not remove empty options.
    written.source = several ? source : withoutEmptyOptions(source);
  }
  if (isJsonObject(syncPolicy) && Object.keys(syncPolicy).length > 0) {
    written.syncPolicy = syncPolicy;
  }
  return { ...written, project: written.project || 'default' };
}

function serializedObject(object: JsonObject, type: string): JsonObject {
  const written: JsonObject = { ...REQUIRED_FIELDS[type] };
  for (const [field, value] of Object.entries(object)) {
    const fieldWritten = serializedField(field, value);
    if (fieldWritten !== undefined) {
      written[field] = fieldWritten;
    }
  }
  return written;
}

function serializedField(field: string, value: unknown): unknown {
  if (value === null || value === undefined) {
    return undefined;
  }
  if (field === 'valuesObject') {
    return value;
  }
  if (Array.isArray(value)) {
    return value.length > 0
      ? value.map(item =>
          isJsonObject(item) ? serializedObject(item, field) : item,
        )
      : undefined;
  }
  if (isJsonObject(value)) {
    const object = TEXT_MAPS.has(field)
      ? value
      : serializedObject(value, field);
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
