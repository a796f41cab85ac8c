import { isDeepStrictEqual } from 'node:util';
import { ClusterStore } from './clusterStore';
import { resourceTypeOf } from './resourceTypes';
import {
  Application,
  ApplicationSource,
  sourcesOf,
  SyncOperation,
} from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';
import { KubeObject } from '../kubernetes/objects';
import { matchesName } from '../kubernetes/namePattern';
import { Fault, Scenario, WorkloadResource } from '../scenario/schema';
import {
  DeployedResource,
  LiveEnvironment,
  KINDS_WITH_HEALTH,
  BlockingCondition,
} from './environment';
import { GitSources } from './gitSources';
import { resolveRevision } from './resolveRevision';
import { isRollout, rolloutHealth, ROLLOUTS } from './rollouts';

/**
 * The environment of a cluster's Argo CD from the workloads and faults of a scenario, and from the repositories of a Git server.
 */
export function createScenarioEnvironment(
  scenario: Scenario,
  store: ClusterStore,
  git?: GitSources,
): LiveEnvironment {
  const { clusterName } = store;
  const faultsOf = <T extends Fault['type']>(
    applicationName: string,
    type: T,
  ): Extract<Fault, { type: T }>[] =>
    scenario.faults.filter(
      (fault): fault is Extract<Fault, { type: T }> =>
        fault.type === type &&
        matchesName(fault.clusters, clusterName) &&
        matchesName(fault.applications, applicationName),
    );

  function liveHealth(resource: DeployedResource) {
    const { name, namespace } = resource;
    const rollout = isRollout(resource)
      ? store.get({ ...ROLLOUTS, namespace, name })
      : undefined;
    return rollout && rolloutHealth(rollout);
  }

  return {
    blockingCondition(application) {
      const [unreachable] = faultsOf(
        application.metadata.name,
        'repositoryUnreachable',
      );
      return (
        projectError(application, scenario, store) ??
        sourcesOf(application.spec)
          .map((source, index, { length }) =>
            sourceError(
              source,
              unreachable?.message,
              scenario,
              git,
              `${index + 1} of ${length}`,
            ),
          )
          .find(found => found !== undefined)
      );
    },
    unknownRevision({ spec }, operation) {
      const unknown = sourcesOf(spec)
        .map((source, index) => ({
          source,
          revision: revisionIn(operation, index),
        }))
        .find(
          ({ source, revision }) =>
            revision &&
            (git?.has(source)
              ? !git.commit(source, revision)
              : scenario.repositories.unknownRevisions.includes(revision)),
        );
      return unknown?.revision && unresolvedMessage(unknown.revision);
    },
    resources: (application, operation) =>
      sourcesOf(application.spec).flatMap((source, index) =>
        workloadOf(source, scenario, git, revisionIn(operation, index)).map(
          resource => deployed(resource, application),
        ),
      ),
    commit: (source, revision) =>
      git?.commit(source, revision) ?? resolveRevision(source, revision),
    hasNewCommit({ spec, status }) {
      const { revision, revisions = [revision] } = status?.sync ?? {};
      return sourcesOf(spec).some(
        (source, index) =>
          git?.has(source) && git.commit(source) !== revisions[index],
      );
    },
    refusal(application, resource) {
      const forbidden = faultsOf(application.metadata.name, 'forbidden').some(
        ({ kinds, unlessBoundTo }) =>
          kinds.includes(resource.kind) &&
          !isBound(store, scenario.argocd, unlessBoundTo) &&
          !isPermittedIn(resource.namespace, store, scenario.argocd),
      );
      return forbidden
        ? forbiddenMessage(resource, scenario.argocd)
        : undefined;
    },
    liveHealth,
    rolloutFailure: applicationName =>
      faultsOf(applicationName, 'degraded').find(
        ({ kind }) => kind === 'Rollout',
      )?.message,
    health(application, resource) {
      const { kind } = resource;
      const { name } = application.metadata;
      const live = liveHealth(resource);
      if (live) {
        return live;
      }
      const [degraded] = faultsOf(name, 'degraded').filter(
        fault => fault.kind === kind,
      );
      if (degraded) {
        return { status: 'Degraded', message: degraded.message };
      }
      const [suspended] = faultsOf(name, 'suspended').filter(
        fault => fault.kind === kind,
      );
      if (suspended) {
        return { status: 'Suspended', message: suspended.message };
      }
      return KINDS_WITH_HEALTH.includes(kind)
        ? { status: 'Healthy' }
        : undefined;
    },
  };
}

function projectError(
  { spec }: Application,
  { argocd }: Scenario,
  store: ClusterStore,
): BlockingCondition | undefined {
  const project = spec?.project || 'default';
  const known =
    project === 'default' ||
    store.get({
      group: 'argoproj.io',
      resource: 'appprojects',
      namespace: argocd.namespace,
      name: project,
    });
  return known
    ? undefined
    : {
        type: 'InvalidSpecError',
        message: `Application referencing project ${project} which does not exist`,
      };
}

function sourceError(
  source: ApplicationSource,
  unreachable: string | undefined,
  { repositories }: Scenario,
  git: GitSources | undefined,
  position: string,
): BlockingCondition | undefined {
  const { targetRevision = 'HEAD', path = '' } = source;
  let cause: string | undefined;
  if (unreachable) {
    cause = unreachable;
  } else if (git?.has(source)) {
    const workload = git.workload(source);
    cause = typeof workload === 'string' ? workload : undefined;
  } else if (repositories.unknownRevisions.includes(targetRevision)) {
    cause = unresolvedMessage(targetRevision);
  } else if (repositories.unknownPaths.includes(path)) {
    cause = `${path}: app path does not exist`;
  }
  return cause === undefined
    ? undefined
    : {
        type: 'ComparisonError',
        message: `Failed to load target state: failed to generate manifest for source ${position}: rpc error: code = Unknown desc = ${cause}`,
      };
}

function unresolvedMessage(revision: string): string {
  return `unable to resolve '${revision}' to a commit SHA`;
}

/** The revision that an operation syncs a source to; undefined for that of the source itself. */
function revisionIn(operation: SyncOperation | undefined, index: number) {
  const { revision, revisions } = operation?.sync ?? {};
  return (revisions ?? [revision])[index] || undefined;
}

/** The resources that a source deploys; where nothing defines them, a Service and a Deployment. */
function workloadOf(
  source: ApplicationSource,
  { workloads }: Scenario,
  git: GitSources | undefined,
  revision: string | undefined,
): readonly WorkloadResource[] {
  if (git?.has(source)) {
    const found = git.workload(source, revision);
    return typeof found === 'string' ? [] : found;
  }
  const path = source.path ?? source.chart ?? '';
  const known = workloads.find(
    workload =>
      workload.path === path &&
      (!workload.repoURL || workload.repoURL === source.repoURL),
  );
  if (known) {
    return known.resources;
  }
  const last = path.split('/').filter(Boolean).at(-1) ?? 'app';
  const name = last.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  const image = `registry.example.com/${name}:${source.targetRevision ?? 'latest'}`;
  const common = { version: 'v1', name, namespace: undefined };
  return [
    { ...common, group: '', kind: 'Service', images: [] },
    { ...common, group: 'apps', kind: 'Deployment', images: [image] },
  ];
}

function deployed(
  resource: WorkloadResource,
  { spec }: Application,
): DeployedResource {
  return {
    ...resource,
    namespace: resource.namespace ?? spec?.destination?.namespace ?? 'default',
  };
}

function forbiddenMessage(
  { group, kind, namespace }: DeployedResource,
  argocd: Scenario['argocd'],
): string {
  const plural =
    resourceTypeOf(group, kind)?.resource ?? `${kind.toLowerCase()}s`;
  const qualified = group ? `${plural}.${group}` : plural;
  return `${qualified} is forbidden: User "system:serviceaccount:${argocd.namespace}:${argocd.serviceAccount}" cannot create resource "${plural}" in API group "${group}" in the namespace "${namespace}"`;
}

/** Whether a ClusterRoleBinding on the cluster binds Argo CD's service account to the role. */
function isBound(
  store: ClusterStore,
  argocd: Scenario['argocd'],
  role: string,
): boolean {
  return store
    .list('rbac.authorization.k8s.io', 'clusterrolebindings')
    .some(binding => binds(binding, argocd, 'ClusterRole', role));
}

/** Whether a RoleBinding in a namespace binds Argo CD's service account to a Role that permits everything there. */
function isPermittedIn(
  namespace: string,
  store: ClusterStore,
  argocd: Scenario['argocd'],
): boolean {
  const inNamespace = (resource: string) =>
    store
      .list('rbac.authorization.k8s.io', resource)
      .filter(({ metadata }) => metadata.namespace === namespace);
  const bindings = inNamespace('rolebindings');
  return inNamespace('roles')
    .filter(permitsEverything)
    .some(({ metadata }) =>
      bindings.some(each => binds(each, argocd, 'Role', metadata.name)),
    );
}

function permitsEverything({ rules }: KubeObject & { rules?: unknown }) {
  return (
    Array.isArray(rules) &&
    rules.some(rule =>
      ['apiGroups', 'resources', 'verbs'].every(
        key => isJsonObject(rule) && isDeepStrictEqual(rule[key], ['*']),
      ),
    )
  );
}

function binds(
  binding: KubeObject & { roleRef?: unknown; subjects?: unknown },
  { namespace, serviceAccount }: Scenario['argocd'],
  kind: 'ClusterRole' | 'Role',
  role: string,
): boolean {
  const { roleRef, subjects } = binding;
  return (
    isJsonObject(roleRef) &&
    roleRef.kind === kind &&
    roleRef.name === role &&
    Array.isArray(subjects) &&
    subjects.some(
      subject =>
        isJsonObject(subject) &&
        subject.kind === 'ServiceAccount' &&
        subject.name === serviceAccount &&
        subject.namespace === namespace,
    )
  );
}
