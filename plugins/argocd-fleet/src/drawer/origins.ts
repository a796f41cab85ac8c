import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';

type Sources = NonNullable<ClusterApplication['sources']>;

/** A part of the details that may have another source than the rest. */
export type DetailsPart = keyof Sources;

/** In display order. */
const PARTS: readonly DetailsPart[] = ['conditions', 'resources', 'images'];

/** A source, and the parts of the details that are from it. */
export interface Origin {
  readonly source: NonNullable<Sources[DetailsPart]>;
  readonly parts: readonly DetailsPart[];
}

/** The source of an Application's status by its delivery model; the page does not name it. */
function usualSource({ deliveryModel }: ClusterApplication): string {
  return deliveryModel === 'pull' ? 'manifestWork' : 'application';
}

/** Sources of the details other than the usual one. */
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

/**
 * Whether a whole part is from another source than the usual one, so that the age of the status does not apply to it.
 */
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
