import {
  MANAGED_BY,
  STATUS_CONDITION,
  type ArgoApplication,
  type ArgoPastSync,
  type ArgoSyncedResource,
  type Condition,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel } from '../../model/delivery';
import { comparedToOf } from '../../model/feedback';
import { isRecord } from '../../model/json';
import { isComparisonWith } from '../../model/manifestwork';
import { mapTexts, shownText } from '../../model/text';
import { keptMessage } from './keptMessage';
import { statusWriter } from './specWriter';
import { managedFieldsOf, transformMetadata, without } from './transformObject';

type Status = NonNullable<ArgoApplication['status']>;
type OperationState = NonNullable<Status['operationState']>;

/** An Application as the cache stores it. */
export interface StoredApplication extends ArgoApplication {
  /** In the pull model: the field manager, other than us, that seems to write its status or to have emptied it. */
  readonly statusWriter?: string;
}

/** Fields of the status that no reader uses. A reader of one of them takes it out of this list. */
const UNREAD_STATUS = ['observedAt'] as const;
/** How many of the last syncs are read, and which of their fields; each also has the whole source. */
const READ_SYNCS = 5;
const READ_OF_SYNC = ['id', 'deployedAt', 'revision', 'revisions'];

/**
 * Leaves out what no reader uses of an Application: of its status the operation's input, that of a comparison with the
 * present spec, the results of what was synced without error, and older syncs. Texts are kept as they are shown, except
 * in the pull model, where conditions of others are only written back. The Application given is not changed.
 */
export function transformApplication(
  application: ArgoApplication,
): StoredApplication {
  const { metadata, status } = application;
  const isOurs = isPullModel(application);
  const writer = isOurs
    ? statusWriter(
        MANAGED_BY,
        managedFieldsOf(metadata) ?? [],
        !status?.sync?.status && !status?.health?.status,
      )
    : undefined;
  return {
    ...application,
    metadata: transformMetadata(metadata),
    status: isOurs
      ? transformStatus(status)
      : shownStatus(transformStatus(status, application.spec)),
    ...(writer !== undefined && { statusWriter: shownText(writer) }),
  };
}

/** The links to what the Application deploys stay as they are. */
function shownStatus(status: Status | undefined): Status | undefined {
  const { summary, ...rest } = status ?? {};
  return (
    status && {
      ...mapTexts(rest, shownText),
      ...(summary && { summary }),
    }
  );
}

/** @param spec - of an Application whose status Argo CD writes: what its status is compared with */
function transformStatus(
  status: Status | undefined,
  spec?: ArgoApplication['spec'],
): Status | undefined {
  if (!status) {
    return undefined;
  }
  const { operationState, sync, history, sourceHydrator, ...rest } = without(
    status,
    UNREAD_STATUS,
  );
  return {
    ...rest,
    ...(Array.isArray(rest.conditions) && {
      conditions: rest.conditions.map(transformCondition),
    }),
    ...(isRecord(operationState) && {
      operationState: transformOperation(operationState),
    }),
    ...(isRecord(sync) && {
      sync: isOlderThan(spec, sync) ? sync : without(sync, ['comparedTo']),
    }),
    // In the pull model, the status on the hub has none, and what others write there is not read.
    ...(spec &&
      isRecord(sourceHydrator) && {
        sourceHydrator: transformHydrator(sourceHydrator),
      }),
    ...(Array.isArray(history) && {
      history: history.slice(-READ_SYNCS).map(transformSync),
    }),
  };
}

/** Whether the status is of a comparison with another spec: only then, what it compared with says something new. */
function isOlderThan(
  spec: ArgoApplication['spec'] | undefined,
  sync: NonNullable<Status['sync']>,
): boolean {
  const comparedTo = comparedToOf(sync);
  return (
    spec !== undefined &&
    comparedTo !== undefined &&
    !isComparisonWith(comparedTo, spec)
  );
}

/** The message of our own condition would be the largest part of an Application. */
function transformCondition(condition: Condition): Condition {
  return isRecord(condition) &&
    condition.type === STATUS_CONDITION &&
    typeof condition.message === 'string'
    ? { ...condition, message: keptMessage(condition.message) }
    : condition;
}

/** Its present operation contains its input too. */
function transformHydrator(
  hydrator: NonNullable<Status['sourceHydrator']>,
): Status['sourceHydrator'] {
  const { currentOperation, ...rest } = hydrator;
  return {
    ...rest,
    ...(isRecord(currentOperation) && {
      currentOperation: without(currentOperation, ['sourceHydrator']),
    }),
  };
}

/**
 * The results of a sync grow with the Application; only those that failed are read. Of the operation's input, which has
 * whole sources, who started it, what was said about it, and the revisions of a running one are read.
 */
function transformOperation(operation: OperationState): OperationState {
  const { syncResult, operation: input, ...others } = operation;
  const { sync, initiatedBy, info } = input ?? {};
  const { revision, revisions } = sync ?? {};
  const isRead = others.phase === 'Running' && Boolean(revision ?? revisions);
  const read = {
    ...(isRead && { sync: { revision, revisions } }),
    ...(initiatedBy && { initiatedBy }),
    ...(info && { info }),
  };
  const rest =
    Object.keys(read).length > 0 ? { ...others, operation: read } : others;
  const resources = isRecord(syncResult) ? syncResult.resources : undefined;
  const failed = Array.isArray(resources) ? resources.filter(hasFailed) : [];
  return failed.length > 0
    ? { ...rest, syncResult: { resources: failed } }
    : rest;
}

function transformSync(sync: ArgoPastSync): ArgoPastSync {
  return isRecord(sync)
    ? Object.fromEntries(
        Object.entries(sync).filter(([key]) => READ_OF_SYNC.includes(key)),
      )
    : sync;
}

function hasFailed(resource: ArgoSyncedResource): boolean {
  return (
    isRecord(resource) &&
    (resource.status === 'SyncFailed' ||
      resource.hookPhase === 'Failed' ||
      resource.hookPhase === 'Error')
  );
}
