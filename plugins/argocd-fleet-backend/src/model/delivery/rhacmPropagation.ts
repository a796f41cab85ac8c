import {
  RHACM_INTEGRATIONS,
  RHACM_SWITCH,
  type ConfigMap,
  type Deployment,
} from 'backstage-plugin-argocd-fleet-common';
import { parse } from 'yaml';
import { z } from 'zod';

const switchSchema = z.object({
  pullModel: z.object({ basic: z.object({ disabled: z.boolean() }) }),
});

/**
 * The Deployment by which RHACM propagates Applications itself, so that two writers would fight; undefined where there is none, it
 * does not run, or the switch in its namespace is off.
 */
export function propagatingDeployment(
  deployments: Iterable<Deployment>,
  switches: readonly ConfigMap[],
): Deployment | undefined {
  return [...deployments].find(
    ({ metadata, status }) =>
      metadata.name === RHACM_INTEGRATIONS &&
      (status?.availableReplicas ?? 0) > 0 &&
      !switches.some(
        it => it.metadata.namespace === metadata.namespace && switchedOff(it),
      ),
  );
}

/** A switch that cannot be read is one that is not off: better to stand back for nothing than to fight. */
function switchedOff({ metadata, data }: ConfigMap): boolean {
  const text = data?.['config.yaml'];
  if (metadata.name !== RHACM_SWITCH || text === undefined) {
    return false;
  }
  try {
    return (
      switchSchema.safeParse(parse(text)).data?.pullModel.basic.disabled ===
      true
    );
  } catch {
    return false;
  }
}
