import type { KnownAgents } from '../model/delivery';
import type { FleetCache } from './fleetCache';

/**
 * The agents of argocd-agent on a hub, always as its cluster Secrets say now. It has only those of Argo CD namespaces
 * that the cache watches: none where cluster import is off, or the Secrets cannot be read.
 */
export function knownAgents({
  clusterSecrets,
}: Pick<FleetCache, 'clusterSecrets'>): KnownAgents {
  return {
    isAgent: name => clusterSecrets.by('agent', name).length > 0,
    isAgentCluster: name => clusterSecrets.by('agentCluster', name).length > 0,
  };
}
