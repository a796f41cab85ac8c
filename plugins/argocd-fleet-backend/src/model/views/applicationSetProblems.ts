import {
  parseGoBool,
  SKIP_RECONCILE_ANNOTATION,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel } from '../delivery';
import { applicationFindings, applicationSetFindings } from '../findings';
import type { FleetApplicationSet } from './fleetApplicationSet';

/** Findings of an ApplicationSet as a whole. */
export function applicationSetProblems(input: FleetApplicationSet): Finding[] {
  return [
    ...generationFindings(input),
    ...placementFindings(input),
    ...reconcileFindings(input),
  ];
}

function generationFindings({ applicationSet }: FleetApplicationSet) {
  const error = applicationSet.status?.conditions?.find(
    ({ type, status }) => type === 'ErrorOccurred' && status === 'True',
  );
  return error
    ? [
        applicationSetFindings.applicationSetFailed({
          evidence: error.message ?? error.reason ?? error.type,
          object: objectOf(applicationSet),
        }),
      ]
    : [];
}

function placementFindings(input: FleetApplicationSet): Finding[] {
  const { placement, applicationSet } = input;
  const namespace = applicationSet.metadata.namespace ?? '';
  if (!placement) {
    return [];
  }
  const object = { kind: 'Placement', name: placement.name, namespace };
  if (!placement.found) {
    return [
      applicationSetFindings.placementMissing(placement.name, namespace, {
        object,
      }),
    ];
  }
  return placement.decisions === 0
    ? [
        applicationSetFindings.nothingSelected(placement.name, namespace, {
          object,
        }),
      ]
    : [];
}

/** Pulled Applications that the hub reconciles too; Argo CD reads the annotation as a Go boolean. */
function reconcileFindings(input: FleetApplicationSet): Finding[] {
  const reconciled = input.applications.filter(
    ({ application, plan }) =>
      isPullModel(application) &&
      plan?.kind !== 'excluded' &&
      parseGoBool(
        application.metadata.annotations?.[SKIP_RECONCILE_ANNOTATION],
      ) !== true,
  );
  return reconciled.length > 0
    ? [
        applicationFindings.reconciledOnHub(reconciled.length, {
          object: objectOf(input.applicationSet),
        }),
      ]
    : [];
}

function objectOf({
  kind,
  metadata,
}: FleetApplicationSet['applicationSet']): Finding['object'] {
  const { name, namespace } = metadata;
  return { kind, name, ...(namespace && { namespace }) };
}
