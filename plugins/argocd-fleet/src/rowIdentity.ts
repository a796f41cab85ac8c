import type { ApplicationRow } from 'backstage-plugin-argocd-fleet-common';

type Identified = Pick<ApplicationRow, 'cluster' | 'application'>;

/** Title of a row: its cluster, or its Application where the cluster is unknown. */
export function rowTitleOf({ cluster, application }: Identified): string {
  return cluster.name || application.name;
}

/** Identifies a row within its ApplicationSet. */
export function rowKeyOf({ cluster, application }: Identified): string {
  return `${cluster.name}/${application.namespace}/${application.name}`;
}
