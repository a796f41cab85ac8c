import type {
  ApplicationResource,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import {
  grantOf,
  inNamespaces,
  type DeniedPermissions,
} from './deniedPermissions';
import { shellWord } from './shellWord';

/** A running operation whose revision is not the wanted one; the revisions as texts to show. */
export interface RetriedRevisions {
  readonly retried: string;
  readonly wanted: string;
  /** How often it was retried. */
  readonly count: number;
}

/** A cluster by its name on another hub. */
export interface ClusterOfHub {
  readonly hub: string;
  readonly name: string;
}

/** 2xx: the Application on its managed cluster. */
export const clusterFindings = {
  clusterSilent: defineFinding(
    'AFC-201',
    'error',
    (cluster: string, since: string | undefined, details: Details = {}) => ({
      title: `${cluster} does not report`,
      message: `The agent of ${cluster} has not reported${
        since ? ` since ${since}` : ''
      }. Everything shown of the cluster is its last known state, and changes wait until it reconnects.`,
      fix: {
        description:
          'Check that the cluster runs and reaches the hub. On the cluster, check the agents:',
        command: `kubectl --context ${shellWord(cluster)} -n open-cluster-management-agent get pods`,
      },
      ...details,
    }),
  ),

  clusterUnhealthy: defineFinding(
    'AFC-255',
    'error',
    (cluster: string, since: string | undefined, details: Details = {}) => ({
      title: `The API server of ${cluster} is not healthy`,
      message: `The agent of ${cluster} lives and reports${
        since ? ` since ${since}` : ''
      } that the cluster’s API server is not healthy. Everything shown of the cluster is its last known state, and changes wait until the API server is well.`,
      fix: {
        description:
          'The agent’s message says what it got. Check the control plane of the cluster, and what the API server itself finds unhealthy:',
        command: `kubectl --context ${shellWord(cluster)} get --raw '/livez?verbose'`,
      },
      ...details,
    }),
  ),

  notApplied: defineFinding(
    'AFC-202',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'The agent cannot apply the Application',
      message: `The work agent on ${cluster} failed to apply the manifests of the ManifestWork.`,
      fix: {
        description: 'See the agent’s conditions for each manifest:',
        command: `kubectl get manifestworks.work.open-cluster-management.io ${shellWord(
          details.object?.name ?? '',
        )} -n ${shellWord(cluster)} -o yaml`,
      },
      ...details,
    }),
  ),

  noArgoCd: defineFinding(
    'AFC-203',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `No Argo CD on ${cluster}`,
      message: `The cluster has no resource Application: Argo CD is not installed there.`,
      fix: {
        description:
          'Install Argo CD (or OpenShift GitOps) on the cluster; the agent then applies the Application.',
      },
      ...details,
    }),
  ),

  forbidden: defineFinding(
    'AFC-204',
    'error',
    (denied: DeniedPermissions, details: Details = {}) => {
      const { cluster, verb, account } = denied;
      const what = `${verb} ${denied.kinds.join(', ')}`;
      return {
        title: `Argo CD may not ${what} on ${cluster}`,
        message: `Argo CD’s account ${account.namespace}/${
          account.name
        } on ${cluster} lacks the permission to ${what}${inNamespaces(denied)}.`,
        fix: grantOf(denied),
        ...details,
      };
    },
  ),

  repositoryUnreachable: defineFinding(
    'AFC-205',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Repository unreachable',
      message: `Argo CD on ${cluster} cannot reach the Git or Helm repository. What runs there stays as it is.`,
      fix: {
        description:
          'Check the repository’s address, and that the cluster reaches it (DNS, proxy, firewall, certificate authority).',
      },
      ...details,
    }),
  ),

  repositoryDenied: defineFinding(
    'AFC-206',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Repository refuses access',
      message: `The repository asks for credentials that Argo CD on ${cluster} does not have, or there is no such repository.`,
      fix: {
        description:
          'Check the repository’s address, and give the cluster’s Argo CD credentials: a Secret in its namespace with the label argocd.argoproj.io/secret-type: repository.',
      },
      ...details,
    }),
  ),

  revisionUnknown: defineFinding(
    'AFC-207',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Unknown revision or path',
      message: `The repository does not have the branch, tag, commit, chart version or path that the Application names, as Argo CD on ${cluster} sees it.`,
      fix: {
        description:
          'Push it, or correct targetRevision and path in the template of the ApplicationSet.',
      },
      ...details,
    }),
  ),

  imagePull: defineFinding(
    'AFC-208',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'An image cannot be pulled',
      message: `A container on ${cluster} cannot start because its image cannot be pulled.`,
      fix: {
        description:
          'Check the image’s name and tag, that it was pushed, and that the cluster may pull it (imagePullSecrets).',
      },
      ...details,
    }),
  ),

  crashLoop: defineFinding(
    'AFC-209',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'A container keeps crashing',
      message: `A container on ${cluster} starts and exits again and again.`,
      fix: {
        description: 'Read the log of its last run:',
        command: `kubectl --context ${shellWord(cluster)} -n <namespace> logs <pod> --previous`,
      },
      ...details,
    }),
  ),

  /**
   * @param hidden - whether Argo CD does not report the health of single resources
   * @param resource - the first that is degraded, where Argo CD reports it
   */
  degraded: defineFinding(
    'AFC-210',
    'error',
    (
      cluster: string,
      details: Details = {},
      hidden = false,
      resource?: ApplicationResource,
    ) => ({
      title: `${resource?.kind ?? 'A resource'} is degraded`,
      message: `At least one resource of the Application is degraded on ${cluster}.`,
      fix: {
        description: hidden
          ? `Argo CD on ${cluster} does not report the health of single resources. To see here which resource is degraded, set controller.resource.health.persist to "true" in its ConfigMap argocd-cmd-params-cm, and restart its application controller.`
          : 'See the resources below that are not healthy.',
      },
      ...details,
    }),
  ),

  syncFailed: defineFinding(
    'AFC-211',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'The last sync failed',
      message: `Argo CD on ${cluster} could not sync the cluster with Git.`,
      fix: {
        description:
          'The evidence is the first error. Correct it in Git or on the cluster; automated sync tries again with the next commit or retry.',
      },
      ...details,
    }),
  ),

  comparisonFailed: defineFinding(
    'AFC-212',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Argo CD cannot compare with Git',
      message: `Argo CD on ${cluster} could not render the manifests or compare them with the cluster.`,
      fix: {
        description:
          'The evidence names the reason; often it is a template or a value in the repository.',
      },
      ...details,
    }),
  ),

  invalidSpec: defineFinding(
    'AFC-213',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Argo CD rejects the Application',
      message: `Argo CD on ${cluster} does not accept the Application’s project, source or destination.`,
      fix: {
        description:
          'Check that the AppProject exists on the cluster and permits the repository and the destination.',
      },
      ...details,
    }),
  ),

  outOfSync: defineFinding(
    'AFC-214',
    'warning',
    (
      cluster: string,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'No sync is running or planned',
      message: `${cluster} differs from Git, and no sync is running or planned.`,
      fix: {
        description:
          'Have Argo CD sync automatically with syncPolicy.automated in the template of the ApplicationSet, or start a sync by the Application on the hub (without prune: what Git has no more stays):',
        command: `kubectl patch applications.argoproj.io ${shellWord(application.name)} -n ${shellWord(application.namespace)} --type merge -p '{"operation":{"sync":{}}}'`,
      },
      ...details,
    }),
  ),

  missing: defineFinding(
    'AFC-215',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Resources are missing',
      message: `Resources of the Application do not exist on ${cluster}.`,
      fix: {
        description: 'See the resources below that are missing.',
      },
      ...details,
    }),
  ),

  /** @param resource - the first that is suspended, where Argo CD reports it */
  suspended: defineFinding(
    'AFC-216',
    'info',
    (
      cluster: string,
      details: Details = {},
      resource?: ApplicationResource,
    ) => ({
      title: `${resource?.kind ?? 'A resource'} is paused on purpose`,
      message: `A resource on ${cluster} is paused on purpose and waits to be resumed: a rollout’s pause, or a suspended job.`,
      fix:
        resource?.kind === 'Rollout'
          ? {
              description:
                'To resume it, promote it with the kubectl plugin of Argo Rollouts or in the Argo CD of the cluster:',
              command: `kubectl argo rollouts promote ${shellWord(resource.name)} -n ${resource.namespace ? shellWord(resource.namespace) : '<namespace>'} --context ${shellWord(cluster)}`,
            }
          : {
              description:
                'To resume it, change it in Git if Git suspends it (spec.suspend, spec.paused); otherwise resume it on the cluster.',
            },
      ...details,
    }),
  ),

  noFeedback: defineFinding(
    'AFC-217',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: 'No status from Argo CD yet',
      message: `The Application is on ${cluster}, but Argo CD there has not given it a status.`,
      fix: {
        description:
          'Check that Argo CD’s application controller runs on the cluster and watches the Application’s namespace:',
        command: `kubectl --context ${shellWord(cluster)} get pods -A -l app.kubernetes.io/name=argocd-application-controller`,
      },
      ...details,
    }),
  ),

  digestFailed: defineFinding(
    'AFC-218',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: 'Error and resource details unavailable',
      message: `The work agent on ${cluster} could not evaluate the condition rule that reports errors and resources. Health and sync are still reported.`,
      fix: {
        description:
          'Report the evidence as a bug. Until it is fixed, you can turn condition rules off with argocdFleet.propagation.conditionRules: false.',
      },
      ...details,
    }),
  ),

  applicationRemoved: defineFinding(
    'AFC-219',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `The Application was removed from ${cluster}`,
      message: `The agent of ${cluster} applied the Application, but it no longer exists: something on the cluster removed it. Every status shown is its last one.`,
      fix: {
        description:
          'The agent applies it again within minutes. If it does not come back, find out what removes it on the cluster.',
      },
      ...details,
    }),
  ),

  statusAwaited: defineFinding(
    'AFC-220',
    'info',
    (cluster: string, details: Details = {}) => ({
      title: `${cluster} has not compared the current spec yet`,
      message: `The Application was changed on the hub, and Argo CD on ${cluster} has not reported a comparison with the new spec yet. Until it does, the hub shows the Application as out of sync, so that no progressive sync takes the old status for the current one.`,
      fix: {
        description:
          'Wait some seconds. If it persists, check that the ManifestWork was updated, that the cluster reports, and that Argo CD there reconciles the Application.',
      },
      ...details,
    }),
  ),

  /** @param application - on the cluster */
  otherRevisionRetried: defineFinding(
    'AFC-221',
    'error',
    (
      cluster: string,
      retry: RetriedRevisions,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'Argo CD still retries another revision',
      message: `Argo CD on ${cluster} retries an operation for ${retry.retried} (retry ${retry.count}), and the wanted revision is ${retry.wanted} by now: the error is of the former. Argo CD syncs the wanted revision only after that operation has ended; without a limit of retries it never ends.`,
      fix: {
        description: `Wait for the last retry, or terminate the operation in the Argo CD of ${cluster}; the next sync, by hand or automated, takes the wanted revision. Since Argo CD 3.2, each retry takes the latest revision if the template of the ApplicationSet sets syncPolicy.retry.refresh: true. To terminate:`,
        command: `argocd app terminate-op ${shellWord(application.namespace)}/${shellWord(application.name)}`,
      },
      ...details,
    }),
  ),

  illegalNames: defineFinding(
    'AFC-222',
    'warning',
    (cluster: string, count: number, details: Details = {}) => ({
      title: `${cluster} reports names that Kubernetes does not allow`,
      message: `${
        count === 1 ? 'One resource' : `${count} resources`
      } that ${cluster} reports for the Application ${
        count === 1 ? 'has a name' : 'have names'
      } that no object of a cluster has, so what is shown leaves them out.`,
      fix: {
        description:
          'Argo CD reports no such names: find out who writes the status of the ManifestWork or of the Application on the cluster.',
      },
      ...details,
    }),
  ),

  namespaceMissing: defineFinding(
    'AFC-223',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'A resource has no namespace',
      message: `A manifest in the repository names no namespace, and the Application has none for it: Argo CD on ${cluster} does not sync it. An Application without spec.destination.namespace is delivered without one.`,
      fix: {
        description:
          'Set spec.destination.namespace in the template of the ApplicationSet, or a namespace in the manifest. To give such Applications the namespace that they have on the cluster themselves, as RHACM’s controllers do, set argocdFleet.propagation.defaultDestinationNamespace: true.',
      },
      ...details,
    }),
  ),

  clusterOnOtherHub: defineFinding(
    'AFC-224',
    'warning',
    (cluster: string, other: ClusterOfHub, details: Details = {}) => ({
      title: `${cluster} is also on hub ${other.hub}`,
      message: `Hub "${other.hub}" has the same cluster, as ${other.name}: both report one ID. Both hubs deliver to it, and what one removes, it removes also where the other still wants it.`,
      fix: {
        description:
          'If the cluster moves to another hub, have the former deliver nothing to it any more. If these are two clusters, one is a copy of the other: give it an ID of its own. What the cluster reports on this hub:',
        command: `kubectl get managedclusters.cluster.open-cluster-management.io ${shellWord(cluster)} -o jsonpath='{.status.clusterClaims}'`,
      },
      ...details,
    }),
    'clusters',
  ),

  /** @param application - on the cluster */
  claimedOnOtherHub: defineFinding(
    'AFC-225',
    'error',
    (
      cluster: string,
      application: string,
      other: ClusterOfHub,
      details: Details = {},
    ) => ({
      title: `Hub ${other.hub} delivers ${application} to ${cluster} too`,
      message: `A ManifestWork of this hub and one of hub "${other.hub}", where the cluster is ${other.name}, deliver an Application of one namespace and name to the same cluster. The agents overwrite each other’s, and when one of the works is deleted, the Application and what it runs may go with it.`,
      fix: {
        description:
          'Let one hub deliver the Application. On the other, take the pull label off the template of the ApplicationSet, then order that the cluster keeps the Application. A ManifestWork of another controller needs a deleteOption with propagationPolicy Orphan instead, before it is deleted:',
        command:
          'kubectl annotate applicationsets.argoproj.io NAME -n NAMESPACE argocd-fleet/release=orphan',
      },
      ...details,
    }),
  ),

  /** @param project - AppProject of the Application; its namespace is that of Argo CD on the cluster */
  syncWindowClosed: defineFinding(
    'AFC-226',
    'warning',
    (
      cluster: string,
      project: Required<NamespacedName>,
      details: Details = {},
      /** The step of a rolling sync that it is in, from 1. */
      { step, steps }: { readonly step?: number; readonly steps?: number } = {},
    ) => ({
      title: 'A sync window keeps the sync back',
      message: `A sync was started on ${cluster}, and a sync window of the AppProject ${project.name} there does not allow it now. It goes on when the window allows it.${step === undefined ? '' : ` Until then, it holds step ${step} of ${steps} of the rolling sync.`}`,
      fix: {
        description:
          'Wait for the window, or change spec.syncWindows of the AppProject on the cluster. To see the windows:',
        command: `kubectl --context ${shellWord(cluster)} get appprojects.argoproj.io ${shellWord(project.name)} -n ${shellWord(project.namespace)} -o jsonpath='{.spec.syncWindows}'`,
      },
      ...details,
    }),
  ),

  /** @param application - on the cluster */
  newerRevisionWaits: defineFinding(
    'AFC-257',
    'warning',
    (
      cluster: string,
      revisions: Omit<RetriedRevisions, 'count'>,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'A newer revision waits for a sync in waves',
      message: `Argo CD on ${cluster} syncs ${revisions.retried} in waves, and the present wave waits for what the evidence names. The wanted revision is ${revisions.wanted} by now, and Argo CD syncs it only after that operation has ended.`,
      fix: {
        description: `See why the resource is not done. If the wanted revision would mend it, terminate the operation in the Argo CD of ${cluster}; the next sync, by hand or automated, takes the wanted revision. To terminate:`,
        command: `argocd app terminate-op ${shellWord(application.namespace)}/${shellWord(application.name)}`,
      },
      ...details,
    }),
  ),

  /** @param application - on the cluster */
  operationDropped: defineFinding(
    'AFC-256',
    'warning',
    (
      cluster: string,
      sentAt: string,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'A sync that was requested never started',
      message: `The hub sent ${cluster} a sync at ${sentAt}, and Argo CD there did not start it. It is not sent any more: after ten minutes, or with another spec, a request is dropped, so that a cluster does not run an old one days later.`,
      fix: {
        description:
          'Request it again once Argo CD’s application controller runs on the cluster and watches the Application’s namespace. What it says of the Application there:',
        command: `kubectl --context ${shellWord(cluster)} describe applications.argoproj.io ${shellWord(application.name)} -n ${shellWord(application.namespace)}`,
      },
      ...details,
    }),
  ),

  operationKept: defineFinding(
    'AFC-261',
    'warning',
    (
      cluster: string,
      onHub: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'An operation that has run is still in the ManifestWork',
      message: `Another controller wrote an operation into the ManifestWork, and it is still there after Argo CD on ${cluster} has run it. Argo CD syncs again whenever the agent applies the ManifestWork again: with each change, and without end unless the ManifestWork has ignoreFields for .operation.`,
      fix: {
        description:
          'Let this plugin deliver (argocdFleet.propagation): it sends an operation once. Or take the operation off the hub’s Application, from which that controller copies it:',
        command: `kubectl patch applications.argoproj.io ${shellWord(onHub.name)} -n ${shellWord(onHub.namespace)} --type=json -p='[{"op":"remove","path":"/operation"}]'`,
      },
      ...details,
    }),
  ),

  syncWaitsLong: defineFinding(
    'AFC-262',
    'warning',
    (
      cluster: string,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'A sync in waves has waited long for a resource',
      message: `Argo CD on ${cluster} syncs in waves, and for more than ten minutes the sync has not ended: the present wave waits for what the evidence names. Argo CD waits without a limit, and applies no later wave before.`,
      fix: {
        description:
          'See why that resource is not healthy: its own events say so. Once the reason is removed, the sync goes on. To end it, run this against the Argo CD of the cluster:',
        command: `argocd app terminate-op ${shellWord(application.namespace)}/${shellWord(application.name)}`,
      },
      ...details,
    }),
  ),

  onlyPruningLeft: defineFinding(
    'AFC-227',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: 'Only pruning is left, and it is off',
      message: `Argo CD on ${cluster} has synced the wanted revision. What still differs, an automated sync does not change: mostly resources that are no longer in the source, which it does not delete without syncPolicy.automated.prune.`,
      fix: {
        description:
          'Sync with pruning once, after a look at what would be deleted; or set syncPolicy.automated.prune: true in the template of the ApplicationSet.',
      },
      ...details,
    }),
  ),

  /** @param prunes - whether automated syncs delete what is no longer in the source */
  selfHealOff: defineFinding(
    'AFC-228',
    'warning',
    (cluster: string, prunes: boolean, details: Details = {}) => ({
      title: 'Out of sync again, and self-heal is off',
      message: `Argo CD on ${cluster} has synced the wanted revision, and the cluster differs from it: something changed there since${
        prunes ? '' : ', or resources that are no longer in the source are left'
      }. An automated sync does not repeat a revision without syncPolicy.automated.selfHeal${
        prunes ? '' : ', and deletes nothing without syncPolicy.automated.prune'
      }.`,
      fix: {
        description:
          'Sync once, or set syncPolicy.automated.selfHeal: true in the template of the ApplicationSet. If the change on the cluster is wanted, have it in the source.',
      },
      ...details,
    }),
  ),

  inNoStep: defineFinding(
    'AFC-258',
    'warning',
    (
      cluster: string,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'No step of the rolling sync selects it',
      message: `The ApplicationSet syncs step by step (RollingSync), and no step selects the Application on ${cluster} by its labels: its controller never syncs it, and Argo CD does not sync it automatically.`,
      fix: {
        description:
          'Give the template the label that the steps match, or add a step for it: one without matchExpressions selects all that are left. To sync it by hand, by the Application on the hub:',
        command: `kubectl patch applications.argoproj.io ${shellWord(application.name)} -n ${shellWord(application.namespace)} --type merge -p '{"operation":{"sync":{}}}'`,
      },
      ...details,
    }),
  ),

  /** @param application - on the cluster */
  pruningUnconfirmed: defineFinding(
    'AFC-229',
    'warning',
    (
      cluster: string,
      application: Required<NamespacedName>,
      details: Details = {},
    ) => ({
      title: 'A deletion waits to be confirmed',
      message: `The sync on ${cluster} deletes a resource that may only be deleted once a person confirms it (Prune=confirm).`,
      fix: {
        description:
          'If it may be deleted, confirm it on the cluster; otherwise put the resource back into the source. To confirm:',
        command: `kubectl --context ${shellWord(cluster)} annotate applications.argoproj.io ${shellWord(application.name)} -n ${shellWord(application.namespace)} --overwrite argocd.argoproj.io/deletion-approved=$(date -u +%Y-%m-%dT%H:%M:%SZ)`,
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'2'>;
