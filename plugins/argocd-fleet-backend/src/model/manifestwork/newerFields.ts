import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { configsOf } from '../delivery';
import { isRecord } from '../json';
import type { WorkOptions } from './workOptions';

/** Fields of a manifest configuration that older versions of OCM do not have. */
export const NEWER_FIELDS = {
  conditionRules: {
    option: 'conditionRules',
    since: '1.0',
    consequence:
      'resources, images and history of the Applications are not reported, and of their errors only the first of each kind',
  },
  feedbackScrapeType: {
    option: 'watch',
    since: '1.2',
    consequence:
      'agents poll the Applications, so that status changes take some seconds',
  },
} as const;

/** Name of such a field. */
export type NewerField = keyof typeof NEWER_FIELDS;

const FIELDS = Object.keys(NEWER_FIELDS) as NewerField[];

/** The options, with those that need a missing field turned off. */
export function withoutFields<Options extends WorkOptions>(
  options: Options,
  missing: ReadonlySet<NewerField>,
): Options {
  const off = FIELDS.filter(field => missing.has(field)).map(field => [
    NEWER_FIELDS[field].option,
    false,
  ]);
  return { ...options, ...Object.fromEntries(off) };
}

/**
 * Fields that the hub's CRD of ManifestWork does not define. Empty if the CRD does not list fields at all: such a hub
 * stores any field.
 */
export function fieldsNotDefined(definition: KubernetesObject): NewerField[] {
  const versions = at(definition, 'spec', 'versions');
  const served = Array.isArray(versions)
    ? versions.find(version => at(version, 'name') === 'v1')
    : undefined;
  const spec = at(served, 'schema', 'openAPIV3Schema', 'properties', 'spec');
  const config = at(spec, 'properties', 'manifestConfigs', 'items');
  const properties = at(config, 'properties');
  if (
    !isRecord(properties) ||
    at(config, 'x-kubernetes-preserve-unknown-fields') === true
  ) {
    return [];
  }
  return FIELDS.filter(field => !(field in properties));
}

/** Fields that were written and that the API server pruned, because its CRD does not define them. */
export function fieldsNotStored(
  written: ManifestWork,
  stored: ManifestWork,
): NewerField[] {
  const [writtenConfig] = configsOf(written).application;
  const [storedConfig] = configsOf(stored).application;
  return FIELDS.filter(
    field =>
      writtenConfig?.[field] !== undefined &&
      storedConfig &&
      storedConfig[field] === undefined,
  );
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, key) => (isRecord(parent) ? parent[key] : undefined),
    value,
  );
}
