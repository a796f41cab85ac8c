import type { ManifestConfig } from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../json';

/** Defaults of OCM's ManifestWork API, filled in where a writer leaves the field out. */
const DEFAULT_SCRAPE_TYPE = 'Poll';
const DEFAULT_FIELD_MANAGER = 'work-agent';

/**
 * Whether two configurations of one manifest mean the same. What the API server fills in is no difference, and neither is the
 * order of lists that Kubernetes treats as maps.
 */
export function sameManifestConfig(
  a: ManifestConfig,
  b: ManifestConfig,
): boolean {
  return sameJson(normal(a), normal(b));
}

function normal(config: ManifestConfig): unknown {
  const { type, serverSideApply } = config.updateStrategy ?? {};
  return {
    resourceIdentifier: config.resourceIdentifier,
    scrape: config.feedbackScrapeType ?? DEFAULT_SCRAPE_TYPE,
    // One rule with five paths or five rules with one each (as RHACM writes them) bring the same home.
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
