import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';

/**
 * The work agent names its AppliedManifestWork `<SHA-256 of the hub>-<work name>`: 65 characters more than the work's
 * name, and Kubernetes limits both names to 253.
 */
export const MAX_WORK_NAME = 253 - 65;

const SHORT_UID = 5;

/**
 * The possible names of an Application's work, in order of preference: the documented one with five characters of the
 * UID, and one with the whole UID if the first is too long or taken by another Application. UIDs are unique, so the
 * second name is too.
 */
export function workNames(application: ArgoApplication): readonly string[] {
  const short = shortName(application);
  const long = longName(application);
  return short.length <= MAX_WORK_NAME ? [short, long] : [long];
}

/** Whether the name is one of {@link workNames}. */
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
  return name.slice(0, length).replace(/(?<![-.])[-.]+$/, '');
}
