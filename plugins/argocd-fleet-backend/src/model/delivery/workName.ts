import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';

/**
 * The work agent names its AppliedManifestWork `<SHA-256 of the hub>-<work name>`, 65 characters more than the work's, and that
 * name too must stay within Kubernetes' 253.
 */
export const MAX_WORK_NAME = 253 - 65;

const SHORT_UID = 5;

/**
 * The names that the work of an Application may have, in order of preference: the documented one with five characters of the
 * UID, and one with the whole UID for where that is too long or another Application's. UIDs are unique, so the second one is too.
 */
export function workNames(application: ArgoApplication): readonly string[] {
  const short = shortName(application);
  const long = longName(application);
  return short.length <= MAX_WORK_NAME ? [short, long] : [long];
}

/** Whether the work of an Application may have that name. */
export function isWorkName(
  application: ArgoApplication,
  name: string,
): boolean {
  return (
    (name.length <= MAX_WORK_NAME && name === shortName(application)) ||
    name === longName(application)
  );
}

function shortName({ metadata }: ArgoApplication): string {
  const { name, uid = '' } = metadata;
  return `${name}-${uid.slice(0, SHORT_UID)}`;
}

function longName({ metadata }: ArgoApplication): string {
  const { name, uid = '' } = metadata;
  return `${cut(name, MAX_WORK_NAME - uid.length - 1)}-${uid}`;
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/[-.]+$/, '');
}
