import {
  CLUSTER_LABELS_ANNOTATION,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';

// argocd-agent's marks on objects of the hub: https://github.com/argoproj-labs/argocd-agent

/** Keys of the labels by which argocd-agent recognises its objects begin with it. */
export const AGENT_LABEL_PREFIX = 'argocd-agent.argoproj-labs.io/';

/** On the cluster Secret of an agent: the agent's name. */
export const AGENT_NAME_LABEL = `${AGENT_LABEL_PREFIX}agent-name`;

/** Keeps an Application of an agent's hub on the hub. */
export const AGENT_IGNORE_LABEL = `${AGENT_LABEL_PREFIX}ignore-sync`;

/** The agents of argocd-agent that a hub knows, by their cluster Secrets. */
export interface KnownAgents {
  /** Whether an agent has the name: the Applications of the namespace of that name are its own. */
  isAgent(name: string): boolean;
  /** Whether Argo CD knows an agent's cluster by the name. */
  isAgentCluster(name: string): boolean;
}

/** For a hub whose cluster Secrets cannot be read. */
export const NO_AGENTS: KnownAgents = {
  isAgent: () => false,
  isAgentCluster: () => false,
};

/** Name of the agent that a cluster Secret is of; undefined for a Secret of another owner. */
export function agentOfSecret({
  metadata: { labels, annotations },
}: KubernetesObject): string | undefined {
  // Earlier versions of this plugin copied it from the ManagedCluster.
  const isCopied =
    annotations?.[CLUSTER_LABELS_ANNOTATION]?.split(',').includes(
      AGENT_NAME_LABEL,
    );
  return isCopied ? undefined : labels?.[AGENT_NAME_LABEL] || undefined;
}
