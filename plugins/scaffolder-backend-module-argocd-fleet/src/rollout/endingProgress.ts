import type {
  ApplicationSetDetail,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';

const MAX_NAMED_CLUSTERS = 5;

/** Where an ApplicationSet that is being deleted still is. */
export interface EndingProgress {
  /** What may keep it there. */
  readonly findings: readonly Finding[];
  /** One line. */
  readonly summary: string;
}

/** Where an ApplicationSet that is being deleted still is, and why. */
export function endingProgress({
  applications,
  findings,
}: ApplicationSetDetail): EndingProgress {
  const clusters = [
    ...new Set(applications.map(({ cluster }) => cluster.name)),
  ].sort();
  return {
    findings: [
      ...findings,
      ...applications.flatMap(({ steps }) =>
        steps.flatMap(({ finding, state }) =>
          finding && state !== 'waiting' ? [finding] : [],
        ),
      ),
    ],
    summary:
      clusters.length === 0
        ? 'Gone from every cluster; waiting for the hub'
        : `Still on ${clusters.length}: ${named(clusters)}`,
  };
}

function named(clusters: readonly string[]): string {
  const unnamed = clusters.length - MAX_NAMED_CLUSTERS;
  return [
    ...clusters.slice(0, MAX_NAMED_CLUSTERS),
    ...(unnamed > 0 ? [`and ${unnamed} more`] : []),
  ].join(', ');
}
