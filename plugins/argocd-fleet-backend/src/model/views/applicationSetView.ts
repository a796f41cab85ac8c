import {
  parseHealthStatus,
  PLACEMENT_LABEL,
  type ApplicationRow,
  type ApplicationSet,
  type ApplicationSetDetail,
  type ApplicationSetRows,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ArgoApplicationSpec,
  type ClusterApplication,
  type HubState,
  type ModelCount,
  type Source,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetDeliveryModel, rollingSyncProgress } from '../delivery';
import type { ResourceReader } from '../feedback';
import { isRecord } from '../json';
import { wantedSources } from '../manifestwork';
import { shownRepositoryUrl, shownText } from '../text';
import { applicationSetProblems } from './applicationSetProblems';
import { findCauses, tableRow, type TableRow } from './applicationRow';
import { clusterApplication } from './clusterApplication';
import { clusterNameIn, type FleetApplication } from './fleetApplication';
import type { FleetApplicationSet } from './fleetApplicationSet';
import { modelCounts } from './modelCounts';
import {
  lastChange,
  mostUrgent,
  summarise,
  summaryRowOf,
  type SummaryRow,
} from './summaryRow';
import { versionsOf } from './versions';

const OWN_PREFIX = 'argocd-fleet/';

/** Name of the Placement whose decisions the set's clusterDecisionResource generator takes, also inside matrix and merge. */
export function placementNameOf(
  applicationSet: ArgoApplicationSet,
): string | undefined {
  return placementNamesOf(applicationSet)[0];
}

/** The same of all of its generators. */
export function placementNamesOf(applicationSet: ArgoApplicationSet): string[] {
  return placementsIn(applicationSet.spec?.generators);
}

/**
 * An ApplicationSet as the API's list shows it.
 * @param rows - one for each Application of the set, by its key
 * @param problemIn - the problem of a row that has one
 */
export function applicationSetView(
  input: FleetApplicationSet,
  rows: ReadonlyMap<string, SummaryRow>,
  problemIn: (key: string) => ApplicationRow | undefined,
): ApplicationSet {
  const { metadata } = input.applicationSet;
  const { placement } = input;
  const change = lastChange(rows.values());
  const urgent = mostUrgent(rows);
  const { health } = input.applicationSet.status ?? {};
  const rollingSync = rollingSyncProgress(input.applicationSet);
  const worst = urgent === undefined ? undefined : problemIn(urgent);
  return {
    ...applicationSetIdentity(
      input,
      modelCounts(Array.from(rows.values(), each => each.state.deliveryModel)),
    ),
    uid: metadata.uid ?? '',
    summary: summarise(rows.values()),
    ...versionsOf(rows.values()),
    findings: applicationSetProblems(input, rows),
    ...(metadata.creationTimestamp && {
      createdAt: metadata.creationTimestamp,
    }),
    ...(metadata.labels && { labels: { ...metadata.labels } }),
    ...(placement && {
      placement: { name: placement.name, decisions: placement.decisions },
    }),
    ...(health?.status && {
      health: {
        status: parseHealthStatus(health.status),
        ...(health.message && { message: health.message }),
      },
    }),
    ...(rollingSync && { rollingSync }),
    ...(change && { lastChange: change }),
    ...(worst?.problem && { worst: worstProblem(worst, worst.problem) }),
  };
}

function worstProblem(
  { cluster, since }: ApplicationRow,
  { title, severity, code }: NonNullable<ApplicationRow['problem']>,
): NonNullable<ApplicationSet['worst']> {
  return {
    cluster: cluster.name,
    severity,
    message: title,
    ...(code && { code }),
    ...(since && { since }),
  };
}

/**
 * What an ApplicationSet is, without any status.
 * @param models - of its Applications
 */
export function applicationSetIdentity(
  {
    hub,
    applicationSet,
    firstApplication,
    agents,
  }: Pick<
    FleetApplicationSet,
    'hub' | 'applicationSet' | 'firstApplication' | 'agents'
  >,
  models: ModelCount[],
): Pick<
  ApplicationSet,
  'ref' | 'deliveryModel' | 'deliveryModels' | 'sources' | 'annotations'
> {
  const { metadata } = applicationSet;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => key.startsWith(OWN_PREFIX),
  );
  return {
    ref: { hub, namespace: metadata.namespace ?? '', name: metadata.name },
    deliveryModel:
      models[0]?.model ??
      applicationSetDeliveryModel(applicationSet, firstApplication, agents),
    ...(models.length > 1 && { deliveryModels: models }),
    sources: sourcesOf(applicationSet, firstApplication),
    ...(annotations.length > 0 && {
      annotations: Object.fromEntries(annotations),
    }),
  };
}

/** One Application of an ApplicationSet. */
export interface DetailRow {
  readonly summary: SummaryRow;
  /** Either this or `excluded`. */
  readonly shown?: TableRow;
  readonly excluded?: ApplicationSetRows['excluded'][number];
}

/** Makes the row of an Application. Excluded ones have no status and are not counted. */
export function detailRow(
  input: FleetApplication,
  resourcesIn?: ResourceReader,
): DetailRow {
  const excluded = excludedApplication(input);
  if (excluded) {
    return { summary: summaryRowOf(input, undefined), excluded };
  }
  const application = clusterApplication(input, resourcesIn);
  return {
    summary: summaryRowOf(input, application),
    shown: tableRow(application),
  };
}

function excludedApplication(
  input: FleetApplication,
): ApplicationSetRows['excluded'][number] | undefined {
  const { application, plan } = input;
  return plan?.kind === 'excluded'
    ? {
        application: {
          namespace: application.metadata.namespace ?? '',
          name: application.metadata.name,
        },
        cluster: clusterNameIn(input),
        reason: plan.reason,
      }
    : undefined;
}

/**
 * An ApplicationSet with its rows, by name.
 * @param rows - one for each Application of the set, by its key
 */
export function applicationSetRows(
  input: FleetApplicationSet,
  rows: ReadonlyMap<string, DetailRow>,
  hubState: HubState,
): ApplicationSetRows {
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  const shown = sorted.flatMap(([, row]) => row.shown ?? []);
  return {
    ...applicationSetView(
      input,
      new Map(sorted.map(([key, { summary }]) => [key, summary])),
      key => rows.get(key)?.shown?.row,
    ),
    applications: shown.map(({ row }) => row),
    causes: findCauses(shown),
    excluded: sorted.flatMap(([, { excluded }]) => excluded ?? []),
    hubState,
  };
}

/**
 * The same with every Application in detail.
 * @param applications - by name
 */
export function applicationSetDetail(
  view: ApplicationSetRows,
  applications: readonly ClusterApplication[],
): ApplicationSetDetail {
  const { causes: _causes, applications: _rows, ...rest } = view;
  return { ...rest, applications: [...applications] };
}

/** Sources of the template; if it has placeholders, those of an Application generated from it. */
function sourcesOf(
  applicationSet: ArgoApplicationSet,
  first: ArgoApplication | undefined,
): Source[] {
  const template = specSources(applicationSet.spec?.template?.spec);
  const placeholders = JSON.stringify(template).includes('{{');
  return (placeholders || template.length === 0) && first
    ? specSources(first.spec)
    : template;
}

function specSources(spec: ArgoApplicationSpec | undefined): Source[] {
  const sources = spec ? wantedSources(spec) : [];
  return sources.map(({ repoURL, path, chart, targetRevision }) => ({
    repoURL: shownRepositoryUrl(repoURL),
    ...(path && { path: shownText(path) }),
    ...(chart && { chart: shownText(chart) }),
    ...(targetRevision && { targetRevision: shownText(targetRevision) }),
  }));
}

/** Generators nest in `matrix` and `merge`, two levels deep. */
function placementsIn(generators: unknown): string[] {
  return Array.isArray(generators)
    ? generators
        .filter(isRecord)
        .flatMap(({ clusterDecisionResource, matrix, merge }) => [
          ...placementsOf(clusterDecisionResource),
          ...[matrix, merge]
            .filter(isRecord)
            .flatMap(nested => placementsIn(nested.generators)),
        ])
    : [];
}

/** OCM names the decisions of a Placement after it, with a number. */
const DECISION_NAME = /^(.+)-decision-\d+$/;

/** The Placements whose decisions a generator takes: by a label, in either form, or by the name of one decision. */
function placementsOf(generator: unknown): string[] {
  const { name, labelSelector } = isRecord(generator) ? generator : {};
  const { matchLabels, matchExpressions } = isRecord(labelSelector)
    ? labelSelector
    : {};
  const expressions = Array.isArray(matchExpressions)
    ? matchExpressions
        .filter(isRecord)
        .filter(
          ({ key, operator }) => key === PLACEMENT_LABEL && operator === 'In',
        )
        .flatMap(({ values }) => values)
    : [];
  const decision = typeof name === 'string' ? DECISION_NAME.exec(name) : null;
  return [
    isRecord(matchLabels) ? matchLabels[PLACEMENT_LABEL] : undefined,
    ...expressions,
    decision?.[1],
  ].filter(each => typeof each === 'string');
}
