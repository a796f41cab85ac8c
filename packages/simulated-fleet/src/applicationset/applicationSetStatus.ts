import {
  Application,
  ApplicationSet,
  ApplicationSetCondition,
  ResourceStatus,
} from '../kubernetes/argocdTypes';
import { kubeTime } from '../kubernetes/objects';

/** How a pass over an ApplicationSet ended. */
export interface Outcome {
  parametersGenerated: boolean;
  error?: { reason: string; message: string };
}

type NewCondition = Omit<ApplicationSetCondition, 'lastTransitionTime'>;

/** The conditions after a pass, in Argo CD's words; a condition that did not change keeps its time. */
export function applicationSetConditions(
  { status }: ApplicationSet,
  { parametersGenerated, error }: Outcome,
  now: Date,
): ApplicationSetCondition[] {
  const upToDate = {
    reason: 'ApplicationSetUpToDate',
    message: 'All applications have been generated successfully',
  };
  const wanted: NewCondition[] = [
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
  ];
  return wanted.map(condition => {
    const previous = status?.conditions?.find(
      ({ type }) => type === condition.type,
    );
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

/** `status.resources`: the set's Applications with their sync and health. */
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
