import {
  STATUS_CONDITION,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { isRecord } from '../../model/json';
import { keptMessage } from './keptMessage';
import type { ManagedFields } from './specWriter';
import { transformWorkStatus, specWriter } from './transformWork';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Fields of an Application's status that grow with its resources and its age, and that no reader uses. */
const UNREAD_STATUS = ['sourceHydrator', 'observedAt'];
/** How many of the last syncs are read, and what of them; each also has the whole source. */
const READ_SYNCS = 5;
const READ_OF_SYNC = ['id', 'deployedAt', 'revision', 'revisions'];

interface Loose {
  readonly metadata: {
    readonly managedFields?: readonly ManagedFields[];
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: Readonly<Record<string, unknown>>;
}

/** Leaves out what no reader uses and what would otherwise be most of the cache. The object given is not changed. */
export function transformObject<T extends KubernetesObject>(object: T): T {
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
      status: transformWorkStatus((object as Loose).status),
    }),
  };
}

function slimApplicationStatus(status: Loose['status']) {
  if (!status) {
    return undefined;
  }
  const { operationState, sync, history, ...rest } = without(
    status,
    UNREAD_STATUS,
  );
  return {
    ...rest,
    ...(Array.isArray(rest.conditions) && {
      conditions: rest.conditions.map(slimCondition),
    }),
    ...(isRecord(operationState) && {
      operationState: slimOperation(operationState),
    }),
    ...(isRecord(sync) && { sync: without(sync, ['comparedTo']) }),
    ...(Array.isArray(history) && {
      history: history.slice(-READ_SYNCS).map(slimSync),
    }),
  };
}

/** Our own says where to look, at a length that would make it the largest part of an Application. */
function slimCondition(condition: unknown): unknown {
  return isRecord(condition) &&
    condition.type === STATUS_CONDITION &&
    typeof condition.message === 'string'
    ? { ...condition, message: keptMessage(condition.message) }
    : condition;
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

function slimSync(entry: unknown): unknown {
  return isRecord(entry)
    ? Object.fromEntries(
        Object.entries(entry).filter(([key]) => READ_OF_SYNC.includes(key)),
      )
    : entry;
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
