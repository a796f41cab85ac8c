import type {
  KubernetesObject,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationConfigs } from '../delivery';
import { isRecord } from '../json';
import type { WorkOptions } from './workOptions';

/** Fields of a work's manifest configuration that older versions of OCM do not have. */
export const NEWER_FIELDS = {
  conditionRules: {
    option: 'conditionRules',
    since: '1.0',
    brings:
      'resources, images and history of the Applications are not reported, and of their errors only the first of each kind',
  },
  feedbackScrapeType: {
    option: 'watch',
    since: '1.2',
    brings:
      'agents poll the Applications, so that status changes take some seconds',
  },
} as const;

/** Name of such a field. */
export type NewerField = keyof typeof NEWER_FIELDS;

const FIELDS = Object.keys(NEWER_FIELDS) as NewerField[];

/** The options, less what takes a field that the hub does not have. */
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
 * Fields that a hub's definition of ManifestWork lacks. One that says nothing of the fields lacks none: such a hub keeps what it
 * is given.
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

/** Fields that were written and are not in what the API server stored: it drops what its definition does not know. */
export function fieldsNotStored(
  written: ManifestWork,
  stored: ManifestWork,
): NewerField[] {
  const [wanted] = applicationConfigs(written);
  const [kept] = applicationConfigs(stored);
  return FIELDS.filter(
    field => wanted?.[field] !== undefined && kept && kept[field] === undefined,
  );
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (parent, key) => (isRecord(parent) ? parent[key] : undefined),
    value,
  );
}
