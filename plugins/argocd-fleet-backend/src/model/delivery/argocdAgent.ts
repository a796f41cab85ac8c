import {
  ACM_CLUSTER_LABEL,
  CLUSTER_LABELS_ANNOTATION,
  CLUSTER_NAME_LABEL,
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

/**
 * Name of the agent that a cluster Secret is of; undefined for a Secret of another owner. Importers copy the labels of
 * ManagedClusters, which clusters may write, and their URLs: on an imported Secret the label counts only if the server
 * is that of the agent of the cluster itself.
 */
export function agentOfSecret({
  metadata: { labels, annotations },
  data,
}: KubernetesObject & {
  readonly data?: { readonly server?: string };
}): string | undefined {
  const isImported = labels?.[ACM_CLUSTER_LABEL] === 'true';
  const server = Buffer.from(data?.server ?? '', 'base64').toString('utf8');
  const isCopied =
    // Earlier versions of this plugin copied it too, and say so.
    annotations?.[CLUSTER_LABELS_ANNOTATION]?.split(',').includes(
      AGENT_NAME_LABEL,
    ) ||
    (isImported &&
      (agentInServer(server) === undefined ||
        agentInServer(server) !== labels?.[CLUSTER_NAME_LABEL]));
  return isCopied ? undefined : labels?.[AGENT_NAME_LABEL] || undefined;
}

/**
 * Name of the agent in the query of a server, which is then argocd-agent's proxy. It is not parsed as a URL, because a
 * template's server may contain placeholders.
 */
export function agentInServer(server: string | undefined): string | undefined {
  return /[?&]agentName=([^&]+)/.exec(server ?? '')?.[1];
}
