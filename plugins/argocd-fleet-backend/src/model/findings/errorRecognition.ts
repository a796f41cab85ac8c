import type {
  ApplicationCondition,
  ArgoApplicationSpec,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';
import { argocdFindings } from './argocdFindings';
import {
  OPERATION_ERRORS,
  readArgocdMessage,
  type ErrorPlace,
} from './argocdMessage';
import { clusterFindings } from './clusterFindings';
import { permissionFinding } from './permissionErrors';
import { refusalFindings } from './refusalFindings';

/** Makes a finding of an error; the match is that of its pattern. */
type Recogniser = (
  cluster: string,
  details: { evidence: string },
  match: RegExpExecArray,
) => Finding;

type Recognisers = readonly (readonly [RegExp, Recogniser])[];

// Of each list, the first match wins. Repetitions are bounded, so that no text takes more than linear time.

/** A server's answer says more than a failed connection. */
const REPOSITORY_ERRORS: Recognisers = [
  [
    /knownhosts: key (?:mismatch|is unknown)|host key verification failed/i,
    argocdFindings.hostKeyUnknown,
  ],
  [
    /server gave HTTP response to HTTPS client|first record does not look like a TLS handshake/i,
    argocdFindings.plainHttp,
  ],
  [/improper constraint: sha\d{3}:/i, argocdFindings.digestAsVersion],
  [
    /no cached repository for helm-manager-\w{1,100} found/,
    argocdFindings.dependencyUnreadable,
  ],
  [
    /authentication required|authorization failed|authentication failed|could not read username|permission denied \(publickey\)|repository not found|invalid credentials|unable to authenticate|\b40[13]:? (?:unauthorized|forbidden)|(?:returned error|status code|response code|response status|unexpected status)\D{1,40}40[13]\b/i,
    clusterFindings.repositoryDenied,
  ],
  [
    /unable to resolve .{0,250} to a commit|couldn't find remote ref|reference not found|unknown revision|app path does not exist|chart .{0,100}not found|no chart version found|invalid chart version|version .{0,100}not found|improper constraint/i,
    clusterFindings.revisionUnknown,
  ],
  [
    /dial tcp|no such host|i\/o timeout|connection (refused|reset|timed out)|tls handshake|x509:|context deadline exceeded|could not resolve host|network is unreachable|proxyconnect/i,
    clusterFindings.repositoryUnreachable,
  ],
];

/** Kinds that another server answers for: one that does not keeps Argo CD from reading the whole cluster. */
const LIVE_STATE_ERRORS: Recognisers = [
  [
    /conversion webhook for ([\w.-]{1,253}\/\w{1,63}), Kind=(\w{1,63}) failed(?:: Post "https:\/\/([a-z0-9-]{1,63})\.([a-z0-9-]{1,63})\.svc[:/?])?/,
    (cluster, details, [, version, kind, name, namespace]) =>
      argocdFindings.conversionFails(
        cluster,
        `${kind} (${version})`,
        name && namespace ? { name, namespace } : undefined,
        details,
      ),
  ],
  [
    /no endpoints available for service "([a-z0-9.-]{1,253})"|the server is currently unable to handle the request|unable to retrieve the complete list of server APIs/,
    (cluster, details, [, service]) =>
      argocdFindings.apiServiceSilent(cluster, service, details),
  ],
];

/** What an API server, or Argo CD in front of it, refuses. */
const REFUSALS: Recognisers = [
  [
    /resource ([\w.-]{0,253}):(\w{1,63}) is not permitted in project '?([\w.-]{1,253})/,
    (cluster, details, [, group, kind, project]) =>
      refusalFindings.notPermitted(
        cluster,
        group ? `${kind} (${group})` : kind,
        project,
        details,
      ),
  ],
  [
    /(namespace [\w.-]{1,63}) is not permitted in project '?([\w.-]{1,253})/,
    (cluster, details, [, namespace, project]) =>
      refusalFindings.notPermitted(cluster, namespace, project, details),
  ],
  [
    /The Kubernetes API could not find (?:version "[^"]{1,63}" of )?([\w.-]{0,253}\/\w{1,63}) for requested resource/,
    (cluster, details, [, kind]) =>
      refusalFindings.kindUnknown(cluster, kind, details),
  ],
  [
    /no matches for kind "(\w{1,63})" in version "([\w./-]{1,253})"/,
    (cluster, details, [, kind, version]) =>
      refusalFindings.kindUnknown(cluster, `${version}/${kind}`, details),
  ],
  [
    /failed calling webhook "([\w.-]{1,253})"/,
    (cluster, details, [, webhook]) =>
      refusalFindings.webhookSilent(cluster, webhook, details),
  ],
  [
    /(?:admission webhook "|ValidatingAdmissionPolicy ')([\w.-]{1,253})["'](?: with binding '[\w.-]{1,253}')? denied/,
    (cluster, details, [, policy]) =>
      refusalFindings.deniedByPolicy(cluster, policy, details),
  ],
  [/metadata\.annotations: Too long/, refusalFindings.annotationTooLong],
  [
    /metadata\.labels: Invalid value: "[^"]{0,1000}": must be no more than 63 (?:characters|bytes)/,
    refusalFindings.labelTooLong,
  ],
  [
    /exceeded quota: ([\w.-]{1,253})/,
    (cluster, details, [, quota]) =>
      refusalFindings.quotaExceeded(cluster, quota, details),
  ],
  [
    /namespaces "([a-z0-9-]{1,63})" not found/,
    (cluster, details, [, namespace]) =>
      refusalFindings.namespaceAbsent(cluster, namespace, details),
  ],
  [
    /field is immutable|updates to \w{1,63} spec for fields other than|spec is immutable after creation|cannot change roleRef/i,
    refusalFindings.fieldImmutable,
  ],
  [/Apply failed with \d{1,9} conflicts?:/, refusalFindings.fieldConflict],
  [
    /no matching service account found for destination server/,
    refusalFindings.serviceAccountMissing,
  ],
  [/Shared resource found: /, refusalFindings.resourceShared],
];

const WORKLOAD_ERRORS: Recognisers = [
  [
    /ImagePullBackOff|ErrImagePull|InvalidImageName|Back-off pulling image|failed to pull image/i,
    clusterFindings.imagePull,
  ],
  [
    // The kubelet names the delay in the status of a container, and not in an event.
    /CrashLoopBackOff|back-off (?:[\w.]{1,20} )?restarting failed container/i,
    clusterFindings.crashLoop,
  ],
];

/** Argo CD's message of a namespaced resource. */
const NAMESPACE_MISSING = /^Namespace for .{1,1000} is missing\.?$/;
const REPOSITORY_OF_SPEC = /^repositor(?:y|ies) (?:is )?not accessible/;
const NAMED_TWICE =
  /there are \d{1,6} clusters with the same name: \[([^\]]{1,4096})\]/;

/** Conditions about a comparison, which no tenant words. */
const COMPARISON_ERRORS = ['ComparisonError', 'UnknownError'];
/** Conditions with which Argo CD stops before it compares. */
const UNCOMPARED = ['InvalidSpecError', 'UnknownError'];
const CLUSTER_PLACES: readonly ErrorPlace[] = ['repoServer', 'liveState'];

/** What is known of the Argo CD whose texts are recognised. */
export interface ArgocdFacts {
  /** As configured; where it is not given, no account is taken for Argo CD's. */
  readonly argocdNamespace?: string;
  /** Push model: the cluster Secrets with the name of the destination, where that is the name of several. */
  readonly namesakes?: () => readonly NamespacedName[];
}

/** What the recognition of an error's text is told besides. */
interface Context extends ArgocdFacts {
  /** That Argo CD's account lacks a permission, if any of the Application's errors says so. */
  readonly denied: Finding | undefined;
}

/**
 * Why Argo CD could not sync the cluster with Git; undefined where nothing reports an error. What keeps it from comparing
 * now comes before the errors of the last operation, which may be of an earlier revision.
 */
export function syncFinding(
  cluster: string,
  state: ApplicationState,
  argocd: ArgocdFacts,
): Finding | undefined {
  const errors = state.conditions.filter(
    ({ type }) => type.endsWith('Error') && type !== 'DeletionError',
  );
  const ofOperation = errors.filter(({ type }) =>
    OPERATION_ERRORS.includes(type),
  );
  const applying = [
    ...state.failedResources.flatMap(({ message }) => message ?? []),
    ...ofOperation.map(({ message }) => message),
  ];
  const denied = permissionFinding(cluster, state, argocd.argocdNamespace);
  const causesIn = (conditions: readonly ApplicationCondition[]) =>
    conditions.flatMap(
      each => comparisonFinding(cluster, each, { ...argocd, denied }) ?? [],
    );
  const [finding] = [
    ...causesIn(errors.filter(each => !ofOperation.includes(each))),
    ...(denied ? [denied] : []),
    ...applying.flatMap(
      evidence => recognise(REFUSALS, cluster, evidence) ?? [],
    ),
    ...causesIn(ofOperation),
    ...applying.map(evidence =>
      clusterFindings.syncFailed(cluster, { evidence }),
    ),
  ];
  return finding;
}

/**
 * Why Argo CD cannot compare, or does not accept the Application, whatever became of its operations: it may still be in
 * sync as far as was known. Undefined where nothing reports that.
 */
export function presentErrorFinding(
  cluster: string,
  state: ApplicationState,
  argocd: ArgocdFacts,
): Finding | undefined {
  const conditions = state.conditions.filter(
    ({ type }) => !OPERATION_ERRORS.includes(type),
  );
  return conditions.length > 0
    ? syncFinding(
        cluster,
        { ...state, conditions, failedResources: [] },
        argocd,
      )
    : undefined;
}

/** Why Argo CD does not even compare the Application; undefined where it does. */
export function rejectionFinding(
  cluster: string,
  state: ApplicationState,
  argocd: ArgocdFacts,
): Finding | undefined {
  const conditions = state.conditions.filter(({ type }) =>
    UNCOMPARED.includes(type),
  );
  return presentErrorFinding(cluster, { ...state, conditions }, argocd);
}

/** Whether a condition is about the whole cluster, whichever Application has it. */
export function isClusterFault({
  type,
  message,
}: ApplicationCondition): boolean {
  return (
    COMPARISON_ERRORS.includes(type) &&
    CLUSTER_PLACES.includes(readArgocdMessage(message).place)
  );
}

/** Such a condition as a finding of the cluster, which shows nothing of the Application that has it. */
export function clusterFault(
  cluster: string,
  { message }: ApplicationCondition,
): Finding {
  const { evidence: _evidence, ...finding } =
    readArgocdMessage(message).place === 'repoServer'
      ? argocdFindings.repoServerSilent(cluster)
      : liveStateFinding(cluster, message);
  return finding;
}

function liveStateFinding(cluster: string, evidence: string): Finding {
  return (
    recognise(LIVE_STATE_ERRORS, cluster, evidence) ??
    argocdFindings.liveStateUnreadable(cluster, { evidence })
  );
}

/** Why the Application could not be compared; undefined for an error of applying. */
function comparisonFinding(
  cluster: string,
  { type, message: evidence }: ApplicationCondition,
  context: Context,
): Finding | undefined {
  const { place, text } = readArgocdMessage(evidence);
  switch (place) {
    case 'repoServer':
      return argocdFindings.repoServerSilent(cluster, { evidence });
    case 'liveState':
      return context.denied ?? liveStateFinding(cluster, evidence);
    case 'repository':
    case 'tool':
      return (
        recognise(REPOSITORY_ERRORS, cluster, evidence, text) ??
        clusterFindings.comparisonFailed(cluster, { evidence })
      );
    default:
      return OPERATION_ERRORS.includes(type)
        ? undefined
        : otherFinding(cluster, { type, message: evidence }, context);
  }
}

/** Of a message that does not say where the error arose, by the type of its condition. */
function otherFinding(
  cluster: string,
  { type, message: evidence }: ApplicationCondition,
  { argocdNamespace, namesakes }: Context,
): Finding {
  const servers = NAMED_TWICE.exec(evidence)?.[1].split(' ');
  if (servers) {
    return argocdFindings.clusterNamedTwice(
      cluster,
      { servers, secrets: namesakes?.() ?? [], argocdNamespace },
      { evidence },
    );
  }
  if (type === 'UnknownError') {
    return argocdFindings.internalError(cluster, { evidence });
  }
  if (type !== 'InvalidSpecError') {
    return clusterFindings.comparisonFailed(cluster, { evidence });
  }
  if (NAMESPACE_MISSING.test(evidence)) {
    return clusterFindings.namespaceMissing(cluster, { evidence });
  }
  const ofRepository = REPOSITORY_OF_SPEC.test(evidence)
    ? recognise(REPOSITORY_ERRORS, cluster, evidence)
    : undefined;
  return ofRepository ?? clusterFindings.invalidSpec(cluster, { evidence });
}

/**
 * That the Application is being deleted where Argo CD reconciles it, or that Argo CD fails to; undefined where it is not.
 */
export function deletionFinding(
  cluster: string,
  { deletion, conditions }: ApplicationState,
): Finding | undefined {
  const failed = conditions.find(({ type }) => type === 'DeletionError');
  if (failed) {
    return argocdFindings.deletionFailed(
      cluster,
      deletion ?? { finalizers: [] },
      { evidence: failed.message },
    );
  }
  return deletion && argocdFindings.deletionPending(cluster, deletion);
}

/** That the source hydrator could not render what is wanted. */
export function hydrationFinding(
  cluster: string,
  { hydration }: ApplicationState,
): Finding | undefined {
  return hydration?.phase === 'Failed'
    ? argocdFindings.hydrationFailed(
        cluster,
        hydration,
        hydration.message ? { evidence: hydration.message } : {},
      )
    : undefined;
}

/**
 * That the source hydrator has rendered what an external process has to move to the branch that is synced, and that
 * nothing was moved there since. Only where the last sync was of what is compared with now: otherwise the branch may
 * have moved by a merge, whose commit is another one.
 */
export function promotionFinding(
  cluster: string,
  { hydration, history, sync, revision }: ApplicationState,
  spec: ArgoApplicationSpec,
): Finding | undefined {
  const { hydrateTo, syncSource } = (spec.sourceHydrator ?? {}) as {
    readonly hydrateTo?: { readonly targetBranch?: string };
    readonly syncSource?: { readonly targetBranch?: string };
  };
  const { phase, startedAt, hydratedRevision, equalsSpec } = hydration ?? {};
  const [last] = history;
  return hydrateTo?.targetBranch &&
    syncSource?.targetBranch &&
    sync === 'Synced' &&
    phase === 'Hydrated' &&
    equalsSpec &&
    hydratedRevision &&
    startedAt &&
    last?.deployedAt &&
    revision &&
    revision === last.revision &&
    revision !== hydratedRevision &&
    last.deployedAt < startedAt
    ? argocdFindings.promotionAwaited(cluster, {
        revision,
        hydratedRevision,
        from: hydrateTo.targetBranch,
        to: syncSource.targetBranch,
      })
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

function recognise(
  recognisers: Recognisers,
  cluster: string,
  evidence: string,
  text = evidence,
): Finding | undefined {
  for (const [pattern, finding] of recognisers) {
    const match = pattern.exec(text);
    if (match) {
      return finding(cluster, { evidence }, match);
    }
  }
  return undefined;
}
