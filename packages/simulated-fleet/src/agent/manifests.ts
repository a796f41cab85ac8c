import { typeOfObject } from '../cluster/resourceTypes';
import { groupOf, KubeObject, versionOf } from '../kubernetes/objects';
import {
  DeleteOption,
  ManifestConfig,
  ResourceIdentifier,
  ResourceMeta,
} from '../kubernetes/workTypes';

/** What the agent reports about which resource a manifest is; an unknown kind has no `resource`. */
export function resourceMetaOf(
  manifest: KubeObject,
  ordinal: number,
): ResourceMeta {
  const type = typeOfObject(manifest);
  return {
    ordinal,
    group: groupOf(manifest.apiVersion),
    version: versionOf(manifest.apiVersion),
    kind: manifest.kind,
    resource: type?.resource ?? '',
    name: manifest.metadata.name,
    namespace:
      type && !type.namespaced ? '' : (manifest.metadata.namespace ?? ''),
  };
}

/** The configuration of a manifest: of several that fit, the first of each part. */
export function configOf(
  meta: ResourceMeta,
  configs: readonly ManifestConfig[],
): Omit<ManifestConfig, 'resourceIdentifier'> {
  const fitting = configs.filter(({ resourceIdentifier }) =>
    identifies(resourceIdentifier, meta),
  );
  return {
    feedbackRules: fitting.find(config => config.feedbackRules?.length)
      ?.feedbackRules,
    conditionRules: fitting.find(config => config.conditionRules?.length)
      ?.conditionRules,
    updateStrategy: fitting.find(config => config.updateStrategy)
      ?.updateStrategy,
    feedbackScrapeType: fitting.at(-1)?.feedbackScrapeType,
  };
}

/** Whether deleting the work deletes this resource. */
export function isDeletedWithWork(
  meta: ResourceMeta,
  option: DeleteOption | undefined,
): boolean {
  switch (option?.propagationPolicy) {
    case 'Orphan':
      return false;
    case 'SelectivelyOrphan':
      return !option.selectivelyOrphans?.orphaningRules?.some(rule =>
        matchesExactly(rule, meta),
      );
    default:
      return true;
  }
}

function matchesExactly(rule: ResourceIdentifier, meta: ResourceMeta): boolean {
  return (
    (rule.group ?? '') === meta.group &&
    rule.resource === meta.resource &&
    (rule.namespace ?? '') === meta.namespace &&
    rule.name === meta.name
  );
}

/** In manifestConfigs, `*` stands for anything. */
function identifies(rule: ResourceIdentifier, meta: ResourceMeta): boolean {
  const fits = (pattern: string, value: string) =>
    pattern.includes('*')
      ? new RegExp(
          `^${pattern
            .split('*')
            .map(part => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
            .join('.*')}$`,
        ).test(value)
      : pattern === value;
  return (
    (rule.group ?? '') === meta.group &&
    rule.resource === meta.resource &&
    fits(rule.namespace ?? '', meta.namespace) &&
    fits(rule.name, meta.name)
  );
}
