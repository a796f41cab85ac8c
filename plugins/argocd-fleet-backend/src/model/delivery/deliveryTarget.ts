import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { isPullModel, targetCluster } from './deliveryModel';
import { payloadNamespace } from './payloadApplication';
import { applicationManifest } from './workManifests';

/**
 * Where a pull-model Application is delivered: `<cluster>/<namespace>/<name>`; undefined if it has no target cluster.
 * Two hub Applications can have the same target, because tenants choose the namespace on the cluster by annotation.
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
 * The {@link deliveryTarget} of an Application whose namespace on the cluster differs from its namespace on the hub;
 * undefined for all others. Two Applications that keep their namespaces never have the same target, so an index of
 * these few is enough to find conflicts.
 */
export function remappedTarget(
  application: ArgoApplication,
): string | undefined {
  return payloadNamespace(application) === application.metadata.namespace
    ? undefined
    : deliveryTarget(application);
}

/** The {@link deliveryTarget} of a work. */
export function workTarget(work: ManifestWork): string | undefined {
  const metadata = applicationManifest(work)?.metadata;
  return (
    metadata &&
    `${work.metadata.namespace}/${metadata.namespace}/${metadata.name}`
  );
}

/** An Application that competes for a delivery target. */
export interface TargetClaim {
  readonly application: ArgoApplication;
  /** Its work exists. */
  readonly delivered: boolean;
  /** The configuration allows its namespace the target. */
  readonly allowed: boolean;
}

/**
 * The Application that owns a target: the one already delivered, then one that the configuration allows, else the
 * oldest, else the first by name. One that was delivered before the configuration forbade it keeps what it has, since
 * two works of one object would overwrite each other.
 */
export function targetOwner(
  claims: readonly TargetClaim[],
): ArgoApplication | undefined {
  return [...claims].sort(byPrecedence)[0]?.application;
}

function byPrecedence(a: TargetClaim, b: TargetClaim): number {
  return (
    Number(b.delivered) - Number(a.delivered) ||
    Number(b.allowed) - Number(a.allowed) ||
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
