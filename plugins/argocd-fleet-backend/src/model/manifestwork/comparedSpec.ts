import { hash } from 'node:crypto';
import type {
  ArgoApplication,
  ArgoApplicationSpec,
  ArgoSource,
  Hydration,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationManifest,
  getsDefaultNamespace,
  payloadApplication,
} from '../delivery';
import type { ComparedTo } from '../feedback';
import { isRecord, sameJson } from '../json';

/** The fields of an Application's spec that decide its sync status: a reported status stays valid if others change. */
export type ComparedSpec = Pick<
  ArgoApplicationSpec,
  'source' | 'sources' | 'destination'
> & { readonly sourceHydrator?: unknown; readonly ignoreDifferences?: unknown };

/** The part of Argo CD's source hydrator that says what is compared. */
interface ArgoSourceHydrator {
  readonly drySource?: { readonly repoURL?: string };
  readonly syncSource?: {
    /** That of the dry source by default. */
    readonly repoURL?: string;
    readonly path?: string;
    readonly targetBranch?: string;
  };
}

/**
 * The spec that the cluster must have compared with for its status to belong to the hub Application's current spec.
 * @param work - the existing work: its destination may keep another namespace than the configured one
 * @param defaultNamespace - as configured, `defaultDestinationNamespace`
 */
export function desiredSpec(
  application: ArgoApplication,
  work: ManifestWork | undefined,
  defaultNamespace: boolean,
): ComparedSpec {
  const isFilled = getsDefaultNamespace(
    application,
    work && applicationManifest(work),
    defaultNamespace,
  );
  return comparedSpec(payloadApplication(application, isFilled).spec);
}

/** Whether the work delivers that spec; true also for a manifest without spec, which only observes. */
export function carriesSpec(
  work: ManifestWork,
  desired: ComparedSpec,
): boolean {
  const manifest = applicationManifest(work) as
    Partial<ArgoApplication> | undefined;
  return (
    manifest !== undefined &&
    (manifest.spec === undefined ||
      sameJson(comparedSpec(manifest.spec), desired))
  );
}

/** Whether the cluster compared with the desired spec, as far as its report contains it. */
export function isComparisonWith(
  compared: ComparedTo,
  desired: ComparedSpec,
): boolean {
  return (
    // With several sources, Argo CD adds an empty single one.
    sameSources(
      compared.sources.filter(({ repoURL }) => repoURL),
      wantedSources(desired),
    ) &&
    sameDestination(compared.destination, desired.destination ?? {}) &&
    // Argo CD omits empty values in `comparedTo`, so a difference to a spec with empty values means nothing. With a source
    // hydrator, the spec has no source that the digest of an older rule could have found equal.
    (compared.equalsSpec !== false ||
      desired.sourceHydrator !== undefined ||
      hasEmptyValue(desired))
  );
}

/** Whether the source hydrator has rendered the desired dry source; true where it has not reported anything. */
export function isHydrationOf(
  hydration: Hydration | undefined,
  { sourceHydrator }: ComparedSpec,
): boolean {
  return (
    sourceHydrator === undefined ||
    (hydration?.equalsSpec ?? true) ||
    containsEmpty(sourceHydrator)
  );
}

/**
 * The sources that a spec wants to run; with a source hydrator, the branch that it writes the hydrated manifests to,
 * which is what Argo CD compares with.
 */
export function wantedSources({
  source,
  sources,
  sourceHydrator,
}: ComparedSpec): readonly ArgoSource[] {
  if (sources?.length) {
    return sources;
  }
  const { drySource, syncSource } = isRecord(sourceHydrator)
    ? (sourceHydrator as ArgoSourceHydrator)
    : {};
  if (drySource && syncSource) {
    return [
      {
        repoURL: syncSource.repoURL || (drySource.repoURL ?? ''),
        path: syncSource.path,
        targetRevision: syncSource.targetBranch,
      },
    ];
  }
  return source ? [source] : [];
}

/** A short hash of a JSON value, independent of the order of keys; not for secrets. */
export function fingerprint(value: unknown): string {
  return hash('sha1', JSON.stringify(sortKeys(value)) ?? '', 'hex').slice(
    0,
    10,
  );
}

function comparedSpec(spec: ArgoApplicationSpec): ComparedSpec {
  const { source, sources, sourceHydrator, destination, ignoreDifferences } =
    spec;
  return { source, sources, sourceHydrator, destination, ignoreDifferences };
}

/** Compares the fields of sources that the digest contains; Go omits empty values. */
function sameSources(
  a: readonly ArgoSource[],
  b: readonly ArgoSource[],
): boolean {
  const fields = ({ repoURL, path, chart, targetRevision, ref }: ArgoSource) =>
    [repoURL, path, chart, targetRevision, ref].map(field => field || '');
  return sameJson(a.map(fields), b.map(fields));
}

/** Some versions of Argo CD add the server to a destination with a cluster name, so it is not compared then. */
function sameDestination(
  compared: ComparedTo['destination'],
  desired: NonNullable<ComparedSpec['destination']>,
): boolean {
  const fields = [desired.name ? 'name' : 'server', 'namespace'] as const;
  return fields.every(
    field => (compared[field] || '') === (desired[field] || ''),
  );
}

function hasEmptyValue({ source, sources }: ComparedSpec): boolean {
  return [source, ...(sources ?? [])].some(containsEmpty);
}

function containsEmpty(value: unknown): boolean {
  const isEmpty = (inner: unknown) =>
    inner === '' ||
    inner === false ||
    inner === 0 ||
    inner === null ||
    (typeof inner === 'object' && Object.keys(inner).length === 0);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some(inner => isEmpty(inner) || containsEmpty(inner))
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortKeys);
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sortKeys(inner)]),
      )
    : value;
}
