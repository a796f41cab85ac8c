import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel, targetCluster } from './deliveryModel';
import { payloadNamespace } from './payloadApplication';
import { applicationManifest } from './workManifests';

/**
 * What a pull-model Application is on its cluster, `<cluster>/<namespace>/<name>`; undefined for one that goes nowhere. Two of the hub
 * may come to the same: the namespace there is an annotation, in a tenant's hands.
 */
export function deliveryTarget(
  application: ArgoApplication,
): string | undefined {
  const cluster = isPullModel(application) && targetCluster(application);
  return cluster
    ? `${cluster}/${payloadNamespace(application)}/${application.metadata.name}`
    : undefined;
}

/**
 * The {@link deliveryTarget} of an Application that comes to another namespace on its cluster than it has on the hub; undefined for all
 * others. Two that keep theirs cannot come to the same place, so that these few are all that has to be looked for.
 */
export function remappedTarget(
  application: ArgoApplication,
): string | undefined {
  return payloadNamespace(application) === application.metadata.namespace
    ? undefined
    : deliveryTarget(application);
}

/** The {@link deliveryTarget} that a work delivers to. */
export function workTarget(work: ManifestWork): string | undefined {
  const metadata = applicationManifest(work)?.metadata;
  return (
    metadata &&
    `${work.metadata.namespace}/${metadata.namespace}/${metadata.name}`
  );
}

/** An Application that would be delivered to a place. */
export interface TargetClaim {
  readonly application: ArgoApplication;
  /** Its work is there. */
  readonly delivered: boolean;
}

/** Whose the place is: who is there stays; else the older one, and of two equally old ones that whose name comes first. */
export function targetOwner(
  claims: readonly TargetClaim[],
): ArgoApplication | undefined {
  return [...claims].sort(byPrecedence)[0]?.application;
}

function byPrecedence(a: TargetClaim, b: TargetClaim): number {
  return (
    Number(b.delivered) - Number(a.delivered) ||
    compare(createdAt(a), createdAt(b)) ||
    compare(nameOf(a), nameOf(b))
  );
}

function createdAt({ application }: TargetClaim): string {
  return application.metadata.creationTimestamp ?? '';
}

function nameOf({ application: { metadata } }: TargetClaim): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
