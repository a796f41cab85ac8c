import type {
  ArgoApplication,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import {
  argoClusterName,
  clusterNameIdentity,
  clusterServerIdentity,
  type StoredSecret,
} from '../model/clusterimport';
import { IN_CLUSTER_NAME, isInCluster } from '../model/delivery';
import type { AgentSecrets } from './knownAgents';
import type { FleetCache } from './fleetCache';

/**
 * The cluster that a destination with a server is, by the name that Argo CD knows it by; undefined for a destination
 * with a name, and for a server that no cluster Secret names. As with agents, only Secrets of configured Argo CD
 * namespaces count.
 */
export function clusterOfServer(
  { spec }: ArgoApplication,
  cache: AgentSecrets,
): string | undefined {
  const { name, server } = spec?.destination ?? {};
  if (name || !server) {
    return undefined;
  }
  const [secret] = secretsWith(
    namespace => clusterServerIdentity(namespace, server),
    cache,
  );
  return (
    (secret && argoClusterName(secret)) ||
    (isInCluster(spec.destination) ? IN_CLUSTER_NAME : undefined)
  );
}

/** Applications of any model that are or may be shown on a cluster, by whatever they refer to it. */
export function applicationsShownOn(
  cluster: string,
  cache: AgentSecrets & Pick<FleetCache, 'applications'>,
): readonly ArgoApplication[] {
  const servers = secretsWith(
    namespace => clusterNameIdentity(namespace, cluster),
    cache,
  ).map(serverOf);
  return [
    ...cache.applications.by('cluster', cluster),
    ...cache.applications.by('formerTarget', cluster),
    ...servers.flatMap(server => cache.applications.by('cluster', server)),
  ];
}

/** Applications whose destination is the server of a cluster Secret. */
export function applicationsWithServerOf(
  secret: StoredSecret | undefined,
  { applications }: Pick<FleetCache, 'applications'>,
): readonly ArgoApplication[] {
  return secret ? applications.by('cluster', serverOf(secret)) : [];
}

/**
 * The cluster Secrets that one Argo CD has for the name of the destination, where there are several: it refuses that
 * name. Whatever an Application claims about itself, others are not named.
 */
export function namesakeSecrets(
  { spec }: ArgoApplication,
  { clusterSecrets, argocdNamespaces = new Set() }: AgentSecrets,
): NamespacedName[] {
  const { name } = spec?.destination ?? {};
  return name
    ? [...argocdNamespaces].flatMap(namespace => {
        const named = clusterSecrets.by(
          'identity',
          clusterNameIdentity(namespace, name),
        );
        return named.length > 1
          ? named.map(({ metadata }) => ({ namespace, name: metadata.name }))
          : [];
      })
    : [];
}

function secretsWith(
  identityIn: (namespace: string) => string,
  { clusterSecrets, argocdNamespaces = new Set() }: AgentSecrets,
): StoredSecret[] {
  return [...argocdNamespaces].flatMap(namespace =>
    clusterSecrets.by('identity', identityIn(namespace)),
  );
}

function serverOf({ data }: StoredSecret): string {
  return Buffer.from(data?.server ?? '', 'base64').toString('utf8');
}
