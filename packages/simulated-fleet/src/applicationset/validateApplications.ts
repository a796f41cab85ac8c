import { Application, ApplicationDestination } from '../kubernetes/argocdTypes';
import { ArgoCluster, IN_CLUSTER, withInCluster } from './argoClusters';

/** What may be named by an Application. */
export interface ValidationInputs {
  projects: ReadonlySet<string>;
  clusters: readonly ArgoCluster[];
}

/** Splits generated Applications into those that Argo CD would create and the reasons for the others, in Argo CD's words. */
export function validateApplications(
  applicationSetName: string,
  applications: readonly Application[],
  inputs: ValidationInputs,
): { valid: Application[]; mistakes: Map<string, string> } {
  const destinations = createDestinations(inputs.clusters);
  const mistakes = new Map<string, string>();
  const names = new Set<string>();
  for (const application of applications) {
    const { name } = application.metadata;
    const project = application.spec?.project ?? '';
    if (names.has(name)) {
      mistakes.set(
        name,
        `ApplicationSet ${applicationSetName} contains applications with duplicate name: ${name}`,
      );
      continue;
    }
    names.add(name);
    const destination = application.spec?.destination ?? {};
    const unknown = destinations.mistake(destination);
    if (!inputs.projects.has(project)) {
      mistakes.set(
        name,
        `application references project ${project} which does not exist`,
      );
    } else if (unknown) {
      mistakes.set(name, `application destination spec is invalid: ${unknown}`);
    }
  }
  return {
    valid: applications.filter(({ metadata }) => !mistakes.has(metadata.name)),
    mistakes,
  };
}

/** Looks destinations up as Argo CD does. */
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
    /** Why Argo CD would not take a destination, or undefined. */
    mistake({ name, server }: ApplicationDestination): string | undefined {
      if (name && server) {
        return `application destination can't have both name and server defined: ${name} ${server}`;
      }
      if (server) {
        // A slash at the end is taken off the Secret's server, not off this one.
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

/** The condition for Applications that are not valid: it tells the last of them and how many more there are. */
export function validationError(
  mistakes: ReadonlyMap<string, string>,
): { reason: string; message: string } | undefined {
  const names = [...mistakes.keys()].sort();
  const last = mistakes.get(names[names.length - 1]);
  if (last === undefined) {
    return undefined;
  }
  const others = names.length > 1 ? ` (and ${names.length - 1} more)` : '';
  return { reason: 'ApplicationValidationError', message: `${last}${others}` };
}
