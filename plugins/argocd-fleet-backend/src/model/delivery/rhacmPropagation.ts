import {
  RHACM_INTEGRATIONS,
  RHACM_SWITCH,
  type ConfigMap,
  type Deployment,
} from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import { z } from 'zod';

const configSchema = z.object({
  pullModel: z.object({ basic: z.object({ disabled: z.boolean() }) }),
});

/**
 * The Deployment with which RHACM propagates Applications itself: two controllers would overwrite each other's works.
 * Undefined if there is none, it has no available replica, or the ConfigMap in its namespace disables it.
 */
export function propagatingDeployment(
  deployments: Iterable<Deployment>,
  configMaps: readonly ConfigMap[],
): Deployment | undefined {
  return [...deployments].find(
    ({ metadata, status }) =>
      metadata.name === RHACM_INTEGRATIONS &&
      (status?.availableReplicas ?? 0) > 0 &&
      !configMaps.some(
        it =>
          it.metadata.namespace === metadata.namespace && disablesPullModel(it),
      ),
  );
}

/** An unreadable ConfigMap does not disable it: pausing without need is better than competing for the works. */
function disablesPullModel({ metadata, data }: ConfigMap): boolean {
  const text = data?.['config.yaml'];
  if (metadata.name !== RHACM_SWITCH || text === undefined) {
    return false;
  }
  try {
    return (
      configSchema.safeParse(parse(text)).data?.pullModel.basic.disabled ===
      true
    );
  } catch {
    return false;
  }
}
