import type { ManifestConfig } from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../json';

/** Defaults of OCM's ManifestWork API. */
const DEFAULT_SCRAPE_TYPE = 'Poll';
const DEFAULT_FIELD_MANAGER = 'work-agent';

/**
 * Whether two configurations of one manifest mean the same. Defaults of the API server are no difference, and neither
 * is the order of lists that Kubernetes treats as maps.
 */
export function sameManifestConfig(
  a: ManifestConfig,
  b: ManifestConfig,
): boolean {
  return sameJson(normalized(a), normalized(b));
}

function normalized(config: ManifestConfig): unknown {
  const { type, serverSideApply } = config.updateStrategy ?? {};
  return {
    resourceIdentifier: config.resourceIdentifier,
    scrape: config.feedbackScrapeType ?? DEFAULT_SCRAPE_TYPE,
    // One rule with five paths reports the same as five rules with one path each, as RHACM writes them.
    feedback: byKey(
      (config.feedbackRules ?? []).flatMap(rule =>
        rule.jsonPaths
          ? rule.jsonPaths.map(path => ({ ...path, type: rule.type }))
          : [{ type: rule.type, name: '', path: '' }],
      ),
      rule => `${rule.type}/${rule.name}`,
    ),
    conditions: byKey(config.conditionRules ?? [], rule => rule.condition),
    strategy: type ?? 'Update',
    serverSideApply: serverSideApply && {
      force: serverSideApply.force ?? false,
      fieldManager: serverSideApply.fieldManager ?? DEFAULT_FIELD_MANAGER,
      ignoreFields: byKey(
        serverSideApply.ignoreFields ?? [],
        field => field.condition,
      ),
    },
  };
}

function byKey<T>(
  items: readonly T[],
  key: (item: T) => string,
): Record<string, T> {
  return Object.fromEntries(items.map(item => [key(item), item]));
}
