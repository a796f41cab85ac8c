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

/** RHACM's has some lines. The time to parse hostile YAML grows with more than its length: 1 MB takes seconds. */
const MAX_CONFIG_LENGTH = 4_096;

/**
 * The Deployment with which RHACM propagates Applications itself: two controllers would overwrite each other's works.
 * Undefined if there is none, it has no available replica, or the ConfigMap in its namespace disables it.
 * @param namespace - of RHACM: elsewhere, a tenant may have a Deployment of that name
 */
export function propagatingDeployment(
  namespace: string,
  deployments: Iterable<Deployment>,
  configMaps: readonly ConfigMap[],
): Deployment | undefined {
  return [...deployments].find(
    deployment =>
      deployment.metadata.namespace === namespace &&
      isRunning(deployment) &&
      !configMaps.some(
        it => it.metadata.namespace === namespace && disablesPullModel(it),
      ),
  );
}

/** Those that would be RHACM's, were they in its namespace. */
export function deploymentsLikeRhacm(
  namespace: string,
  deployments: Iterable<Deployment>,
): Deployment[] {
  return [...deployments].filter(
    deployment =>
      deployment.metadata.namespace !== namespace && isRunning(deployment),
  );
}

function isRunning({ metadata, status }: Deployment): boolean {
  return (
    metadata.name === RHACM_INTEGRATIONS && (status?.availableReplicas ?? 0) > 0
  );
}

/** An unreadable ConfigMap does not disable it: pausing without need is better than competing for the works. */
function disablesPullModel({ metadata, data }: ConfigMap): boolean {
  const text = data?.['config.yaml'];
  if (
    metadata.name !== RHACM_SWITCH ||
    typeof text !== 'string' ||
    text.length > MAX_CONFIG_LENGTH
  ) {
    return false;
  }
  try {
    const config = parse(text, {
      maxAliasCount: 0,
      prettyErrors: false,
      logLevel: 'error',
    });
    return (
      configSchema.safeParse(config).data?.pullModel.basic.disabled === true
    );
  } catch {
    return false;
  }
}
