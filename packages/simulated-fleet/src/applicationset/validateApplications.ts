import { Application, ApplicationDestination } from '../kubernetes/argocdTypes';
import { ArgoCluster, IN_CLUSTER } from './clusterDecisions';

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
  const valid: Application[] = [];
  const mistakes = new Map<string, string>();
  const names = new Set<string>();
  for (const application of applications) {
    const { name } = application.metadata;
    const project = application.spec?.project ?? '';
    const destination = destinationMistake(
      application.spec?.destination ?? {},
      inputs.clusters,
    );
    if (names.has(name)) {
      mistakes.set(
        name,
        `ApplicationSet ${applicationSetName} contains applications with duplicate name: ${name}`,
      );
      continue;
    }
    names.add(name);
    if (!inputs.projects.has(project)) {
      mistakes.set(
        name,
        `application references project ${project} which does not exist`,
      );
    } else if (destination) {
      mistakes.set(
        name,
        `application destination spec is invalid: ${destination}`,
      );
    } else {
      valid.push(application);
    }
  }
  return {
    valid: valid.filter(({ metadata }) => !mistakes.has(metadata.name)),
    mistakes,
  };
}

function destinationMistake(
  { name, server }: ApplicationDestination,
  clusters: readonly ArgoCluster[],
): string | undefined {
  const known = [IN_CLUSTER, ...clusters];
  if (name && server) {
    return `application destination can't have both name and server defined: ${name} ${server}`;
  }
  if (server) {
    return known.some(cluster => cluster.server === server.replace(/\/$/, ''))
      ? undefined
      : `error getting cluster by server "${server}": rpc error: code = NotFound desc = cluster "${server}" not found`;
  }
  if (name) {
    const matching = known.filter(cluster => cluster.name === name);
    if (matching.length > 1) {
      const servers = matching.map(cluster => cluster.server).join(' ');
      return `there are ${matching.length} clusters with the same name: [${servers}]`;
    }
    return matching.length === 1
      ? undefined
      : `there are no clusters with this name: ${name}`;
  }
  return 'Destination server missing from app spec';
}
