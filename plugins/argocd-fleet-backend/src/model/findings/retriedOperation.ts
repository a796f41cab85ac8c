import type {
  ArgoApplicationSpec,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';
import { clusterFindings, type RetriedRevisions } from './clusterFindings';

/**
 * Forms of revisions that always mean the same content: a commit, a digest, a chart version. Others, such as branches,
 * are resolved again in each retry.
 */
const FIXED = [
  /^[0-9a-f]{40}$/,
  /^sha256:[0-9a-f]{64}$/,
  /^v?\d+\.\d+\.\d+[-+.\w]{0,99}$/,
];
const COMMIT = FIXED[0];

/**
 * Recognises an operation that Argo CD retries for another revision than the one it compares with now: the spec was
 * corrected, or the branch moved, after the operation had begun. An automated sync names its revision, and Argo CD
 * keeps that in each retry.
 * @param application - on the cluster
 */
export function retriedOperationFinding(
  cluster: string,
  state: ApplicationState,
  application: Required<NamespacedName>,
  spec: ArgoApplicationSpec,
): Finding | undefined {
  const { operationRetries: count = 0, operationMessage } = state;
  const others = otherRevisions(state);
  if (count === 0 || !others || refreshes(spec)) {
    return undefined;
  }
  return clusterFindings.otherRevisionRetried(
    cluster,
    { ...others, count },
    application,
    operationMessage ? { evidence: operationMessage } : {},
  );
}

/** How Argo CD says that a sync in waves goes on when a resource is healthy, a hook is done, or an object is gone. */
const WAITING = /^waiting for (?:healthy state|completion of hook|deletion) /;

/**
 * Recognises an operation in waves that waits for a resource while another revision is wanted by now: Argo CD syncs that
 * only after the operation has ended.
 * @param application - on the cluster
 */
export function waitingOperationFinding(
  cluster: string,
  state: ApplicationState,
  application: Required<NamespacedName>,
): Finding | undefined {
  const { operationMessage: evidence = '' } = state;
  const others = WAITING.test(evidence) ? otherRevisions(state) : undefined;
  return (
    others &&
    clusterFindings.newerRevisionWaits(cluster, others, application, {
      evidence,
    })
  );
}

/** After so many milliseconds, a sync in waves has waited long: as long as a Deployment may take by default. */
const LONG_WAIT_MS = 10 * 60 * 1000;

/**
 * When {@link longWaitFinding} begins to find a wait, in milliseconds since the epoch; undefined where nothing waits.
 */
export function longWaitFrom({
  phase,
  operationMessage = '',
  operationRetries = 0,
  operationStartedAt,
}: Pick<
  ApplicationState,
  'phase' | 'operationMessage' | 'operationRetries' | 'operationStartedAt'
>): number | undefined {
  const isWaiting =
    phase === 'Running' &&
    operationRetries === 0 &&
    WAITING.test(operationMessage);
  const from = isWaiting
    ? Date.parse(operationStartedAt ?? '') + LONG_WAIT_MS
    : NaN;
  return Number.isNaN(from) ? undefined : from;
}

/**
 * Recognises a sync in waves that has waited long: Argo CD has no limit for that.
 * @param application - on the cluster
 * @param now - milliseconds since the epoch
 */
export function longWaitFinding(
  cluster: string,
  state: ApplicationState,
  application: Required<NamespacedName>,
  now: number,
): Finding | undefined {
  const from = longWaitFrom(state);
  return from !== undefined && now >= from
    ? clusterFindings.syncWaitsLong(cluster, application, {
        evidence: state.operationMessage,
      })
    : undefined;
}

/** The revisions of a running operation and the wanted ones, as they are shown; undefined unless they differ. */
function otherRevisions(
  state: ApplicationState,
): Omit<RetriedRevisions, 'count'> | undefined {
  const retried = state.operationRevisions ?? [];
  const wanted = state.revisions ?? (state.revision ? [state.revision] : []);
  const differs =
    state.phase === 'Running' &&
    retried.length === wanted.length &&
    retried.some((revision, index) => differ(revision, wanted[index]));
  return differs
    ? { retried: shown(retried), wanted: shown(wanted) }
    : undefined;
}

function differ(revision: string, other: string): boolean {
  return (
    revision !== other &&
    FIXED.some(form => form.test(revision) && form.test(other))
  );
}

/** Whether each retry takes the latest revision (Argo CD 3.2). */
function refreshes({ syncPolicy }: ArgoApplicationSpec): boolean {
  const { retry } = (syncPolicy ?? {}) as { retry?: { refresh?: boolean } };
  return retry?.refresh === true;
}

function shown(revisions: readonly string[]): string {
  return revisions
    .map(revision => (COMMIT.test(revision) ? revision.slice(0, 7) : revision))
    .join(', ');
}
