import {
  isNamespaceName,
  isObjectName,
  type ApplicationCondition,
  type Finding,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';
import { clusterFindings } from './clusterFindings';
import type { DeniedRights } from './deniedRights';

/** An API server's message that an account lacks a permission; quotes are escaped where one program quotes another. */
const FORBIDDEN =
  /is forbidden: User \\?"system:serviceaccount:([^:"\\\s]+):([^:"\\\s]+)\\?" cannot (\S+) resource \\?"([^"\\\s]+)\\?"(?: in API group \\?"[^"\\\s]*\\?" in the namespace \\?"([^"\\\s]+)\\?")?/g;

/** A verb, or the plural name of a resource with its subresource. */
const PLAIN_WORD = /^[a-z][a-z0-9-]{0,62}(\/[a-z]{1,62})?$/;

/** Name that the operators and Helm charts of Argo CD give to the account that syncs. */
const CONTROLLER = /(^|-)argocd-application-controller$/;

/** Conditions about applying; `OperationError` is the operation's own message where no condition repeats it. */
const APPLYING = ['SyncError', 'OperationError'];

/** Repository errors come from rendering; the same words in a sync's error are about the cluster. */
const RENDERING =
  /ComparisonError|failed to (load target state|generate manifest|list refs|fetch|get git client|initialize repository)|rpc error|repositor(y|ies) (is )?not accessible|unable to resolve|app path does not exist/i;

type Recogniser = (cluster: string, details: { evidence: string }) => Finding;

/** The first match wins: a server's answer says more than a failed connection. */
const REPOSITORY_ERRORS: readonly [RegExp, Recogniser][] = [
  [
    /authentication required|authorization failed|authentication failed|could not read username|permission denied \(publickey\)|repository not found|invalid credentials|\b401\b|\b403\b|unable to authenticate/i,
    clusterFindings.repositoryDenied,
  ],
  [
    /unable to resolve .* to a commit|couldn't find remote ref|reference not found|unknown revision|app path does not exist|chart .*not found|no chart version found|invalid chart version|version .*not found/i,
    clusterFindings.revisionUnknown,
  ],
  [
    /dial tcp|no such host|i\/o timeout|connection (refused|reset|timed out)|tls handshake|x509:|context deadline exceeded|deadlineexceeded|could not resolve host|network is unreachable|proxyconnect/i,
    clusterFindings.repositoryUnreachable,
  ],
];

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

/** Why Argo CD could not sync the cluster with Git; undefined where nothing reports an error. */
export function syncFinding(
  cluster: string,
  state: ApplicationState,
): Finding | undefined {
  const errors = state.conditions.filter(({ type }) => type.endsWith('Error'));
  const texts = [
    ...state.failedResources.flatMap(({ message }) => message ?? []),
    ...errors.map(({ message }) => message),
  ];
  const denied = deniedFinding(cluster, state);
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
      return clusterFindings.degraded(cluster, details, state.healthHidden);
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
  const rendering = type === 'ComparisonError' || RENDERING.test(evidence);
  const repository =
    rendering && recognise(REPOSITORY_ERRORS, cluster, evidence);
  if (repository) {
    return repository;
  }
  switch (type) {
    case 'ComparisonError':
      return clusterFindings.comparisonFailed(cluster, { evidence });
    case 'InvalidSpecError':
      return clusterFindings.invalidSpec(cluster, { evidence });
    default:
      return undefined;
  }
}

interface Denial extends Pick<DeniedRights, 'account' | 'verb'> {
  readonly kind: string;
  readonly namespace?: string;
  readonly evidence: string;
}

/** All denials of one verb to one account are one finding. */
function deniedFinding(
  cluster: string,
  state: ApplicationState,
): Finding | undefined {
  const denials = applyingTexts(state).flatMap(denialsIn);
  const [first] = denials;
  if (!first) {
    return undefined;
  }
  const { account, verb, evidence } = first;
  const same = denials.filter(
    denial =>
      denial.verb === verb &&
      denial.account.name === account.name &&
      denial.account.namespace === account.namespace,
  );
  const namespaces = same.map(({ namespace }) => namespace ?? '');
  return clusterFindings.forbidden(
    {
      cluster,
      verb,
      kinds: [...new Set(same.map(({ kind }) => kind))],
      namespaces: namespaces.includes('') ? [] : [...new Set(namespaces)],
      account,
      trusted: isArgoCdAccount(account, state),
    },
    { evidence },
  );
}

/** Messages about rendering are left out: a chart can word its errors as it likes. */
function applyingTexts(state: ApplicationState): string[] {
  return [
    ...state.failedResources.flatMap(({ message }) => message ?? []),
    ...state.conditions
      .filter(
        ({ type, message }) =>
          APPLYING.includes(type) && !RENDERING.test(message),
      )
      .map(({ message }) => message),
  ];
}

/** A message with names that Kubernetes does not allow is not from an API server. */
function denialsIn(evidence: string): Denial[] {
  return [...evidence.matchAll(FORBIDDEN)].flatMap(
    ([, accountNamespace, name, verb, kind, namespace]) => {
      const isPlain =
        isNamespaceName(accountNamespace) &&
        isObjectName(name) &&
        PLAIN_WORD.test(verb) &&
        PLAIN_WORD.test(kind) &&
        (namespace === undefined || isNamespaceName(namespace));
      const account = { namespace: accountNamespace, name };
      return isPlain ? [{ account, verb, kind, namespace, evidence }] : [];
    },
  );
}

/**
 * The name alone does not prove it: in the namespaces that the Application deploys to, its tenant can create accounts
 * of any name, and have a failing hook print the message of an API server.
 */
function isArgoCdAccount(
  account: DeniedRights['account'],
  state: ApplicationState,
): boolean {
  const deployedTo = [
    state.comparedTo?.destination.namespace,
    ...[...state.resources, ...state.failedResources].map(
      ({ namespace }) => namespace,
    ),
  ];
  return (
    CONTROLLER.test(account.name) && !deployedTo.includes(account.namespace)
  );
}

function recognise(
  errors: readonly [RegExp, Recogniser][],
  cluster: string,
  evidence: string,
): Finding | undefined {
  const found = errors.find(([pattern]) => pattern.test(evidence));
  return found?.[1](cluster, { evidence });
}
