import { Application, ApplicationDestination } from '../kubernetes/argocdTypes';
import { ArgoCluster, IN_CLUSTER, withInCluster } from './argoClusters';

/** The AppProjects and clusters that Applications may reference. */
export interface ValidationInputs {
  projects: ReadonlySet<string>;
  clusters: readonly ArgoCluster[];
}

/** The valid Applications, and Argo CD's errors for the others by Application name. */
export function validateApplications(
  applicationSetName: string,
  applications: readonly Application[],
  inputs: ValidationInputs,
): { valid: Application[]; errors: Map<string, string> } {
  const destinations = createDestinations(inputs.clusters);
  const errors = new Map<string, string>();
  const names = new Set<string>();
  for (const application of applications) {
    const { name } = application.metadata;
    const project = application.spec?.project ?? '';
    if (names.has(name)) {
      errors.set(
        name,
        `ApplicationSet ${applicationSetName} contains applications with duplicate name: ${name}`,
      );
      continue;
    }
    names.add(name);
    const destination = application.spec?.destination ?? {};
    const unknown = destinations.error(destination);
    if (!inputs.projects.has(project)) {
      errors.set(
        name,
        `application references project ${project} which does not exist`,
      );
    } else if (unknown) {
      errors.set(name, `application destination spec is invalid: ${unknown}`);
    }
  }
  return {
    valid: applications.filter(({ metadata }) => !errors.has(metadata.name)),
    errors,
  };
}

/** Validates destinations as Argo CD does. */
export function createDestinations(clusters: readonly ArgoCluster[]) {
  const servers = new Set([
    ...clusters.map(({ server }) => server),
    IN_CLUSTER.server,
  ]);
  const byName = new Map<string, string[]>();
  for (const { name, server } of withInCluster(clusters)) {
    byName.set(name, [...(byName.get(name) ?? []), server]);
  }
  return {
    /** Argo CD's error for an invalid destination, or undefined. */
    error({ name, server }: ApplicationDestination): string | undefined {
      if (name && server) {
        return `application destination can't have both name and server defined: ${name} ${server}`;
      }
      if (server) {
        // Argo CD removes trailing slashes from the Secret's server, but not from this one.
        return servers.has(server)
          ? undefined
          : `error getting cluster by server "${server}": rpc error: code = NotFound desc = cluster "${server}" not found`;
      }
      if (!name) {
        return 'Destination server missing from app spec';
      }
      const found = byName.get(name) ?? [];
      if (found.length > 1) {
        return `there are ${found.length} clusters with the same name: [${found.join(' ')}]`;
      }
      return found.length === 1
        ? undefined
        : `there are no clusters with this name: ${name}`;
    },
  };
}

/** Reason and message for invalid Applications: the error of the last one and the number of others. */
export function validationError(
  errors: ReadonlyMap<string, string>,
): { reason: string; message: string } | undefined {
  const names = [...errors.keys()].sort();
  const last = errors.get(names[names.length - 1]);
  if (last === undefined) {
    return undefined;
  }
  const others = names.length > 1 ? ` (and ${names.length - 1} more)` : '';
  return { reason: 'ApplicationValidationError', message: `${last}${others}` };
}
