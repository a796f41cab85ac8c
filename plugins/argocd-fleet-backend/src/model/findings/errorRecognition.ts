import type {
  ApplicationCondition,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';
import { clusterFindings } from './clusterFindings';
import { permissionFinding, RENDERING_ERROR } from './permissionErrors';

type Recogniser = (cluster: string, details: { evidence: string }) => Finding;

/**
 * The first match wins: a server's answer says more than a failed connection. Repetitions are bounded, so that no text
 * takes more than linear time.
 */
const REPOSITORY_ERRORS: readonly [RegExp, Recogniser][] = [
  [
    /authentication required|authorization failed|authentication failed|could not read username|permission denied \(publickey\)|repository not found|invalid credentials|\b401\b|\b403\b|unable to authenticate/i,
    clusterFindings.repositoryDenied,
  ],
  [
    /unable to resolve .{0,250} to a commit|couldn't find remote ref|reference not found|unknown revision|app path does not exist|chart .{0,100}not found|no chart version found|invalid chart version|version .{0,100}not found/i,
    clusterFindings.revisionUnknown,
  ],
  [
    /dial tcp|no such host|i\/o timeout|connection (refused|reset|timed out)|tls handshake|x509:|context deadline exceeded|deadlineexceeded|could not resolve host|network is unreachable|proxyconnect/i,
    clusterFindings.repositoryUnreachable,
  ],
];

/** Argo CD's message of a namespaced resource. */
const NAMESPACE_MISSING = /^Namespace for .{1,1000} is missing\.?$/;

const WORKLOAD_ERRORS: readonly [RegExp, Recogniser][] = [
  [
    /ImagePullBackOff|ErrImagePull|InvalidImageName|Back-off pulling image|failed to pull image/i,
    clusterFindings.imagePull,
  ],
  [
    /CrashLoopBackOff|Back-off restarting failed container/i,
    clusterFindings.crashLoop,
  ],
];

/**
 * Why Argo CD could not sync the cluster with Git; undefined where nothing reports an error.
 * @param argocdNamespace - as configured; where it is not given, no account is taken for Argo CD's
 */
export function syncFinding(
  cluster: string,
  state: ApplicationState,
  argocdNamespace: string | undefined,
): Finding | undefined {
  const errors = state.conditions.filter(({ type }) => type.endsWith('Error'));
  const texts = [
    ...state.failedResources.flatMap(({ message }) => message ?? []),
    ...errors.map(({ message }) => message),
  ];
  const denied = permissionFinding(cluster, state, argocdNamespace);
  if (denied) {
    return denied;
  }
  const [rendering] = errors.flatMap(
    condition => renderingFinding(cluster, condition) ?? [],
  );
  if (rendering) {
    return rendering;
  }
  return texts.length > 0
    ? clusterFindings.syncFailed(cluster, { evidence: texts[0] })
    : undefined;
}

/**
 * Why the Application is not healthy on the cluster although it is in sync; undefined where nothing reports a reason.
 */
export function workloadFinding(
  cluster: string,
  state: ApplicationState,
): Finding | undefined {
  const unhealthy = state.resources
    .filter(({ health = 'Healthy' }) => health !== 'Healthy')
    .map(resource => ({
      resource,
      evidence: `${resource.kind} ${resource.name}: ${resource.message ?? resource.health}`,
    }));
  for (const { evidence } of unhealthy) {
    const found = recognise(WORKLOAD_ERRORS, cluster, evidence);
    if (found) {
      return found;
    }
  }
  const first = unhealthy.find(
    ({ resource }) => resource.health === state.health,
  );
  const details = first ? { evidence: first.evidence } : {};
  switch (state.health) {
    case 'Degraded':
      return clusterFindings.degraded(
        cluster,
        details,
        state.healthHidden,
        first?.resource,
      );
    case 'Missing':
      return clusterFindings.missing(cluster, details);
    case 'Suspended':
      return clusterFindings.suspended(cluster, details, first?.resource);
    default:
      return undefined;
  }
}

/** Why the work agent could not apply the Application. */
export function applyFinding(
  cluster: string,
  evidence: string,
  work: { readonly namespace?: string; readonly name: string },
): Finding {
  return /no matches for kind|could not find the requested resource|no match for|resource mapping not found/i.test(
    evidence,
  )
    ? clusterFindings.noArgoCd(cluster, { evidence })
    : clusterFindings.notApplied(cluster, {
        evidence,
        object: { kind: 'ManifestWork', ...work },
      });
}

function renderingFinding(
  cluster: string,
  { type, message: evidence }: ApplicationCondition,
): Finding | undefined {
  const rendering =
    type === 'ComparisonError' || RENDERING_ERROR.test(evidence);
  const repository =
    rendering && recognise(REPOSITORY_ERRORS, cluster, evidence);
  if (repository) {
    return repository;
  }
  switch (type) {
    case 'ComparisonError':
      return clusterFindings.comparisonFailed(cluster, { evidence });
    case 'InvalidSpecError':
      if (NAMESPACE_MISSING.test(evidence)) {
        return clusterFindings.namespaceMissing(cluster, { evidence });
      }
      return clusterFindings.invalidSpec(cluster, { evidence });
    default:
      return undefined;
  }
}

function recognise(
  errors: readonly [RegExp, Recogniser][],
  cluster: string,
  evidence: string,
): Finding | undefined {
  const found = errors.find(([pattern]) => pattern.test(evidence));
  return found?.[1](cluster, { evidence });
}
