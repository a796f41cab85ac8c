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

/** Name of the agent that a cluster Secret is of; undefined for a Secret of another owner. */
export function agentOfSecret({
  metadata: { labels, annotations },
}: KubernetesObject): string | undefined {
  // Earlier versions of this plugin copied it from the ManagedCluster.
  const isCopied = annotations?.[CLUSTER_LABELS_ANNOTATION]
    ?.split(',')
    .includes(AGENT_NAME_LABEL);
  return isCopied ? undefined : labels?.[AGENT_NAME_LABEL] || undefined;
}
