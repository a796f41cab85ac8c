import { groupOf, KubeObject, versionOf } from '../kubernetes/objects';

interface NamedPath {
  name: string;
  path: string;
}

const paths = (entries: Record<string, string>): NamedPath[] =>
  Object.entries(entries).map(([name, path]) => ({ name, path }));

/** The paths that OCM's `WellKnownStatus` rule reads, by apiVersion and kind. */
const WELL_KNOWN: Readonly<Record<string, NamedPath[]>> = {
  'apps/v1/Deployment': paths({
    ReadyReplicas: '.status.readyReplicas',
    Replicas: '.status.replicas',
    AvailableReplicas: '.status.availableReplicas',
  }),
  'apps/v1/DaemonSet': paths({
    NumberReady: '.status.numberReady',
    DesiredNumberScheduled: '.status.desiredNumberScheduled',
    NumberAvailable: '.status.numberAvailable',
  }),
  'batch/v1/Job': paths({
    JobComplete: '.status.conditions[?(@.type=="Complete")].status',
    JobSucceeded: '.status.succeeded',
  }),
  'v1/Pod': paths({
    PodReady: '.status.conditions[?(@.type=="Ready")].status',
    PodPhase: '.status.phase',
  }),
};

/**
 * The paths of OCM's `WellKnownStatus` rule for an object.
 *
 * @throws Error in OCM's words for a kind without well-known statuses.
 */
export function wellKnownPaths(object: KubeObject): NamedPath[] {
  const found = WELL_KNOWN[`${object.apiVersion}/${object.kind}`];
  if (!found) {
    const group = groupOf(object.apiVersion);
    throw new Error(
      `cannot find the wellknown statuses for resource with gvk ${group}/${versionOf(
        object.apiVersion,
      )}, Kind=${object.kind}`,
    );
  }
  return found;
}
