import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';

type Sources = NonNullable<ClusterApplication['sources']>;

/** A part of the details that may be from somewhere else than the rest. */
export type DetailsPart = keyof Sources;

/** In the order in which they are told of. */
const PARTS: readonly DetailsPart[] = ['conditions', 'resources', 'images'];

/** Where some parts of the details are from. */
export interface Origin {
  readonly source: NonNullable<Sources[DetailsPart]>;
  readonly parts: readonly DetailsPart[];
}

/** What brings the status of such an Application by itself: nobody needs to be told. */
function usualSource({ deliveryModel }: ClusterApplication): string {
  return deliveryModel === 'pull' ? 'manifestWork' : 'application';
}

/** Where parts of the details are from, without those that are from where they are expected. */
export function unusualOrigins(application: ClusterApplication): Origin[] {
  const origins = new Map<
    string,
    { source: NonNullable<Sources[DetailsPart]>; parts: DetailsPart[] }
  >();
  for (const part of PARTS) {
    const source = application.sources?.[part];
    if (source && source.from !== usualSource(application)) {
      const { from, observedAt, completed } = source;
      const key = JSON.stringify([from, observedAt, completed]);
      const origin = origins.get(key) ?? { source, parts: [] };
      origin.parts.push(part);
      origins.set(key, origin);
    }
  }
  return [...origins.values()];
}

/** Whether a part is as a whole from somewhere else than expected, so that the age of the status is not its own. */
export function isFromElsewhere(
  application: ClusterApplication,
  part: DetailsPart,
): boolean {
  const source = application.sources?.[part];
  return (
    source !== undefined &&
    !source.completed &&
    source.from !== usualSource(application)
  );
}
