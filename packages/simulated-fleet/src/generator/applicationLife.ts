import { obstructed, outOfSync, settled } from '../argocd/applicationStatus';
import {
  DeployedResource,
  DeploymentEnvironment,
  KINDS_WITH_HEALTH,
  Obstacle,
} from '../argocd/environment';
import { synced, syncFailed, syncing } from '../argocd/operationStatus';
import {
  Application,
  ApplicationStatus,
  ResourceHealth,
} from '../kubernetes/argocdTypes';

/** What may be wrong with an Application. */
export const TROUBLES = [
  'degraded',
  'forbidden',
  'unreachable',
  'progressing',
  'suspended',
] as const;

export type Trouble = (typeof TROUBLES)[number];

/** What an Application of a generated fleet deploys, and what goes wrong with it. */
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
    obstacle: () => undefined,
    resources: () => [
      resource('', 'ConfigMap', `${set}-config`),
      resource('', 'Service', `${set}-api`),
      resource('', 'ServiceAccount', set),
      resource('apps', 'Deployment', `${set}-api`, 'api'),
      resource('apps', 'StatefulSet', `${set}-store`, 'store'),
    ],
    refusal: (_, { group, kind }) =>
      trouble === 'forbidden' && kind === 'StatefulSet'
        ? `statefulsets.apps is forbidden: User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller" cannot create resource "statefulsets" in API group "${group}" in the namespace "${set}"`
        : undefined,
    health: (_, { kind }) => health(kind),
  };
}

function unreachable(set: string): Obstacle {
  return {
    type: 'ComparisonError',
    message: `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = failed to list refs: Get "https://git.example.com/fleet/${set}.git/info/refs?service=git-upload-pack": dial tcp: lookup git.example.com: no such host`,
  };
}

/** The status of an Application on its cluster, after a first sync and with what went wrong since. */
export function livedStatus(
  application: Application,
  set: string,
  trouble: Trouble | undefined,
  times: { readonly started: Date; readonly settled: Date },
): ApplicationStatus {
  const release = application.spec?.source?.targetRevision ?? '';
  const environment = environmentOf(set, release, trouble);
  const at = (status: ApplicationStatus): Application => ({
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
  const running = syncing(at(compared), operation, times.started);
  if (trouble === 'forbidden') {
    return syncFailed(at(running), environment, times.settled);
  }
  const deployed = synced(at(running), environment, times.started);
  if (trouble === 'progressing') {
    return deployed;
  }
  const final = settled(at(deployed), environment, times.settled);
  return trouble === 'unreachable'
    ? obstructed(at(final), unreachable(set), times.settled)
    : final;
}
