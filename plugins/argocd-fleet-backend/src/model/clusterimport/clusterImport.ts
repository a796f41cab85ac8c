import {
  CLUSTER_NAME_LABEL,
  isNamespaceName,
  isObjectName,
  type ArgoApplication,
  type Finding,
  type GitOpsCluster,
  type KubernetesObject,
  type NamespacedName,
  type Placement,
  type PlacementDecision,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import { agentOfSecret, clusterNameOf } from '../delivery';
import { clusterImportFindings } from '../findings';
import type { MergePatch } from '../json';
import {
  clusterSecretPatch,
  isImportedSecret,
  type ClusterAccess,
  type StoredSecret,
} from './clusterSecret';

/** What a GitOpsCluster imports, and where. */
export type ImportTarget =
  | {
      readonly kind: 'target';
      readonly placement: NamespacedName;
      readonly argoNamespace: string;
      /** Name of the ManagedServiceAccount of each cluster; undefined for the pull model. */
      readonly serviceAccount?: string;
      /** Whether argocd-agent registers the clusters with Argo CD, so that nothing is imported. */
      readonly isAgents: boolean;
    }
  | { readonly kind: 'invalid'; readonly finding: Finding };

/** Reads the spec of a GitOpsCluster. */
export function importTarget({ metadata, spec }: GitOpsCluster): ImportTarget {
  const { namespace = '', name } = metadata;
  const { argoNamespace = '' } = spec?.argoServer ?? {};
  const { kind, ...placement } = spec?.placementRef ?? {};
  const { managedServiceAccountRef } = spec ?? {};
  const problems = [
    ...(isNamespaceName(argoNamespace)
      ? []
      : ['spec.argoServer.argoNamespace is not the name of a namespace']),
    ...((kind ?? 'Placement') === 'Placement' && placement.name
      ? []
      : ['spec.placementRef names no Placement']),
    ...((placement.namespace || namespace) === namespace
      ? []
      : [
          `spec.placementRef names the namespace ${placement.namespace}, but only a Placement of ${namespace} can be used`,
        ]),
    ...(!managedServiceAccountRef || isObjectName(managedServiceAccountRef)
      ? []
      : ['spec.managedServiceAccountRef is not a legal name']),
  ];
  if (problems.length > 0 || !placement.name) {
    return {
      kind: 'invalid',
      finding: clusterImportFindings.invalidGitOpsCluster({
        evidence: problems.join('\n'),
        object: { kind: 'GitOpsCluster', namespace, name },
      }),
    };
  }
  return {
    kind: 'target',
    placement: { namespace, name: placement.name },
    argoNamespace,
    serviceAccount: managedServiceAccountRef || undefined,
    isAgents: usesAgents(spec),
  };
}

/**
 * The clusters that a GitOpsCluster imports: those of all decisions of its Placement. Undefined where that is not
 * known, so that no cluster counts as removed: its Placement does not exist, or has selected more clusters than its
 * decisions name yet.
 */
export function wantedClusters(
  { metadata }: GitOpsCluster,
  placement: Placement | undefined,
  decisions: readonly PlacementDecision[],
): ReadonlySet<string> | undefined {
  if (metadata.deletionTimestamp) {
    return new Set();
  }
  const decided = new Set(
    decisions.flatMap(({ status }) =>
      (status?.decisions ?? []).map(({ clusterName }) => clusterName),
    ),
  );
  const selected = placement?.status?.numberOfSelectedClusters ?? 0;
  return placement && selected <= decided.size ? decided : undefined;
}

/**
 * The GitOpsCluster that determines a Secret which several of one Argo CD namespace need: one of that namespace itself,
 * so that no other takes a cluster from it; then one with a service account, so that no credentials are lost; then one with argocd-agent, because a second Secret of the cluster would block its
 * ApplicationSets; then the first by name.
 */
export function decidingGitOpsCluster(
  claimants: readonly GitOpsCluster[],
): GitOpsCluster | undefined {
  const rank = ({ metadata, spec }: GitOpsCluster) => {
    const isOwn = metadata.namespace === spec?.argoServer?.argoNamespace;
    const form = usesAgents(spec) ? 1 : 2;
    return `${isOwn ? 0 : 1}/${
      spec?.managedServiceAccountRef && !usesAgents(spec) ? 0 : form
    }/${metadata.namespace}/${metadata.name}`;
  };
  return [...claimants].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
}

function usesAgents(spec: GitOpsCluster['spec']): boolean {
  return spec?.gitopsAddon?.argoCDAgent?.enabled === true;
}

/** What to do about the Secret of one cluster; `agents` is a cluster that argocd-agent registered with Argo CD. */
export type SecretPlan =
  | { readonly kind: 'agents' }
  | { readonly kind: 'same' }
  | { readonly kind: 'create'; readonly secret: Secret }
  | {
      readonly kind: 'patch';
      readonly existing: StoredSecret;
      readonly patch: MergePatch;
    }
  | { readonly kind: 'kept'; readonly finding: Finding };

/**
 * Compares the Secret of a cluster with what it should be.
 * @param existing - the Secret of that name
 * @param namesakes - Secrets of the namespace that give Argo CD a cluster of the same name or server
 */
export function planClusterSecret(
  cluster: string,
  desired: Secret,
  existing: StoredSecret | undefined,
  namesakes: readonly KubernetesObject[],
  access?: ClusterAccess,
): SecretPlan {
  if (existing && agentOfSecret(existing) !== undefined) {
    return { kind: 'agents' };
  }
  if (!existing) {
    const [other] = namesakes;
    if (namesakes.some(secret => agentOfSecret(secret) !== undefined)) {
      return { kind: 'agents' };
    }
    return other
      ? { kind: 'kept', finding: secretKept(cluster, other) }
      : { kind: 'create', secret: desired };
  }
  if (!isImportedSecret(existing)) {
    return { kind: 'kept', finding: secretKept(cluster, existing) };
  }
  const patch = existing.metadata.deletionTimestamp
    ? undefined
    : clusterSecretPatch(existing, desired, access);
  return patch ? { kind: 'patch', existing, patch } : { kind: 'same' };
}

/** The finding that an existing Secret of another owner stays unchanged. */
export function secretKept(
  cluster: string,
  { metadata: { namespace, name } }: KubernetesObject,
): Finding {
  return clusterImportFindings.secretKept(cluster, {
    object: { kind: 'Secret', namespace, name },
  });
}

/** Secrets that GitOpsClusters created and that none of them needs any more. */
export function unwantedSecrets(
  secrets: readonly StoredSecret[],
  wanted: ReadonlySet<string>,
): StoredSecret[] {
  return secrets.filter(
    secret =>
      isImportedSecret(secret) &&
      !secret.metadata.deletionTimestamp &&
      !wanted.has(secret.metadata.labels?.[CLUSTER_NAME_LABEL] ?? ''),
  );
}

/** Names and server by which an Application of any model refers to its cluster. */
export function clusterReferences(application: ArgoApplication): string[] {
  const { name, server } = application.spec?.destination ?? {};
  return [
    ...new Set(
      [clusterNameOf(application), name, server].flatMap(reference =>
        reference ? [withoutSlash(reference)] : [],
      ),
    ),
  ];
}

/** Names and server by which Applications refer to the cluster of a Secret; see {@link clusterReferences}. */
export function namesOfCluster(secret: StoredSecret): string[] {
  return [
    secret.metadata.labels?.[CLUSTER_NAME_LABEL] ?? '',
    ...(['name', 'server'] as const).map(key =>
      withoutSlash(
        Buffer.from(secret.data?.[key] ?? '', 'base64').toString('utf8'),
      ),
    ),
  ].filter(Boolean);
}

function withoutSlash(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '');
}

const MAX_SHOWN = 3;

/** The change that a GitOpsCluster's status needs; undefined where nothing differs. @param now - RFC 3339 */
export function importStatus(
  { status }: GitOpsCluster,
  result: {
    /** Clusters that Argo CD knows now. */
    readonly imported: number;
    /** Clusters that argocd-agent registers. */
    readonly agents?: number;
    readonly argoNamespace: string | undefined;
    readonly problems: readonly {
      readonly severity: Finding['severity'];
      readonly title: string;
    }[];
  },
  now: string,
): MergePatch | undefined {
  const failed = result.problems.some(({ severity }) => severity === 'error');
  const shown = result.problems.filter(({ severity }) => severity !== 'info');
  const message = [
    ...(result.argoNamespace
      ? [`${countOf(result.imported)} imported into ${result.argoNamespace}`]
      : []),
    ...(result.agents
      ? [`${countOf(result.agents)} left to argocd-agent`]
      : []),
    ...shown.slice(0, MAX_SHOWN).map(({ title }) => title),
    ...(shown.length > MAX_SHOWN
      ? [`and ${shown.length - MAX_SHOWN} more`]
      : []),
  ].join('; ');
  const phase = failed ? 'failed' : 'successful';
  return status?.phase === phase && status.message === message
    ? undefined
    : { phase, message, lastUpdateTime: now };
}

function countOf(clusters: number): string {
  return `${clusters} ${clusters === 1 ? 'cluster' : 'clusters'}`;
}
