import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { argoClusterName } from '../model/clusterimport';
import {
  agentOfSecret,
  clusterNameOf,
  type KnownAgents,
} from '../model/delivery';
import type { EventOf } from './eventPredicates';
import type { FleetCache } from './fleetCache';

/** What the agents of a hub are read from. */
export type AgentSecrets = Pick<
  FleetCache,
  'clusterSecrets' | 'argocdNamespaces'
>;

/**
 * The agents of argocd-agent on a hub, always as its cluster Secrets say now. It has only those of Argo CD namespaces
 * that the cache watches: none where cluster import is off, or the Secrets cannot be read. Secrets of a namespace that
 * the configuration does not name do not count: a tenant may have written them, about Applications of others.
 */
export function knownAgents({
  clusterSecrets,
  argocdNamespaces,
}: AgentSecrets): KnownAgents {
  const has = (index: 'agent' | 'agentCluster', name: string) =>
    clusterSecrets
      .by(index, name)
      .some(
        ({ metadata }) =>
          argocdNamespaces === undefined ||
          argocdNamespaces.has(metadata.namespace ?? ''),
      );
  return {
    isAgent: name => has('agent', name),
    isAgentCluster: name => has('agentCluster', name),
  };
}

/**
 * Applications of any delivery model on a cluster. Those in the namespace of an agent are on the agent's cluster, even if
 * their destination has the name of another one.
 */
export function applicationsOn(
  cluster: string,
  cache: AgentSecrets & Pick<FleetCache, 'applications'>,
): readonly ArgoApplication[] {
  const agents = knownAgents(cache);
  const named = cache.applications.by('cluster', cluster);
  const own = agents.isAgent(cluster)
    ? cache.applications.by('agentNamespace', cluster)
    : [];
  return [...new Set([...named, ...own])].filter(
    application => clusterNameOf(application, agents) === cluster,
  );
}

/** Names of the agents, and of their clusters, that an event of a cluster Secret adds or removes. */
export function changedAgents({
  before,
  after,
}: Pick<EventOf<'clusterSecrets'>, 'before' | 'after'>): string[] {
  const was = agentNamesIn(before);
  const is = agentNamesIn(after);
  return [
    ...was.filter(name => !is.includes(name)),
    ...is.filter(name => !was.includes(name)),
  ];
}

/** Applications that an event of a cluster Secret may give another delivery model or cluster. */
export function applicationsOfChangedAgents(
  event: Pick<EventOf<'clusterSecrets'>, 'before' | 'after'>,
  { applications }: Pick<FleetCache, 'applications'>,
): readonly ArgoApplication[] {
  return changedAgents(event).flatMap(name => [
    ...applications.by('cluster', name),
    ...applications.by('agentNamespace', name),
  ]);
}

function agentNamesIn(
  secret: EventOf<'clusterSecrets'>['after'],
): readonly string[] {
  const agent = secret && agentOfSecret(secret);
  return agent
    ? [...new Set([agent, argoClusterName(secret)])].filter(name => name !== '')
    : [];
}
