import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { shellWord } from './shellWord';

/** 3xx: the ApplicationSet as a whole. */
export const applicationSetFindings = {
  applicationSetFailed: defineFinding(
    'AFC-301',
    'error',
    (details: Details = {}) => ({
      title: 'The ApplicationSet cannot generate its Applications',
      message:
        'Argo CD’s ApplicationSet controller reports an error; Applications may be missing or out of date.',
      fix: {
        description:
          'The evidence names the reason. Correct the ApplicationSet.',
      },
      ...details,
    }),
  ),

  placementMissing: defineFinding(
    'AFC-302',
    'error',
    (placement: string, namespace: string, details: Details = {}) => ({
      title: `No Placement ${placement}`,
      message: `The generator takes its clusters from the Placement ${placement}, which does not exist in ${namespace}.`,
      fix: {
        description:
          'Create it, or correct the generator’s labelSelector. The namespace has these:',
        command: `kubectl get placements -n ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  nothingSelected: defineFinding(
    'AFC-303',
    'warning',
    (placement: string, namespace: string, details: Details = {}) => ({
      title: 'No cluster selected',
      message: `The Placement ${placement} selects no cluster, so there is nothing to deploy to.`,
      fix: {
        description:
          'A Placement selects from the cluster sets that are bound to its namespace. Check the bindings and the Placement’s labels:',
        command: `kubectl get managedclustersetbindings -n ${shellWord(namespace)}\nkubectl describe placement ${shellWord(placement)} -n ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'3'>;
