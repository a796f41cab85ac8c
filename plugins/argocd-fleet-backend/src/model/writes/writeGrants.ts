import {
  isInRepositories,
  matchesName,
  repositoryProblem,
  type ArgoApplicationSet,
  type Placement,
  type PlacementSelection,
  type PullModelApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { shownRepositoryUrl } from '../text';
import { isOurs, recordedOwner } from './owners';
import { isSystemNamespace } from './systemNamespaces';

/** What the configuration lets the portal write in some namespaces of a hub. */
export interface WriteGrant {
  /** Path of this entry in the configuration, for messages. */
  readonly key: string;
  /** Names of hub namespaces; each is in one grant of its hub only. */
  readonly namespaces: readonly string[];
  /** Owners, in full, whose objects these are; undefined for those of any owner. */
  readonly owners?: readonly string[];
  /** AppProjects, as {@link matchesName} has them. */
  readonly projects: readonly string[];
  /** Repositories, or what their addresses begin with. */
  readonly repositories: readonly string[];
  /** Namespaces on the clusters, as {@link matchesName} has them. */
  readonly destinationNamespaces: readonly string[];
  /** ManagedClusterSets; undefined for all that are bound to the namespace. */
  readonly clusterSets?: readonly string[];
  /** Labels that every selected cluster has. */
  readonly clusterLabels: Readonly<Record<string, string>>;
}

/** What the portal may write on one hub. */
export interface HubWrites {
  /** Path of the grants in the configuration, for messages. */
  readonly key: string;
  readonly grants: readonly WriteGrant[];
  /** Namespace of Argo CD itself, on the hub and on the clusters. */
  readonly argocdNamespace: string;
  /** Why nothing may be written whatever the grants say; undefined where they count. */
  readonly refusal?: string;
}

/** Names that a message lists. */
const MAX_NAMES = 10;

/** The grant for a namespace of the hub, or why there is none. */
export function grantFor(
  { grants, key, refusal }: HubWrites,
  hub: string,
  namespace: string,
): WriteGrant | string {
  if (refusal !== undefined) {
    return refusal;
  }
  const grant = grants.find(({ namespaces }) => namespaces.includes(namespace));
  return (
    grant ??
    `The portal may not write in the namespace ${namespace} of the hub "${hub}": ${
      grants.length === 0
        ? `it may write nowhere there until ${key} allows it`
        : `${key}[].namespaces allows ${list(grants.flatMap(({ namespaces }) => namespaces))}`
    }`
  );
}

/** Why a grant does not cover an object of this owner; undefined where it does, and where the object has none. */
export function ownerRefusal(
  { key, owners }: WriteGrant,
  owner: string | undefined,
): string | undefined {
  return !owners || owner === undefined || owners.includes(owner)
    ? undefined
    : `owner: ${owner} is not allowed; ${key}.owners allows ${list(owners)}`;
}

/** Why a grant does not cover an ApplicationSet, its Placement apart; undefined where it does. */
export function applicationSetRefusal(
  grant: WriteGrant,
  writes: Pick<HubWrites, 'argocdNamespace'>,
  body: Pick<
    PullModelApplicationSet,
    'project' | 'source' | 'destinationNamespace'
  >,
): string | undefined {
  const { key } = grant;
  const { project = 'default', destinationNamespace } = body;
  const { repoURL } = body.source;
  if (!matchesName(grant.projects, project)) {
    return `project: the AppProject ${project} is not allowed; ${key}.projects allows ${list(grant.projects)}`;
  }
  if (!isInRepositories(grant.repositories, repoURL)) {
    const problem = repositoryProblem(repoURL);
    return `source.repoURL: ${shownRepositoryUrl(repoURL)} ${
      problem ??
      `is not allowed; ${key}.repositories allows ${list(grant.repositories)}`
    }`;
  }
  if (
    !isDestinationAllowed(
      grant.destinationNamespaces,
      writes.argocdNamespace,
      destinationNamespace,
    )
  ) {
    return `destinationNamespace: ${destinationNamespace} is not allowed; ${
      isSystemNamespace(destinationNamespace)
        ? 'namespaces of Kubernetes and OpenShift never are'
        : `${key}.destinationNamespaces allows ${list(grant.destinationNamespaces)}`
    }`;
  }
  return undefined;
}

/**
 * Why the grants no longer cover an ApplicationSet that the portal wrote; undefined where they do, and where the portal
 * may write nothing on the hub for another reason.
 */
export function writtenRefusal(
  writes: HubWrites,
  hub: string,
  applicationSet: ArgoApplicationSet,
): string | undefined {
  if (writes.refusal !== undefined || !isOurs(applicationSet)) {
    return undefined;
  }
  const { namespace = '' } = applicationSet.metadata;
  const grant = grantFor(writes, hub, namespace);
  if (typeof grant === 'string') {
    return grant;
  }
  const { project, source, destination } =
    applicationSet.spec.template?.spec ?? {};
  return (
    ownerRefusal(grant, recordedOwner(applicationSet)) ??
    applicationSetRefusal(grant, writes, {
      project: project ?? 'default',
      source: { repoURL: source?.repoURL ?? '' },
      destinationNamespace: destination?.namespace ?? '',
    })
  );
}

/** Argo CD's own namespace is open only to those whom the configuration names it for: a `*` does not cover it. */
function isDestinationAllowed(
  allowed: readonly string[],
  argocdNamespace: string,
  namespace: string,
): boolean {
  return isSystemNamespace(namespace) || namespace === argocdNamespace
    ? namespace === argocdNamespace && allowed.includes(namespace)
    : matchesName(allowed, namespace);
}

/** Why a grant does not cover what a new Placement selects; undefined where it does. */
export function placementRefusal(
  grant: WriteGrant,
  { clusterSets = [], matchLabels = {} }: PlacementSelection,
): string | undefined {
  const allowed = grant.clusterSets;
  const set = allowed && clusterSets.find(name => !allowed.includes(name));
  if (allowed && set !== undefined) {
    return `clusterSets: the cluster set ${set} is not allowed; ${grant.key}.clusterSets allows ${list(allowed)}`;
  }
  for (const [label, value] of Object.entries(grant.clusterLabels)) {
    if (Object.hasOwn(matchLabels, label) && matchLabels[label] !== value) {
      return `matchLabels: ${label}=${matchLabels[label]} is not allowed; ${grant.key}.clusterLabels allows ${label}=${value}`;
    }
  }
  return undefined;
}

/** The selection that is written for a request: it never selects more than the grant covers. */
export function withinGrant(
  { clusterSets: allowed, clusterLabels }: WriteGrant,
  selection: PlacementSelection,
): PlacementSelection {
  const { clusterSets = [], matchLabels } = selection;
  return {
    ...selection,
    ...(clusterSets.length === 0 && allowed && { clusterSets: [...allowed] }),
    ...(Object.keys(clusterLabels).length > 0 && {
      matchLabels: { ...matchLabels, ...clusterLabels },
    }),
  };
}

/**
 * Why a grant does not cover the clusters that a Placement of the hub selects, whoever made it; undefined where it does.
 */
export function selectedPlacementRefusal(
  { key, clusterSets: allowed, clusterLabels }: WriteGrant,
  { metadata, spec = {} }: Placement,
): string | undefined {
  const { clusterSets = [], predicates = [] } = spec;
  const what = `placement: the Placement ${metadata.name}`;
  if (
    allowed &&
    (clusterSets.length === 0 ||
      clusterSets.some(name => !allowed.includes(name)))
  ) {
    return `${what} selects from other cluster sets than ${key}.clusterSets allows (${list(allowed)})`;
  }
  const labels = Object.entries(clusterLabels);
  const narrows = predicates.every(({ requiredClusterSelector }) => {
    const matched = requiredClusterSelector?.labelSelector?.matchLabels ?? {};
    return labels.every(([label, value]) => matched[label] === value);
  });
  // A cluster needs to match one of the predicates; without any, every cluster matches.
  return labels.length > 0 && (predicates.length === 0 || !narrows)
    ? `${what} selects clusters without the labels that ${key}.clusterLabels demands (${list(labels.map(([label, value]) => `${label}=${value}`))})`
    : undefined;
}

function list(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
