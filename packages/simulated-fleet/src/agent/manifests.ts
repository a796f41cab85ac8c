import { typeOfObject } from '../cluster/resourceTypes';
import { groupOf, KubeObject, versionOf } from '../kubernetes/objects';
import {
  DeleteOption,
  ManifestConfig,
  ResourceIdentifier,
  ResourceMeta,
} from '../kubernetes/workTypes';
import { matchesName } from '../kubernetes/namePattern';

/** The identity of a manifest's resource as the agent reports it; `resource` is `""` for an unknown kind. */
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

/** The configuration of a manifest: for each field, the first value among the matching configurations. */
export function configOf(
  meta: ResourceMeta,
  configs: readonly ManifestConfig[],
): Omit<ManifestConfig, 'resourceIdentifier'> {
  const matching = configs.filter(({ resourceIdentifier }) =>
    identifies(resourceIdentifier, meta),
  );
  return {
    feedbackRules: matching.find(config => config.feedbackRules?.length)
      ?.feedbackRules,
    conditionRules: matching.find(config => config.conditionRules?.length)
      ?.conditionRules,
    updateStrategy: matching.find(config => config.updateStrategy)
      ?.updateStrategy,
    // The last one wins here.
    feedbackScrapeType: matching.at(-1)?.feedbackScrapeType,
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

/** Whether a resourceIdentifier of manifestConfigs matches; `*` in it matches any text. */
function identifies(rule: ResourceIdentifier, meta: ResourceMeta): boolean {
  return (
    (rule.group ?? '') === meta.group &&
    rule.resource === meta.resource &&
    matchesName([rule.namespace ?? ''], meta.namespace) &&
    matchesName([rule.name], meta.name)
  );
}
