import { createHash } from 'node:crypto';
import type {
  ArgoApplication,
  ArgoApplicationSpec,
  ArgoSource,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationManifest, payloadApplication } from '../delivery';
import type { ComparedTo } from '../feedback';
import { isRecord, sameJson } from '../json';

/** What of an Application's spec Argo CD compares a cluster with; a change of anything else leaves a status as true as it was. */
export type ComparedSpec = Pick<
  ArgoApplicationSpec,
  'source' | 'sources' | 'destination'
> & { readonly sourceHydrator?: unknown; readonly ignoreDifferences?: unknown };

/** What a cluster has to compare with, if the hub Application's present spec is to be its status. */
export function desiredSpec(application: ArgoApplication): ComparedSpec {
  return comparedSpec(payloadApplication(application).spec);
}

/** Whether the work carries that to the cluster; a manifest that only observes carries nothing, and so nothing else either. */
export function carriesSpec(work: ManifestWork, wanted: ComparedSpec): boolean {
  const manifest = applicationManifest(work) as
    Partial<ArgoApplication> | undefined;
  return (
    manifest !== undefined &&
    (manifest.spec === undefined ||
      sameJson(comparedSpec(manifest.spec), wanted))
  );
}

/** Whether what the cluster says it compared with is what it was to compare with. */
export function isComparisonWith(
  compared: ComparedTo,
  wanted: ComparedSpec,
): boolean {
  const sources = wanted.sources?.length
    ? wanted.sources
    : [wanted.source].filter(source => source !== undefined);
  return (
    // With several sources, Argo CD leaves an empty one beside them.
    sameSources(
      compared.sources.filter(({ repoURL }) => repoURL),
      sources,
    ) &&
    sameDestination(compared.destination, wanted.destination ?? {}) &&
    // Argo CD leaves empty values out of what it compared with: then a difference means nothing.
    (compared.equalsSpec !== false || hasEmptyValue(wanted))
  );
}

/** Tells one spec from another; no secret. */
export function specFingerprint(wanted: ComparedSpec): string {
  return fingerprint(wanted);
}

/** Short, and the same for whatever order of keys. */
export function fingerprint(value: unknown): string {
  return createHash('sha1')
    .update(JSON.stringify(sorted(value)) ?? '')
    .digest('hex')
    .slice(0, 10);
}

function comparedSpec(spec: ArgoApplicationSpec): ComparedSpec {
  const { source, sources, sourceHydrator, destination, ignoreDifferences } =
    spec;
  return { source, sources, sourceHydrator, destination, ignoreDifferences };
}

/** By the fields that a digest has of them; Go leaves out what is empty. */
function sameSources(
  a: readonly ArgoSource[],
  b: readonly ArgoSource[],
): boolean {
  const fields = ({ repoURL, path, chart, targetRevision, ref }: ArgoSource) =>
    [repoURL, path, chart, targetRevision, ref].map(field => field || '');
  return sameJson(a.map(fields), b.map(fields));
}

/** Some versions of Argo CD add to a cluster's name the server that it found for it. */
function sameDestination(
  compared: ComparedTo['destination'],
  wanted: NonNullable<ComparedSpec['destination']>,
): boolean {
  const fields = [wanted.name ? 'name' : 'server', 'namespace'] as const;
  return fields.every(
    field => (compared[field] || '') === (wanted[field] || ''),
  );
}

function hasEmptyValue({ source, sources }: ComparedSpec): boolean {
  return [source, ...(sources ?? [])].some(holdsEmpty);
}

function holdsEmpty(value: unknown): boolean {
  const isEmpty = (inner: unknown) =>
    inner === '' ||
    inner === false ||
    inner === 0 ||
    inner === null ||
    (typeof inner === 'object' && Object.keys(inner).length === 0);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some(inner => isEmpty(inner) || holdsEmpty(inner))
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, inner]) => [key, sorted(inner)]),
      )
    : value;
}
