import {
  Application,
  ApplicationSet,
  ApplicationSetApplicationStatus,
  ApplicationSetCondition,
  ResourceStatus,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';
import { rollingSteps, RollingSyncProgress } from './rollingSync';

/** The result of one reconcile of an ApplicationSet. */
export interface ReconcileResult {
  parametersGenerated: boolean;
  error?: { reason: string; message: string };
  /** Whether the error ended the reconcile early. */
  isStopped: boolean;
  /** The progress of the rolling sync; absent without a rolling sync, or after an early end. */
  rollout?: RollingSyncProgress;
}

type NewCondition = Omit<ApplicationSetCondition, 'lastTransitionTime'>;

/** The conditions after a reconcile, as in Argo CD; an unchanged condition keeps its transition time. */
export function applicationSetConditions(
  set: ApplicationSet,
  result: ReconcileResult,
  now: Date,
): ApplicationSetCondition[] {
  const { parametersGenerated, error } = result;
  const upToDate = {
    reason: 'ApplicationSetUpToDate',
    message: 'All applications have been generated successfully',
  };
  const desired: NewCondition[] = [
    {
      type: 'ErrorOccurred',
      status: error ? 'True' : 'False',
      ...(error ?? upToDate),
    },
    {
      type: 'ParametersGenerated',
      status: parametersGenerated ? 'True' : 'False',
      reason: parametersGenerated ? 'ParametersGenerated' : 'ErrorOccurred',
      message: parametersGenerated
        ? 'Successfully generated parameters for all Applications'
        : (error?.message ?? ''),
    },
    {
      type: 'ResourcesUpToDate',
      status: error ? 'False' : 'True',
      reason: error ? 'ErrorOccurred' : upToDate.reason,
      message: error?.message ?? upToDate.message,
    },
    ...rolloutProgressing(set, result),
  ];
  return desired.map(condition => {
    const previous = previousCondition(set, condition.type);
    const unchanged =
      previous?.status === condition.status &&
      previous.reason === condition.reason &&
      previous.message === condition.message;
    return {
      ...condition,
      lastTransitionTime:
        (unchanged && previous.lastTransitionTime) || kubeTime(now),
    };
  });
}

function rolloutProgressing(
  set: ApplicationSet,
  { rollout }: ReconcileResult,
): NewCondition[] {
  const type = 'RolloutProgressing';
  if (!rollingSteps(set)) {
    return [];
  }
  if (!rollout) {
    const previous = previousCondition(set, type);
    return previous ? [previous] : [];
  }
  return rollout.progressingStep === undefined
    ? [
        {
          type,
          status: 'False',
          reason: 'ApplicationSetRolloutComplete',
          message: 'ApplicationSet Rollout has completed',
        },
      ]
    : [
        {
          type,
          status: 'True',
          reason: 'ApplicationSetModified',
          message: `ApplicationSet is performing rollout of step ${rollout.progressingStep}`,
        },
      ];
}

/** `status.applicationStatus` after a reconcile; undefined without a rollout, or if it is empty. */
export function applicationStatusAfter(
  set: ApplicationSet,
  { rollout, isStopped }: ReconcileResult,
): ApplicationSetApplicationStatus[] | undefined {
  const previous = set.status?.applicationStatus;
  const statuses =
    rollout?.applicationStatus ?? (isStopped ? previous : undefined);
  return statuses?.length ? statuses : undefined;
}

/** `status.resources`: the set's Applications with their sync and health statuses. */
export function applicationSetResources(
  applications: readonly Application[],
): ResourceStatus[] {
  return applications
    .map(({ metadata, status }) => ({
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      namespace: metadata.namespace,
      name: metadata.name,
      status: status?.sync?.status,
      health: status?.health && { status: status.health.status },
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function previousCondition({ status }: ApplicationSet, desired: string) {
  return status?.conditions?.find(({ type }) => type === desired);
}
