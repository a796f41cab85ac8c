import {
  MANAGED_BY_LABEL,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { agentOfSecret } from '../delivery';
import { clusterImportFindings } from '../findings';
import {
  argoClusterName,
  heldServer,
  isImportedSecret,
  isMarkedSecret,
  type StoredSecret,
} from './clusterSecret';

/** A Secret of ours that argocd-agent's made superfluous. */
export interface SupersededSecret {
  readonly secret: StoredSecret;
  readonly agents: StoredSecret;
}

/** Secrets of one namespace by the name of their cluster, where several have the same. */
export function duplicateClusters(
  secrets: readonly StoredSecret[],
): ReadonlyMap<string, readonly StoredSecret[]> {
  const byName = new Map<string, StoredSecret[]>();
  for (const secret of secrets) {
    const name = argoClusterName(secret);
    if (name && !secret.metadata.deletionTimestamp) {
      const same = byName.get(name) ?? [];
      byName.set(name, same);
      same.push(secret);
    }
  }
  return new Map([...byName].filter(([, same]) => same.length > 1));
}

/**
 * The Secret of ours among several of one cluster that is superfluous, because argocd-agent registered the cluster after
 * us: one without credentials, which only names the cluster.
 */
export function supersededSecret(
  namesakes: readonly StoredSecret[],
): SupersededSecret | undefined {
  const agents = namesakes.find(each => agentOfSecret(each) !== undefined);
  const secret = namesakes.find(
    each =>
      // What RHACM created it would create again.
      isMarkedSecret(each) &&
      isImportedSecret(each) &&
      each.configFingerprint === undefined &&
      heldServer(each) === undefined,
  );
  return agents && secret && hasLabelsOf(agents, secret)
    ? { secret, agents }
    : undefined;
}

/** Generators select clusters by the labels of their Secrets: without one, they delete the Applications of the cluster. */
function hasLabelsOf(agents: StoredSecret, ours: StoredSecret): boolean {
  return Object.entries(ours.metadata.labels ?? {}).every(
    ([key, value]) =>
      key === MANAGED_BY_LABEL || agents.metadata.labels?.[key] === value,
  );
}

/**
 * What is wrong where several Secrets of a namespace have the name of one cluster.
 * @param users - `<namespace>/<name>` of the Applications because of which a superseded Secret stays
 */
export function duplicateClusterFinding(
  cluster: string,
  namesakes: readonly StoredSecret[],
  users: readonly string[],
): Finding {
  const { namespace = '' } = namesakes[0].metadata;
  const superseded = supersededSecret(namesakes)?.secret.metadata.name;
  return clusterImportFindings.duplicateCluster(
    cluster,
    {
      namespace,
      names: namesakes.map(({ metadata }) => metadata.name).sort(),
      superseded,
    },
    {
      evidence: [
        ...namesakes.map(describe).sort(),
        ...(superseded ? users.map(user => `Application ${user}`) : []),
      ].join('\n'),
      object: { kind: 'ManagedCluster', name: cluster },
    },
  );
}

function describe(secret: StoredSecret): string {
  const agent = agentOfSecret(secret);
  const owner = isImportedSecret(secret)
    ? 'of the cluster import'
    : 'of another owner';
  return `Secret ${secret.metadata.name}, ${agent ? `of the agent ${agent}` : owner}`;
}
