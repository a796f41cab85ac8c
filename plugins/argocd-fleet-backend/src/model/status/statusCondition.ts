import {
  STATUS_CONDITION,
  isNamespaceName,
  type ArgoApplication,
  type ClusterState,
  type Condition,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationManifest,
  owningApplicationSet,
  payloadNamespace,
} from '../delivery';

/**
 * The spec that the hub Application's status was made for, kept at the end of the condition's message: the Application
 * is the only memory that all replicas share and that survives a restart.
 */
export interface StatusMark {
  /** Fingerprint of the spec. */
  readonly spec: string;
  /** Fingerprint of the last report when the spec changed; undefined once the cluster has compared with the spec. */
  readonly awaitedSince?: string;
}

/** Compares a condition's message, in the form in which it is kept, with a desired one. */
export type SameMessage = (
  existing: string | undefined,
  desired: string,
) => boolean;

const MARK =
  /\[spec ([0-9a-f]{10})(?:, not yet reported after ([0-9a-f]{10}))?\]$/;

/** Reads the mark of a hub Application; undefined if the status is not ours. */
export function readStatusMark(
  application: ArgoApplication,
): StatusMark | undefined {
  const message = ownCondition(application.status?.conditions)?.message ?? '';
  const [, spec, awaitedSince] = MARK.exec(message) ?? [];
  return spec ? { spec, ...(awaitedSince && { awaitedSince }) } : undefined;
}

/**
 * The conditions of the hub Application with ours; undefined where nothing differs.
 * @param sameMessage - whether an existing message equals the desired one
 */
export function conditionsWith(
  conditions: readonly Condition[] | undefined,
  message: string,
  sameMessage: SameMessage = (existing, desired) => existing === desired,
): readonly Condition[] | undefined {
  const own = (conditions ?? []).filter(isOwn);
  return own.length === 1 && sameMessage(own[0].message, message)
    ? undefined
    : [
        ...(conditions ?? []).filter(condition => !isOwn(condition)),
        { type: STATUS_CONDITION, message },
      ];
}

/**
 * The condition's message: where the Application runs, how long its cluster has been stale, and which spec the status
 * is for.
 */
export function statusMessage(options: {
  readonly application: ArgoApplication;
  readonly work: ManifestWork | undefined;
  readonly cluster: ClusterState;
  readonly mark: StatusMark;
}): string {
  const { application, work, cluster, mark } = options;
  const { name } = application.metadata;
  // As delivered: an Application that is refused may name the place of another one.
  const delivered = work && applicationManifest(work)?.metadata.namespace;
  const namespace =
    delivered && isNamespaceName(delivered)
      ? delivered
      : payloadNamespace(application);
  const set = owningApplicationSet(application);
  return [
    `Runs on the managed cluster ${cluster.name} as ${namespace}/${name}.`,
    ...(cluster.stale
      ? [
          `That cluster has not reported${cluster.staleSince ? ` since ${cluster.staleSince}` : ''}: this is the last that was known.`,
        ]
      : []),
    ...(mark.awaitedSince
      ? ['Out of sync until that cluster has compared with the present spec.']
      : []),
    ...(work
      ? [
          `kubectl get manifestworks.work.open-cluster-management.io -n ${cluster.name} ${work.metadata.name} -o yaml`,
        ]
      : []),
    ...(set
      ? [
          `kubectl get multiclusterapplicationsetreports.apps.open-cluster-management.io -n ${set.namespace} ${set.name} -o yaml`,
        ]
      : []),
    markText(mark),
  ].join('\n');
}

function markText({ spec, awaitedSince }: StatusMark): string {
  return awaitedSince
    ? `[spec ${spec}, not yet reported after ${awaitedSince}]`
    : `[spec ${spec}]`;
}

function ownCondition(
  conditions: readonly Condition[] | undefined,
): Condition | undefined {
  return conditions?.find(isOwn);
}

function isOwn({ type }: Condition): boolean {
  return type === STATUS_CONDITION;
}
