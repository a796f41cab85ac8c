import {
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  parseGoBool,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ArgoDestination,
  type DeliveryModel,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';

/**
 * On Applications that argocd-agent created on the hub from a cluster of its own (autonomous mode).
 * @see https://github.com/argoproj-labs/argocd-agent/tree/main/internal/manager
 */
const AGENT_SOURCE_UID_ANNOTATION = 'argocd.argoproj.io/source-uid';
/** Keeps an Application of an agent's hub on the hub. */
const AGENT_IGNORE_LABEL = 'argocd-agent.argoproj-labs.io/ignore-sync';

interface Marks {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Whether an Application travels to its cluster in a ManifestWork. */
export function isPullModel(application: ArgoApplication): boolean {
  return hasPullLabel(application.metadata);
}

/**
 * Who brings an Application to its cluster.
 *
 * argocd-agent leaves no label on the Applications that it sends; what gives it away is the destination, whose server is the
 * principal's resource proxy with the agent's name in the query, or the mark of an Application that came from an autonomous agent.
 */
export function deliveryModel(application: ArgoApplication): DeliveryModel {
  return modelOf(application.metadata, application.spec?.destination);
}

/** Who brings the Applications of a set to their clusters: those that it has, else those that its template would make. */
export function applicationSetDeliveryModel(
  applicationSet: ArgoApplicationSet,
  applications: readonly ArgoApplication[] = [],
): DeliveryModel {
  const [first] = applications;
  if (first) {
    return deliveryModel(first);
  }
  const template = applicationSet.spec?.template;
  return modelOf(template?.metadata ?? {}, template?.spec?.destination);
}

/** Name of the ManagedCluster that a pull-model Application is meant for; undefined where it says none. */
export function targetCluster(
  application: ArgoApplication,
): string | undefined {
  return (
    application.metadata.annotations?.[MANAGED_CLUSTER_ANNOTATION]?.trim() ||
    undefined
  );
}

/** Name of the cluster of an Application of any model, as near as the Application itself tells it. */
export function clusterNameOf(application: ArgoApplication): string {
  const destination = application.spec?.destination;
  const model = deliveryModel(application);
  if (model === 'pull') {
    return targetCluster(application) ?? '';
  }
  return (
    agentName(destination) ?? destination?.name ?? destination?.server ?? ''
  );
}

/** The ApplicationSet that owns an Application; it is always in the Application's own namespace. */
export function owningApplicationSet(
  application: ArgoApplication,
): NamespacedName | undefined {
  const owner = application.metadata.ownerReferences?.find(
    reference =>
      reference.kind === 'ApplicationSet' &&
      reference.apiVersion.startsWith('argoproj.io/'),
  );
  return (
    owner && {
      namespace: application.metadata.namespace ?? '',
      name: owner.name,
    }
  );
}

/** The ApplicationSets that own the Applications, each once. */
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
  marks: Marks,
  destination: ArgoDestination | undefined,
): DeliveryModel {
  if (hasPullLabel(marks)) {
    return 'pull';
  }
  const fromAgent =
    marks.annotations?.[AGENT_SOURCE_UID_ANNOTATION] !== undefined ||
    agentName(destination) !== undefined;
  const kept = parseGoBool(marks.labels?.[AGENT_IGNORE_LABEL]) === true;
  return fromAgent && !kept ? 'agent' : 'push';
}

function hasPullLabel(marks: Marks): boolean {
  return parseGoBool(marks.labels?.[PULL_LABEL]) === true;
}

/** Not parsed as a URL: in a template it may still hold placeholders. */
function agentName(
  destination: ArgoDestination | undefined,
): string | undefined {
  return /[?&]agentName=([^&]+)/.exec(destination?.server ?? '')?.[1];
}
