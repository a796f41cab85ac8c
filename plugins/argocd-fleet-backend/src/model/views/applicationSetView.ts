import {
  PLACEMENT_LABEL,
  type ApplicationSet,
  type ApplicationSetDetail,
  type ArgoApplicationSet,
  type ArgoApplicationSpec,
  type ClusterApplication,
  type HubState,
  type Source,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationSetDeliveryModel, clusterNameOf } from '../delivery';
import type { ResourceReader } from '../feedback';
import { isRecord } from '../json';
import { summarise, worst } from '../report';
import { applicationSetProblems } from './applicationSetProblems';
import { clusterApplication } from './clusterApplication';
import type { FleetApplicationSet } from './fleetApplicationSet';

const OWN_PREFIX = 'argocd-fleet/';

/**
 * Name of the Placement that the set's clusterDecisionResource generator selects by label, also inside matrix and
 * merge.
 */
export function placementNameOf(
  applicationSet: ArgoApplicationSet,
): string | undefined {
  return placementIn(applicationSet.spec?.generators);
}

/** An ApplicationSet as the API's list shows it. */
export function applicationSetView(
  input: FleetApplicationSet,
  resourcesIn?: ResourceReader,
): ApplicationSet {
  return viewOf(input, rowsOf(input, resourcesIn));
}

/** An ApplicationSet with its rows. */
export function applicationSetDetail(
  input: FleetApplicationSet,
  hubState: HubState,
  resourcesIn?: ResourceReader,
): ApplicationSetDetail {
  const applications = rowsOf(input, resourcesIn);
  return {
    ...viewOf(input, applications),
    applications,
    excluded: input.applications.flatMap(
      ({ application, clusterName, plan }) =>
        plan?.kind === 'excluded'
          ? {
              application: {
                namespace: application.metadata.namespace ?? '',
                name: application.metadata.name,
              },
              cluster: clusterName ?? clusterNameOf(application),
              reason: plan.reason,
            }
          : [],
    ),
    hubState,
  };
}

/** Excluded Applications are no rows: they have no status and are not counted. */
function rowsOf(
  input: FleetApplicationSet,
  resourcesIn: ResourceReader | undefined,
): ClusterApplication[] {
  return input.applications
    .filter(({ plan }) => plan?.kind !== 'excluded')
    .map(application => clusterApplication(application, resourcesIn));
}

function viewOf(
  input: FleetApplicationSet,
  rows: readonly ClusterApplication[],
): ApplicationSet {
  const { applicationSet, applications, placement } = input;
  const { metadata } = applicationSet;
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => key.startsWith(OWN_PREFIX),
  );
  const change = lastChange(rows);
  const urgent = worst(rows);
  return {
    ref: {
      hub: input.hub,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
    },
    uid: metadata.uid ?? '',
    deliveryModel: applicationSetDeliveryModel(
      applicationSet,
      applications.map(({ application }) => application),
    ),
    sources: sourcesOf(input),
    summary: summarise(rows),
    findings: applicationSetProblems(input),
    ...(metadata.creationTimestamp && {
      createdAt: metadata.creationTimestamp,
    }),
    ...(metadata.labels && { labels: { ...metadata.labels } }),
    ...(annotations.length > 0 && {
      annotations: Object.fromEntries(annotations),
    }),
    ...(placement && {
      placement: { name: placement.name, decisions: placement.decisions },
    }),
    ...(change && { lastChange: change }),
    ...(urgent && { worst: urgent }),
  };
}

/** Sources of the template; if it has placeholders, those of an Application generated from it. */
function sourcesOf(input: FleetApplicationSet): Source[] {
  const template = specSources(input.applicationSet.spec?.template?.spec);
  const [first] = input.applications;
  const placeholders = JSON.stringify(template).includes('{{');
  return (placeholders || template.length === 0) && first
    ? specSources(first.application.spec)
    : template;
}

function specSources(spec: ArgoApplicationSpec | undefined): Source[] {
  const sources = spec?.sources ?? (spec?.source ? [spec.source] : []);
  return sources.map(({ repoURL, path, chart, targetRevision }) => ({
    repoURL: withoutCredentials(repoURL),
    ...(path && { path }),
    ...(chart && { chart }),
    ...(targetRevision && { targetRevision }),
  }));
}

/**
 * Git hosts accept tokens in place of a user name, so both are removed; over SSH the user name is part of the address
 * (`git@`) and no secret.
 */
function withoutCredentials(repoURL: string): string {
  return repoURL.replace(
    /^([a-z][a-z\d+.-]*:\/\/)([^/?#]*)@/i,
    (_, scheme: string, userinfo: string) =>
      /ssh:/i.test(scheme)
        ? `${scheme}${userinfo.replace(/:.*$/s, '')}@`
        : scheme,
  );
}

function lastChange(rows: readonly ClusterApplication[]): string | undefined {
  return rows
    .flatMap(({ since, statusAt, operationStartedAt, deliveryModel }) => {
      // In the other models the status is the hub Application's, which Argo CD rewrites every few minutes without
      // changes.
      const reported = deliveryModel === 'pull' ? statusAt : operationStartedAt;
      return since ?? reported ?? [];
    })
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1);
}

/** Generators nest in `matrix` and `merge`, two levels deep. */
function placementIn(generators: unknown): string | undefined {
  if (!Array.isArray(generators)) {
    return undefined;
  }
  for (const generator of generators.filter(isRecord)) {
    const found =
      placementLabel(generator.clusterDecisionResource) ??
      [generator.matrix, generator.merge]
        .filter(isRecord)
        .map(nested => placementIn(nested.generators))
        .find(name => name !== undefined);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function placementLabel(generator: unknown): string | undefined {
  const selector = isRecord(generator) ? generator.labelSelector : undefined;
  const labels = isRecord(selector) ? selector.matchLabels : undefined;
  const name = isRecord(labels) ? labels[PLACEMENT_LABEL] : undefined;
  return typeof name === 'string' ? name : undefined;
}
