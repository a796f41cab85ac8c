import type {
  ClusterState,
  FieldSource,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationDetails } from 'backstage-plugin-argocd-fleet-node';
import type { ApplicationState } from '../feedback';

/** The last details of a resource source about one Application. */
export interface SourcedDetails {
  /** Id of the source. */
  readonly source: string;
  readonly details: ApplicationDetails;
  /** RFC 3339. When these details first replaced others of the source; undefined if they never did. */
  readonly changedAt?: string;
  /** RFC 3339. Time of the source's last answer, if it has not been able to answer since. */
  readonly lastSaidAt?: string;
}

/**
 * Replaces the details of the work's feedback by those of resource sources, field by field, where these are fresher.
 *
 * Details with a time are fresher if that is later than the work's status. An index has no time and lags behind by as
 * long as its collectors take, while the work's digest comes straight from the cluster. So details without a time are
 * used only if the work has no details; to complete its list of resources where that was cut; and if the cluster has
 * become stale and the source's details have changed since.
 */
export function withSourcedDetails(
  state: ApplicationState,
  answers: readonly SourcedDetails[] = [],
  cluster: Pick<ClusterState, 'stale' | 'staleSince'>,
): ApplicationState {
  const replaces = (answer: SourcedDetails) =>
    state.detailsFrom === undefined || isFresher(answer, state, cluster);
  // A list that was cut is completed by the freshest details first. Of details that replace each other, the freshest
  // come last.
  const whole = answers
    .filter(answer => !replaces(answer))
    .sort((a, b) => compareFreshness(b, a))
    .reduce(complete, state);
  return answers
    .filter(replaces)
    .sort(compareFreshness)
    .reduce((merged, answer) => replace(merged, answer, state, cluster), whole);
}

function replace(
  merged: ApplicationState,
  answer: SourcedDetails,
  own: ApplicationState,
  cluster: Pick<ClusterState, 'stale' | 'staleSince'>,
): ApplicationState {
  const { conditions, resources, resourcesOmitted, images } = isFresher(
    answer,
    own,
    cluster,
  )
    ? answer.details
    : besideFeedback(own, answer.details);
  const source = fieldSource(answer);
  return {
    ...merged,
    ...(conditions && { conditions }),
    ...(resources && { resources, resourcesOmitted: resourcesOmitted ?? 0 }),
    ...(images && { images }),
    sources: {
      ...merged.sources,
      ...(conditions && { conditions: source }),
      ...(resources && { resources: source }),
      ...(images && { images: source }),
    },
  };
}

function complete(
  merged: ApplicationState,
  answer: SourcedDetails,
): ApplicationState {
  const { resources } = answer.details;
  return resources && merged.resourcesOmitted > 0
    ? {
        ...merged,
        ...completed(merged, resources),
        sources: {
          ...merged.sources,
          resources: { ...fieldSource(answer), completed: true },
        },
      }
    : merged;
}

function isFresher(
  { details, changedAt }: SourcedDetails,
  own: ApplicationState,
  { stale, staleSince }: Pick<ClusterState, 'stale' | 'staleSince'>,
): boolean {
  return details.observedAt === undefined
    ? stale && compareTimes(changedAt, staleSince) > 0
    : compareTimes(details.observedAt, own.statusAt) > 0;
}

/**
 * Without a digest, feedback may still have the first error of each kind, and one resource by its kind and name. These
 * are fresh, and the source's details are added to them.
 */
function besideFeedback(
  own: ApplicationState,
  details: ApplicationDetails,
): ApplicationDetails {
  if (own.detailsFrom !== undefined) {
    return details;
  }
  const types = new Set(own.conditions.map(({ type }) => type));
  // Reversed: the first of several with one name is meant.
  const reported = new Map(
    own.resources.toReversed().map(each => [shortIdentityOf(each), each]),
  );
  return {
    ...details,
    conditions: details.conditions && [
      ...own.conditions,
      ...details.conditions.filter(({ type }) => !types.has(type)),
    ],
    resources: details.resources?.map(resource => ({
      ...resource,
      ...reported.get(shortIdentityOf(resource)),
    })),
  };
}

/** For resources in both lists the work's entry stays: it has Argo CD's own sync and health. */
function completed(
  { resources, resourcesOmitted }: ApplicationState,
  more: NonNullable<ApplicationDetails['resources']>,
): Pick<ApplicationState, 'resources' | 'resourcesOmitted'> {
  const listed = new Set(resources.map(identityOf));
  const added = more.filter(resource => !listed.has(identityOf(resource)));
  return {
    resources: [...resources, ...added],
    resourcesOmitted: Math.max(0, resourcesOmitted - added.length),
  };
}

function shortIdentityOf({
  kind,
  name,
}: ApplicationState['resources'][number]): string {
  return `${kind}/${name}`;
}

function identityOf({
  group = '',
  kind,
  namespace = '',
  name,
}: ApplicationState['resources'][number]): string {
  return [group, kind, namespace, name].join('/');
}

/** The source of a field; with the time of its last answer if it does not answer any more. */
function fieldSource({
  source,
  details,
  lastSaidAt,
}: SourcedDetails): FieldSource {
  const observedAt = details.observedAt ?? lastSaidAt;
  return { from: source, ...(observedAt && { observedAt }) };
}

/**
 * Orders by the time of the details. The time of an answer is no such time: without one, current answers are fresher
 * than old ones.
 */
function compareFreshness(a: SourcedDetails, b: SourcedDetails): number {
  return (
    compareTimes(a.details.observedAt, b.details.observedAt) ||
    Number(b.lastSaidAt !== undefined) - Number(a.lastSaidAt !== undefined)
  );
}

/** A missing time is earlier than every other. */
function compareTimes(a: string | undefined, b: string | undefined): number {
  return (Date.parse(a ?? '') || 0) - (Date.parse(b ?? '') || 0);
}
