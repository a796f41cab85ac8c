import {
  comparisonFailed,
  outOfSync,
  settled,
} from '../argocd/comparisonStatus';
import {
  DeployedResource,
  DeploymentEnvironment,
  KINDS_WITH_HEALTH,
  BlockingCondition,
} from '../cluster/environment';
import { resolveRevision } from '../cluster/resolveRevision';
import {
  syncSucceeded,
  syncFailed,
  syncStarted,
} from '../argocd/operationStatus';
import {
  Application,
  ApplicationStatus,
  ResourceHealth,
} from '../kubernetes/argocdTypes';

/** The problems that an Application of a generated fleet can have. */
export const TROUBLES = [
  'degraded',
  'forbidden',
  'unreachable',
  'progressing',
  'suspended',
] as const;

/** The problem of one Application. */
export type Trouble = (typeof TROUBLES)[number];

/** The resources that an Application of a generated fleet deploys, and the effects of its trouble. */
function environmentOf(
  set: string,
  release: string,
  trouble: Trouble | undefined,
): DeploymentEnvironment {
  const resource = (
    group: string,
    kind: string,
    name: string,
    image?: string,
  ): DeployedResource => ({
    group,
    version: 'v1',
    kind,
    namespace: set,
    name,
    images: image ? [`registry.example.com/${set}/${image}:${release}`] : [],
  });
  const health = (kind: string): ResourceHealth | undefined => {
    if (kind === 'Deployment' && trouble === 'degraded') {
      return {
        status: 'Degraded',
        message: `Deployment "${set}-api" exceeded its progress deadline`,
      };
    }
    if (kind === 'Deployment' && trouble === 'suspended') {
      return { status: 'Suspended', message: 'Deployment is paused' };
    }
    return KINDS_WITH_HEALTH.includes(kind) ? { status: 'Healthy' } : undefined;
  };
  return {
    blockingCondition: () => undefined,
    resources: () => [
      resource('', 'ConfigMap', `${set}-config`),
      resource('', 'Service', `${set}-api`),
      resource('', 'ServiceAccount', set),
      resource('apps', 'Deployment', `${set}-api`, 'api'),
      resource('apps', 'StatefulSet', `${set}-store`, 'store'),
    ],
    commit: resolveRevision,
    refusal: (_, { group, kind }) =>
      trouble === 'forbidden' && kind === 'StatefulSet'
        ? `statefulsets.apps is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "statefulsets" in API group "${group}" in the namespace "${set}"`
        : undefined,
    health: (_, { kind }) => health(kind),
  };
}

function repositoryError(set: string): BlockingCondition {
  return {
    type: 'ComparisonError',
    message: `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: Get "https://git.example.com/fleet/${set}.git/info/refs?service=git-upload-pack": dial tcp: lookup git.example.com: no such host`,
  };
}

/** The status of an Application on its cluster after its first sync, with the effects of its trouble. */
export function statusAfterSync(
  application: Application,
  set: string,
  trouble: Trouble | undefined,
  times: { readonly started: Date; readonly settled: Date },
): ApplicationStatus {
  const release = application.spec?.source?.targetRevision ?? '';
  const environment = environmentOf(set, release, trouble);
  const withStatus = (status: ApplicationStatus): Application => ({
    ...application,
    status,
  });
  const { automated, syncOptions } = application.spec?.syncPolicy ?? {};
  const compared = outOfSync(application, environment, times.started);
  const operation = {
    sync: {
      revision: compared.sync?.revision,
      prune: automated?.prune,
      syncOptions,
    },
    initiatedBy: { automated: true },
    retry: { limit: 5 },
  };
  const running = syncStarted(
    withStatus(compared),
    operation,
    environment,
    times.started,
  );
  if (trouble === 'forbidden') {
    return syncFailed(withStatus(running), environment, times.settled);
  }
  const deployed = syncSucceeded(
    withStatus(running),
    environment,
    times.started,
  );
  if (trouble === 'progressing') {
    return deployed;
  }
  const final = settled(withStatus(deployed), environment, times.settled);
  return trouble === 'unreachable'
    ? comparisonFailed(withStatus(final), repositoryError(set), times.settled)
    : final;
}
