import type {
  ClusterState,
  FieldSource,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationDetails } from 'backstage-plugin-argocd-fleet-node';
import type { ApplicationState } from '../feedback';

/** What a resource source said last about one Application. */
export interface SourcedDetails {
  /** Id of the source. */
  readonly source: string;
  readonly details: ApplicationDetails;
  /** RFC 3339. When the source first said this, having said something else before; undefined where it never did. */
  readonly changedAt?: string;
  /** RFC 3339. When it last said anything, where it has not been able to since. */
  readonly lastSaidAt?: string;
}

/**
 * Puts what the sources said over what the work brought home, field by field, where it is fresher.
 *
 * A source that tells when its answer was true is fresher where that is later than the work's status. An index tells no time, and lags behind
 * by as long as its collectors take, while the work's digest comes straight from the cluster. So what has no time of its own counts only
 * where the work brought no details home; where its list of resources was cut, to complete it; and where the cluster's agent has gone
 * silent and the source has said something new since.
 */
export function withSourcedDetails(
  state: ApplicationState,
  answers: readonly SourcedDetails[] = [],
  cluster: Pick<ClusterState, 'stale' | 'staleSince'>,
): ApplicationState {
  const counts = (answer: SourcedDetails) =>
    state.detailsFrom === undefined || isFresher(answer, state, cluster);
  // A list that was cut is completed by the freshest first, and over all that is said the freshest has the last word.
  const whole = answers
    .filter(answer => !counts(answer))
    .sort((a, b) => compareFreshness(b, a))
    .reduce(complete, state);
  return answers
    .filter(counts)
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
 * Without a digest, feedback may still tell the first error of each kind, and one resource by its kind and name: that is fresh, and
 * what the source says is beside it.
 */
function besideFeedback(
  own: ApplicationState,
  details: ApplicationDetails,
): ApplicationDetails {
  if (own.detailsFrom !== undefined) {
    return details;
  }
  const types = own.conditions.map(({ type }) => type);
  const told = (resource: ApplicationState['resources'][number]) =>
    own.resources.find(
      ({ kind, name }) => kind === resource.kind && name === resource.name,
    );
  return {
    ...details,
    conditions: details.conditions && [
      ...own.conditions,
      ...details.conditions.filter(({ type }) => !types.includes(type)),
    ],
    resources: details.resources?.map(resource => ({
      ...resource,
      ...told(resource),
    })),
  };
}

/** Of what both list, the work says more: it has Argo CD's own word on sync and health. */
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

function identityOf({
  group = '',
  kind,
  namespace = '',
  name,
}: ApplicationState['resources'][number]): string {
  return [group, kind, namespace, name].join('/');
}

/** Where a field is from; of a source that has fallen silent, when it last spoke. */
function fieldSource({
  source,
  details,
  lastSaidAt,
}: SourcedDetails): FieldSource {
  const observedAt = details.observedAt ?? lastSaidAt;
  return { from: source, ...(observedAt && { observedAt }) };
}

/** By when it was true. When a source last spoke is no such time: without one, what it says now is fresher than what it said once. */
function compareFreshness(a: SourcedDetails, b: SourcedDetails): number {
  return (
    compareTimes(a.details.observedAt, b.details.observedAt) ||
    Number(b.lastSaidAt !== undefined) - Number(a.lastSaidAt !== undefined)
  );
}

/** What has no time is earlier than everything. */
function compareTimes(a: string | undefined, b: string | undefined): number {
  return (Date.parse(a ?? '') || 0) - (Date.parse(b ?? '') || 0);
}
