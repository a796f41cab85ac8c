import {
  MANAGED_BY,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { specWriterAfter, type ManagedFields } from './otherWriter';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields of an Application's status that grow with its resources and its age, and that no reader uses. */
const UNREAD_STATUS = ['history', 'sourceHydrator', 'observedAt'];

interface Loose {
  readonly metadata: {
    readonly managedFields?: readonly ManagedFields[];
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Leaves out what no reader uses and what would otherwise be most of the cache. The object given is not changed. */
export function slimObject<T extends KubernetesObject>(object: T): T {
  const { metadata } = object as Loose;
  const { managedFields, annotations } = metadata;
  return {
    ...object,
    metadata: {
      ...metadata,
      // Emptied rather than taken out: what has lost a field takes more memory than what has one of nothing.
      ...(managedFields && { managedFields: undefined }),
      ...(annotations?.[LAST_APPLIED] !== undefined && {
        annotations: without(annotations, [LAST_APPLIED]),
      }),
    },
    ...(object.kind === 'Application' && {
      status: slimApplicationStatus((object as Loose).status),
    }),
    ...(object.kind === 'ManifestWork' && {
      ...specWriter(managedFields),
      status: slimWorkStatus((object as Loose).status),
    }),
  };
}

/** All that is read of who wrote a work: whether anybody did after us. */
function specWriter(entries: readonly ManagedFields[] | undefined) {
  const other = specWriterAfter(MANAGED_BY, entries ?? []);
  return other ? { specWriter: other } : {};
}

/** Of a work as a whole only `Applied` is read; what else is told of it, its manifests' conditions say again, digest and all. */
function slimWorkStatus(status: Loose['status']) {
  return Array.isArray(status?.conditions)
    ? {
        ...status,
        conditions: status.conditions.filter(
          condition => isRecord(condition) && condition.type === 'Applied',
        ),
      }
    : status;
}

function slimApplicationStatus(status: Loose['status']) {
  if (!status) {
    return undefined;
  }
  const { operationState, sync, ...rest } = without(status, UNREAD_STATUS);
  return {
    ...rest,
    ...(isRecord(operationState) && {
      operationState: slimOperation(operationState),
    }),
    ...(isRecord(sync) && { sync: without(sync, ['comparedTo']) }),
  };
}

/** What a sync applied grows with the Application; only what it could not apply is read. */
function slimOperation(operation: Readonly<Record<string, unknown>>) {
  const { syncResult, ...rest } = without(operation, ['operation']);
  const resources = isRecord(syncResult) ? syncResult.resources : undefined;
  const failed = Array.isArray(resources) ? resources.filter(hasFailed) : [];
  return failed.length > 0
    ? { ...rest, syncResult: { resources: failed } }
    : rest;
}

function hasFailed(resource: unknown): boolean {
  return (
    isRecord(resource) &&
    (resource.status === 'SyncFailed' ||
      resource.hookPhase === 'Failed' ||
      resource.hookPhase === 'Error')
  );
}

function without<V>(
  record: Readonly<Record<string, V>>,
  keys: readonly string[],
): Record<string, V> {
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => !keys.includes(key)),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
