import type { ClusterApplication } from 'backstage-plugin-argocd-fleet-common';

/** Title of a row: its cluster, or its Application where the cluster is unknown. */
export function rowTitleOf({
  cluster,
  application,
}: ClusterApplication): string {
  return cluster.name || application.name;
}

/** Identifies a row within its ApplicationSet. */
export function rowKeyOf({ cluster, application }: ClusterApplication): string {
  return `${cluster.name}/${application.namespace}/${application.name}`;
}
