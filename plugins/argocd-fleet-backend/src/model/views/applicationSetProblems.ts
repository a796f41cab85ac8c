import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationSetDeliveryModel,
  isInCluster,
  missingPullLabel,
} from '../delivery';
import {
  applicationFindings,
  applicationSetFindings,
  shownNames,
  unreadableFinding,
} from '../findings';
import { wantedSources } from '../manifestwork';
import { applicationSetComponent } from './applicationSetComponent';
import { isOurs, recordedOwner } from '../writes';
import type { FleetApplicationSet } from './fleetApplicationSet';
import { removalProblems } from './removalProblems';
import type { SummaryRow } from './summaryRow';

/** The generator's error where there is no decision. */
const NO_DECISION = 'no clusterDecisionResources found';
const PLACEHOLDER = /\{\{[^{}"]{1,100}\}\}/g;
/** Policies with which Applications are never deleted. */
const KEEPING_POLICIES = ['create-only', 'create-update'];

/** Findings of an ApplicationSet as a whole. */
export function applicationSetProblems(
  input: FleetApplicationSet,
  rows: ReadonlyMap<string, SummaryRow>,
): Finding[] {
  const unreadable = unreadableFinding(input.applicationSet);
  if (unreadable) {
    return [unreadable, ...removalProblems(input)];
  }
  return [
    ...generatorFindings(input),
    ...templateFindings(input),
    ...lifecycleFindings(input, rows),
    ...destinationFindings(input, rows),
    ...reconcileFindings(input, rows),
    ...componentFindings(input),
    ...writeFindings(input),
    ...removalProblems(input),
  ];
}

/** What is wrong with what the generator reads; the controller's own error is evidence where the reason is known. */
function generatorFindings({
  placement,
  applicationSet,
}: FleetApplicationSet): Finding[] {
  const { namespace = '' } = applicationSet.metadata;
  const error = applicationSet.status?.conditions?.find(
    ({ type, status }) => type === 'ErrorOccurred' && status === 'True',
  );
  const evidence = error && (error.message ?? error.reason ?? error.type);
  const object = placement && {
    kind: 'Placement',
    name: placement.name,
    namespace,
  };
  if (placement && !placement.found) {
    return [
      applicationSetFindings.placementMissing(placement.name, namespace, {
        ...(evidence && { evidence }),
        object,
      }),
    ];
  }
  if (evidence?.includes(NO_DECISION)) {
    return [
      applicationSetFindings.noDecision(placement?.name, namespace, {
        evidence,
        object,
      }),
    ];
  }
  return [
    ...(evidence
      ? [
          applicationSetFindings.applicationSetFailed({
            evidence,
            object: objectOf(applicationSet),
          }),
        ]
      : []),
    ...(placement?.decisions === 0
      ? [
          applicationSetFindings.nothingSelected(placement.name, namespace, {
            object,
          }),
        ]
      : []),
  ];
}

/**
 * Placeholders that are in an Application although it was generated. Only in fields that say what goes where: values of
 * charts and annotations may have placeholders of other programs.
 */
function templateFindings({
  applicationSet,
  firstApplication,
}: FleetApplicationSet): Finding[] {
  const { project, destination, ...spec } = firstApplication?.spec ?? {};
  const left = [
    project,
    destination?.name,
    destination?.server,
    destination?.namespace,
    ...wantedSources(spec).flatMap(source => [
      source.repoURL,
      source.path,
      source.chart,
      source.targetRevision,
    ]),
  ].flatMap(field => field?.match(PLACEHOLDER) ?? []);
  return left.length > 0
    ? [
        applicationSetFindings.placeholdersLeft(
          {
            placeholders: shownNames([...new Set(left)]),
            goTemplate: applicationSet.spec.goTemplate === true,
          },
          { object: objectOf(applicationSet) },
        ),
      ]
    : [];
}

/** Why Applications stay, or do not come. */
function lifecycleFindings(
  { applicationSet, placement }: FleetApplicationSet,
  rows: ReadonlyMap<string, SummaryRow>,
): Finding[] {
  const object = objectOf(applicationSet);
  const { syncPolicy, strategy } = applicationSet.spec as {
    readonly syncPolicy?: { readonly applicationsSync?: string };
    readonly strategy?: { readonly deletionOrder?: string };
  };
  if (applicationSet.metadata.deletionTimestamp) {
    return strategy?.deletionOrder === 'Reverse'
      ? [applicationSetFindings.deletedInReverse({ object })]
      : [applicationSetFindings.beingDeleted(rows.size, { object })];
  }
  const [generator, ...others] = applicationSet.spec.generators ?? [];
  if (
    !placement?.found ||
    others.length > 0 ||
    !generator?.clusterDecisionResource
  ) {
    // With other generators, there is no telling how many Applications there should be.
    return [];
  }
  const surplus = rows.size - placement.decisions;
  const policy = syncPolicy?.applicationsSync ?? '';
  if (KEEPING_POLICIES.includes(policy) && surplus > 0) {
    return [
      applicationSetFindings.applicationsKept(policy, surplus, { object }),
    ];
  }
  return placement.scored && surplus < 0
    ? [
        applicationSetFindings.scoredDecisions(placement.name, -surplus, {
          object,
        }),
      ]
    : [];
}

/** A template that sends the Applications of all selected clusters to the hub's own; rows say it where they can. */
function destinationFindings(
  { applicationSet, placement }: FleetApplicationSet,
  rows: ReadonlyMap<string, SummaryRow>,
): Finding[] {
  const { metadata = {}, spec } = applicationSet.spec?.template ?? {};
  if (
    !placement?.others ||
    !isInCluster(spec?.destination) ||
    applicationSetDeliveryModel(applicationSet) !== 'push' ||
    missingPullLabel(metadata)
  ) {
    return [];
  }
  const applications = rows.size;
  return applications > 0
    ? [
        applicationSetFindings.everythingOnHub(placement.name, applications, {
          object: objectOf(applicationSet),
        }),
      ]
    : [];
}

/** Pulled Applications that the hub reconciles too. */
function reconcileFindings(
  { applicationSet }: FleetApplicationSet,
  rows: ReadonlyMap<string, SummaryRow>,
): Finding[] {
  let reconciled = 0;
  for (const { state } of rows.values()) {
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

function componentFindings({
  applicationSet,
  components,
}: FleetApplicationSet): Finding[] {
  const { problem } = applicationSetComponent(applicationSet, components);
  return problem ? [problem] : [];
}

/** What keeps the portal from changing an ApplicationSet that it created. */
function writeFindings({ applicationSet, writeRefusal }: FleetApplicationSet) {
  if (!isOurs(applicationSet)) {
    return [];
  }
  const { name, namespace = '' } = applicationSet.metadata;
  const object = objectOf(applicationSet);
  return [
    ...(recordedOwner(applicationSet) === undefined
      ? [applicationSetFindings.ownerMissing(name, namespace, { object })]
      : []),
    ...(writeRefusal === undefined
      ? []
      : [
          applicationSetFindings.notWritable({
            evidence: writeRefusal,
            object,
          }),
        ]),
  ];
}

function objectOf({
  kind,
  metadata,
}: FleetApplicationSet['applicationSet']): Finding['object'] {
  const { name, namespace } = metadata;
  return { kind, name, ...(namespace && { namespace }) };
}
