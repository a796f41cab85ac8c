import { hash } from 'node:crypto';
import {
  ACM_CLUSTER_LABEL,
  CLUSTER_LABELS_ANNOTATION,
  CLUSTER_NAME_LABEL,
  CLUSTER_SERVER_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  SECRET_TYPE_LABEL,
  SERVICE_ACCOUNT_ANNOTATION,
  type KubernetesObject,
  type ManagedCluster,
  type Secret,
} from 'backstage-plugin-argocd-fleet-common';
import { AGENT_LABEL_PREFIX, agentOfSecret } from '../delivery';
import { keysPatch, type MergePatch } from '../json';

/** A cluster's Secret as the cache stores it. */
export interface StoredSecret extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Partial<Record<'name' | 'server', string>>>;
  /** Of the credentials in `data.config`, which are not stored. */
  readonly configFingerprint?: string;
}

/** How Argo CD on the hub reaches a cluster in the push model. */
export interface ClusterAccess {
  readonly serviceAccount: string;
  /** URL of the cluster's API server. */
  readonly server: string;
  /** Fingerprint of the credentials that the Secret should hold. */
  readonly fingerprint: string;
  /** The credentials, base64; undefined where the Secret is known to hold them. */
  readonly config?: string;
}

const SECRET_SUFFIX = '-cluster-secret';
const CONTROL_PLANE = '-control-plane';
const MAX_LABEL = 63;
const HASH_LENGTH = 8;

/** Labels of the ManagedCluster object itself, which would be wrong on another object. */
const NOT_COPIED: readonly string[] = [
  MANAGED_BY_LABEL,
  // Argo CD takes an object with this label for a part of an Application, and prunes it if the Application does not
  // have it.
  'app.kubernetes.io/instance',
];

/** Name of a cluster's Secret. */
export function clusterSecretName(cluster: string): string {
  return `${cluster}${SECRET_SUFFIX}`;
}

/** The cluster whose Secret has this name; undefined for any other name. */
export function clusterOfSecretName(name: string): string | undefined {
  return name.endsWith(SECRET_SUFFIX)
    ? name.slice(0, -SECRET_SUFFIX.length)
    : undefined;
}

/** The URL in a cluster's Secret; undefined where there is none, or the placeholder of the pull model. */
export function heldServer(
  secret: StoredSecret | undefined,
): string | undefined {
  const server = Buffer.from(secret?.data?.server ?? '', 'base64').toString();
  const name = secret?.metadata.labels?.[CLUSTER_NAME_LABEL] ?? '';
  return server && server !== placeholderServer(name) ? server : undefined;
}

/** The name by which Argo CD knows the cluster of a Secret; empty for one without. */
export function argoClusterName({ data }: Pick<StoredSecret, 'data'>): string {
  return Buffer.from(data?.name ?? '', 'base64').toString('utf8');
}

/** Placeholder for the server of a cluster that only pulls; nothing connects to it. */
export function placeholderServer(cluster: string): string {
  return `https://${cluster}${CONTROL_PLANE}`;
}

/**
 * `<cluster>-control-plane`; where that is too long for a label, the name is cut and a hash of it keeps clusters apart.
 */
export function clusterServerLabel(cluster: string): string {
  const label = `${cluster}${CONTROL_PLANE}`;
  if (label.length <= MAX_LABEL) {
    return label;
  }
  const suffix = hash('sha1', cluster, 'hex').slice(0, HASH_LENGTH);
  const room = MAX_LABEL - CONTROL_PLANE.length - HASH_LENGTH - 1;
  return `${cluster.slice(0, room).replace(/(?<![^a-z0-9])[^a-z0-9]+$/, '')}-${suffix}${CONTROL_PLANE}`;
}

/**
 * The Secret that registers a cluster with Argo CD: without credentials for the pull model, with them where access is
 * given.
 */
export function clusterSecret(
  { metadata: { name, labels = {} } }: ManagedCluster,
  namespace: string,
  access?: ClusterAccess,
): Secret {
  const contract = {
    [SECRET_TYPE_LABEL]: 'cluster',
    [ACM_CLUSTER_LABEL]: 'true',
    [CLUSTER_NAME_LABEL]: name,
    [CLUSTER_SERVER_LABEL]: clusterServerLabel(name),
  };
  const copied = Object.fromEntries(
    Object.entries(labels).filter(
      ([key]) =>
        !(key in contract) &&
        !NOT_COPIED.includes(key) &&
        // By these, argocd-agent would take the Secret for its own.
        !key.startsWith(AGENT_LABEL_PREFIX),
    ),
  );
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: clusterSecretName(name),
      namespace,
      labels: { ...copied, ...contract, [MANAGED_BY_LABEL]: MANAGED_BY },
      annotations: {
        [CLUSTER_LABELS_ANNOTATION]: Object.keys(copied).sort().join(','),
        ...(access && { [SERVICE_ACCOUNT_ANNOTATION]: access.serviceAccount }),
      },
    },
    type: 'Opaque',
    data: {
      name: base64(name),
      server: base64(access?.server ?? placeholderServer(name)),
      ...(access?.config && { config: access.config }),
    },
  };
}

/**
 * The least merge patch that turns a Secret of ours into the desired one; undefined where nothing differs. What others
 * added stays: labels that did not come from the ManagedCluster, annotations, data keys, and, where no access is given,
 * credentials that we did not write, with their server.
 */
export function clusterSecretPatch(
  existing: StoredSecret,
  desired: Secret,
  access?: ClusterAccess,
): MergePatch | undefined {
  const labels = labelsPatch(existing, desired);
  const data = dataPatch(existing, desired, access);
  const { annotations } = existing.metadata;
  const marks = [CLUSTER_LABELS_ANNOTATION, SERVICE_ACCOUNT_ANNOTATION];
  const differs = labels ?? data;
  if (!differs) {
    // A Secret that RHACM created has none of our annotations, and gets none as long as nothing else changes.
    const stale = marks.filter(key => annotations?.[key] !== undefined);
    const changed = keysPatch(annotations, desired.metadata.annotations, stale);
    return changed && { metadata: { annotations: changed } };
  }
  const changed = keysPatch(annotations, desired.metadata.annotations, marks);
  return {
    metadata: {
      // From the first change on we may remove it.
      labels: { ...labels, [MANAGED_BY_LABEL]: MANAGED_BY },
      ...(changed && { annotations: changed }),
    },
    ...(data && { data }),
  };
}

function labelsPatch(existing: StoredSecret, desired: Secret) {
  const copiedBefore =
    existing.metadata.annotations?.[CLUSTER_LABELS_ANNOTATION]?.split(',') ??
    [];
  const wanted = desired.metadata.labels ?? {};
  const keys = new Set([...Object.keys(wanted), ...copiedBefore]);
  keys.delete(MANAGED_BY_LABEL);
  keys.delete('');
  return keysPatch(existing.metadata.labels, wanted, [...keys]);
}

function dataPatch(
  { data, configFingerprint, metadata }: StoredSecret,
  desired: Secret,
  access: ClusterAccess | undefined,
): Record<string, string | null> | undefined {
  if (access) {
    const server = keysPatch(data, desired.data, ['name', 'server']);
    return configFingerprint === access.fingerprint || !access.config
      ? server
      : { ...server, config: access.config };
  }
  const ours = metadata.annotations?.[SERVICE_ACCOUNT_ANNOTATION];
  if (configFingerprint === undefined) {
    return keysPatch(data, desired.data, ['name', 'server']);
  }
  return ours === undefined
    ? keysPatch(data, desired.data, ['name'])
    : { ...keysPatch(data, desired.data, ['name', 'server']), config: null };
}

/**
 * Whether RHACM or we created a Secret for a GitOpsCluster: it has the labels and the name of such a Secret. One that
 * argocd-agent took over is the agent's.
 */
export function isImportedSecret(secret: KubernetesObject): boolean {
  const { metadata } = secret;
  const cluster = metadata.labels?.[CLUSTER_NAME_LABEL];
  return (
    agentOfSecret(secret) === undefined &&
    metadata.labels?.[ACM_CLUSTER_LABEL] === 'true' &&
    cluster !== undefined &&
    metadata.name === clusterSecretName(cluster)
  );
}

/**
 * Whether the Secret of a cluster has credentials that a GitOpsCluster with this ManagedServiceAccount may have given it:
 * RHACM records none.
 */
export function holdsTokenOf(
  secret: StoredSecret,
  serviceAccount: string,
): boolean {
  const recorded = secret.metadata.annotations?.[SERVICE_ACCOUNT_ANNOTATION];
  return (
    isImportedSecret(secret) &&
    secret.configFingerprint !== undefined &&
    (recorded ?? serviceAccount) === serviceAccount
  );
}

/** Whether we created a Secret, or took it over with a change. */
export function isMarkedSecret({ metadata }: KubernetesObject): boolean {
  return metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY;
}

/** Name and server by which Argo CD knows the cluster: no two Secrets of a namespace may share any of these. */
export function clusterIdentities({
  metadata,
  data,
}: Pick<StoredSecret, 'metadata' | 'data'>): string[] {
  return (['name', 'server'] as const).flatMap(key =>
    data?.[key] === undefined
      ? []
      : [`${metadata.namespace} ${key} ${data[key]}`],
  );
}

/** The name among the {@link clusterIdentities} of a Secret. */
export function clusterNameIdentity(
  namespace: string,
  cluster: string,
): string {
  return `${namespace} name ${base64(cluster)}`;
}

/** The server among them. */
export function clusterServerIdentity(
  namespace: string,
  server: string,
): string {
  return `${namespace} server ${base64(server)}`;
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64');
}
