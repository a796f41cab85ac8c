import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationDetails } from 'backstage-plugin-argocd-fleet-node';

/** Puts a source's answer over a row, field by field, where it is later than what the ManifestWork brought home. */
export function mergeDetails(
  row: ClusterApplication,
  details: ApplicationDetails,
): ClusterApplication {
  if (Date.parse(details.observedAt) <= Date.parse(row.statusAt ?? '')) {
    return row;
  }
  const { conditions, resources, resourcesOmitted, images } = details;
  return {
    ...row,
    ...(conditions && {
      conditions: [...conditions],
      error: conditions[0] && firstLine(conditions[0].message),
    }),
    ...(resources && {
      resources: [...resources],
      resourcesOmitted: resourcesOmitted ?? 0,
    }),
    ...(images && { images: [...images] }),
  };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0];
}
