import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  isObjectName,
  parseGoBool,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ArgoDestination,
  type DeliveryModel,
  type NamespacedName,
  type OwnerReference,
} from 'backstage-plugin-argocd-fleet-common';
import {
  AGENT_IGNORE_LABEL,
  agentInServer,
  NO_AGENTS,
  type KnownAgents,
} from './argocdAgent';

/**
 * On Applications that argocd-agent created on the hub from a cluster of its own (autonomous mode).
 * @see https://github.com/argoproj-labs/argocd-agent/tree/main/internal/manager
 */
const AGENT_SOURCE_UID_ANNOTATION = 'argocd.argoproj.io/source-uid';

/** Argo CD's address of the cluster that it runs on. */
export const IN_CLUSTER_SERVER = 'https://kubernetes.default.svc';

/** Argo CD's name of the cluster that it runs on. */
export const IN_CLUSTER_NAME = 'in-cluster';

interface LabelsAndAnnotations {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Whether an Application is delivered to its cluster in a ManifestWork. */
export function isPullModel(application: ArgoApplication): boolean {
  return hasPullLabel(application.metadata);
}

/**
 * How an Application is delivered to its cluster.
 *
 * argocd-agent sets no label on the Applications that it sends. Such an Application is recognised by its destination,
 * which is an agent's cluster, or whose server is the principal's resource proxy with the agent's name in the query; by
 * its namespace, which has the name of the agent; or by the annotation that an autonomous agent sets.
 * @param agents - those of the hub; without them, destinations by name and namespaces of agents are not recognised
 */
export function deliveryModel(
  application: ArgoApplication,
  agents?: KnownAgents,
): DeliveryModel {
  return modelOf(application.metadata, application.spec?.destination, agents);
}

/**
 * How the Applications of an ApplicationSet are delivered: read from one of them, else from the template. Others of the
 * set may be of another model.
 */
export function applicationSetDeliveryModel(
  applicationSet: ArgoApplicationSet,
  first?: ArgoApplication,
  agents?: KnownAgents,
): DeliveryModel {
  if (first) {
    return deliveryModel(first, agents);
  }
  const { metadata, spec } = applicationSet.spec?.template ?? {};
  return modelOf(
    { ...metadata, namespace: applicationSet.metadata.namespace },
    spec?.destination,
    agents,
  );
}

/** Name of a pull-model Application's target ManagedCluster; undefined without the annotation. */
export function targetCluster(
  application: ArgoApplication,
): string | undefined {
  return (
    application.metadata.annotations?.[MANAGED_CLUSTER_ANNOTATION]?.trim() ||
    undefined
  );
}

/**
 * Name of an Application's cluster in any delivery model, or its server URL, as far as the Application contains it. In
 * the namespace of an agent it is the agent's own: what an autonomous agent sends has the destination that its cluster
 * has for itself.
 * @param agents - as for {@link deliveryModel}
 */
export function clusterNameOf(
  application: ArgoApplication,
  agents = NO_AGENTS,
): string {
  if (isPullModel(application)) {
    return targetCluster(application) ?? '';
  }
  const { namespace = '' } = application.metadata;
  const destination = application.spec?.destination;
  const { name, server = '' } = destination ?? {};
  const agent = agentInServer(destination?.server);
  return (
    agent ??
    (agents.isAgent(namespace) && !agents.isAgentCluster(name ?? '')
      ? namespace
      : (name ?? server))
  );
}

/** Whether a destination is the cluster on which the Argo CD that reads it runs: on the hub, the hub itself. */
export function isInCluster(destination: ArgoDestination | undefined): boolean {
  return (
    destination?.name === IN_CLUSTER_NAME ||
    destination?.server?.replace(/\/$/, '') === IN_CLUSTER_SERVER
  );
}

/** What an Application says of the ApplicationSet that owns it. */
export function applicationSetReference({
  metadata,
}: ArgoApplication): OwnerReference | undefined {
  return metadata.ownerReferences?.find(
    reference =>
      reference.kind === 'ApplicationSet' &&
      reference.apiVersion.startsWith('argoproj.io/') &&
      // Nothing else checks it, and commands are shown that contain it.
      isObjectName(reference.name),
  );
}

/** The ApplicationSet that owns an Application; it is always in the Application's own namespace. */
export function owningApplicationSet(
  application: ArgoApplication,
): NamespacedName | undefined {
  const owner = applicationSetReference(application);
  return (
    owner && {
      namespace: application.metadata.namespace ?? '',
      name: owner.name,
    }
  );
}

/** The distinct ApplicationSets that own the Applications. */
export function owningApplicationSets(
  applications: readonly ArgoApplication[],
): NamespacedName[] {
  const owners = applications.flatMap(
    application => owningApplicationSet(application) ?? [],
  );
  return [
    ...new Map(
      owners.map(owner => [`${owner.namespace}/${owner.name}`, owner]),
    ).values(),
  ];
}

function modelOf(
  metadata: LabelsAndAnnotations,
  destination: ArgoDestination | undefined,
  agents = NO_AGENTS,
): DeliveryModel {
  if (hasPullLabel(metadata)) {
    return 'pull';
  }
  const fromAgent =
    metadata.annotations?.[AGENT_SOURCE_UID_ANNOTATION] !== undefined ||
    agentInServer(destination?.server) !== undefined ||
    agents.isAgentCluster(destination?.name ?? '') ||
    agents.isAgent(metadata.namespace ?? '');
  const staysOnHub =
    parseGoBool(metadata.labels?.[AGENT_IGNORE_LABEL]) === true;
  return fromAgent && !staysOnHub ? 'agent' : 'push';
}

function hasPullLabel(metadata: LabelsAndAnnotations): boolean {
  return parseGoBool(metadata.labels?.[PULL_LABEL]) === true;
}
