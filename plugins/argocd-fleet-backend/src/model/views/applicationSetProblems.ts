import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { applicationFindings, applicationSetFindings } from '../findings';
import type { FleetApplicationSet } from './fleetApplicationSet';
import type { SummaryRow } from './summaryRow';

/** Findings of an ApplicationSet as a whole. */
export function applicationSetProblems(
  input: FleetApplicationSet,
  rows: Iterable<SummaryRow>,
): Finding[] {
  return [
    ...generationFindings(input),
    ...placementFindings(input),
    ...reconcileFindings(input, rows),
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

/** Pulled Applications that the hub reconciles too. */
function reconcileFindings(
  { applicationSet }: FleetApplicationSet,
  rows: Iterable<SummaryRow>,
): Finding[] {
  let reconciled = 0;
  for (const { state } of rows) {
    reconciled += state.reconciledOnHub ? 1 : 0;
  }
  return reconciled > 0
    ? [
        applicationFindings.reconciledOnHub(reconciled, {
          object: objectOf(applicationSet),
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
