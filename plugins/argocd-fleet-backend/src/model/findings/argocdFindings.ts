import type {
  Hydration,
  NamespacedName,
  PendingDeletion,
} from 'backstage-plugin-argocd-fleet-common';
import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { shellWord } from './shellWord';
import { shownNames } from './shownNames';

/** A Service of a cluster, as an API server names it. */
export interface ClusterService {
  readonly namespace: string;
  readonly name: string;
}

function endpointsOf(cluster: string, service: ClusterService): string {
  return `kubectl --context ${shellWord(cluster)} get endpointslices.discovery.k8s.io -n ${shellWord(service.namespace)} -l kubernetes.io/service-name=${shellWord(service.name)}`;
}

/** 23x: what Argo CD on the managed cluster reports about itself, its repositories and the cluster. */
export const argocdFindings = {
  hydrationFailed: defineFinding(
    'AFC-230',
    'error',
    (
      cluster: string,
      { wantedDryRevision }: Pick<Hydration, 'wantedDryRevision'>,
      details: Details = {},
    ) => ({
      title: 'The source hydrator failed',
      message: `Argo CD on ${cluster} could not render the dry source${
        wantedDryRevision ? ` (${wantedDryRevision.slice(0, 7)})` : ''
      } to the branch that is synced. The cluster keeps what was rendered before.`,
      fix: {
        description:
          'The evidence names the reason: correct the dry source; or give Argo CD on the cluster credentials that may push (a Secret with the label argocd.argoproj.io/secret-type: repository-write), and check that its commit server runs.',
      },
      ...details,
    }),
  ),

  promotionAwaited: defineFinding(
    'AFC-260',
    'info',
    (
      cluster: string,
      {
        revision,
        hydratedRevision,
        from,
        to,
      }: {
        /** The commit that is synced. */
        readonly revision: string;
        readonly hydratedRevision: string;
        /** The branches of `hydrateTo` and `syncSource`. */
        readonly from: string;
        readonly to: string;
      },
      details: Details = {},
    ) => ({
      title: 'A rendered commit waits to be promoted',
      message: `The source hydrator rendered ${hydratedRevision.slice(0, 7)} to the branch ${from}. Argo CD on ${cluster} syncs the branch ${to}, which has not moved since (${revision.slice(0, 7)}): an external process, such as a pull request that somebody merges, has to move the commit there.`,
      fix: {
        description:
          'Merge the pull request between the two branches, or see why the process that does it has not; git log with the two branches shows what waits.',
      },
      ...details,
    }),
  ),

  deletionPending: defineFinding(
    'AFC-231',
    'warning',
    (
      cluster: string,
      { finalizers }: Pick<PendingDeletion, 'finalizers'>,
      details: Details = {},
    ) => ({
      title: `Being deleted on ${cluster}`,
      message: `The Application is being deleted on ${cluster}, and ${
        finalizers.length > 0
          ? `exists until its finalizers are gone: ${finalizers.join(', ')}`
          : 'has no finalizer left'
      }. Argo CD does not sync it any more.`,
      fix: {
        description:
          'If the deletion was meant, see which of the resources below still exist, and which finalizers those have. If not, find out who deleted it: the agent applies it again once it is gone. Whoever removes a finalizer by hand leaves behind what it would have deleted.',
      },
      ...details,
    }),
  ),

  deletionFailed: defineFinding(
    'AFC-232',
    'error',
    (
      cluster: string,
      { finalizers }: Pick<PendingDeletion, 'finalizers'>,
      details: Details = {},
    ) => ({
      title: 'Argo CD cannot delete what it deployed',
      message: `The Application is being deleted on ${cluster}, and Argo CD fails to delete its resources.${
        finalizers.length > 0
          ? ` It exists until its finalizers are gone: ${finalizers.join(', ')}.`
          : ''
      }`,
      fix: {
        description:
          'The evidence names the reason: mostly a permission that Argo CD on the cluster lacks, a destination that no longer exists, or an AppProject that was deleted first. Argo CD tries again by itself.',
      },
      ...details,
    }),
  ),

  repoServerSilent: defineFinding(
    'AFC-233',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `Argo CD’s repo server on ${cluster} does not answer`,
      message: `Argo CD’s application controller on ${cluster} gets no answer from its repo server, so no Application there is compared with Git. What runs stays as it is.`,
      fix: {
        description:
          'Check that the repo server runs, with enough memory and CPU: it is too slow where the error is about a deadline (controller.repo.server.timeout.seconds), and was restarted where it is EOF. If it is about TLS, both have to use the same certificate authority:',
        command: `kubectl --context ${shellWord(cluster)} get pods -A -l app.kubernetes.io/name=argocd-repo-server`,
      },
      ...details,
    }),
  ),

  liveStateUnreadable: defineFinding(
    'AFC-234',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `Argo CD cannot read ${cluster}`,
      message: `Argo CD cannot read the objects that exist on ${cluster}, so no Application there is compared with Git. What runs stays as it is.`,
      fix: {
        description:
          'Check the API server of the cluster and its aggregated APIs, and that Argo CD’s account may read what it watches:',
        command: `kubectl --context ${shellWord(cluster)} get apiservices.apiregistration.k8s.io`,
      },
      ...details,
    }),
  ),

  /** @param definition - name of the CustomResourceDefinition, if known @param service - of the webhook, if known */
  conversionFails: defineFinding(
    'AFC-235',
    'error',
    (
      cluster: string,
      kind: string,
      service: ClusterService | undefined,
      details: Details = {},
    ) => ({
      title: `Objects of kind ${kind} cannot be read on ${cluster}`,
      message: `The conversion webhook of ${kind} does not answer on ${cluster}${
        service ? ` (Service ${service.namespace}/${service.name})` : ''
      }. Argo CD reads all kinds of the cluster, and one that fails keeps it from comparing any Application there.`,
      fix: {
        description: `Get the webhook to run again. If its operator was removed, remove the CustomResourceDefinition too, or set its spec.conversion.strategy to None if one version is left. To see what stands behind it:`,
        command: service
          ? endpointsOf(cluster, service)
          : `kubectl --context ${shellWord(cluster)} get customresourcedefinitions.apiextensions.k8s.io`,
      },
      ...details,
    }),
  ),

  /** @param service - that an API server forwards requests to, if known */
  apiServiceSilent: defineFinding(
    'AFC-236',
    'error',
    (cluster: string, service: string | undefined, details: Details = {}) => ({
      title: `An API of ${cluster} does not answer`,
      message: `The API server of ${cluster} forwards some kinds to another server${
        service ? ` (Service ${service})` : ''
      }, which does not answer. Argo CD reads all kinds of the cluster, and one that fails keeps it from comparing any Application there.`,
      fix: {
        description:
          'Get the Pods behind it to run again, or delete the APIService if it is not needed any more. Those that do not answer:',
        command: `kubectl --context ${shellWord(cluster)} get apiservices.apiregistration.k8s.io | grep False`,
      },
      ...details,
    }),
  ),

  hostKeyUnknown: defineFinding(
    'AFC-237',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'The SSH host key is not the known one',
      message: `The Git server shows Argo CD on ${cluster} another SSH host key than the known one, or one that is not known. What runs there stays as it is.`,
      fix: {
        description:
          'If the server has a new key, check with its owner that the key is right, then put it into the ConfigMap argocd-ssh-known-hosts-cm of Argo CD on the cluster. Otherwise somebody may stand between the two.',
      },
      ...details,
    }),
  ),

  plainHttp: defineFinding(
    'AFC-238',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'The repository speaks HTTP, not HTTPS',
      message: `Argo CD on ${cluster} expects HTTPS, and the server at the repository’s address answers in plain HTTP: mostly a wrong port, or a proxy or registry without TLS.`,
      fix: {
        description:
          'Correct the address or the port. A registry without TLS needs a repository Secret with insecureOCIForceHttp: "true" (Argo CD 3.1), which only fits within one’s own network.',
      },
      ...details,
    }),
  ),

  clusterNamedTwice: defineFinding(
    'AFC-239',
    'error',
    (
      cluster: string,
      {
        servers,
        secrets,
        argocdNamespace,
      }: {
        /** Addresses of the clusters, as Argo CD lists them. */
        readonly servers: readonly string[];
        /** Their Secrets; empty where they are not known, as on a managed cluster. */
        readonly secrets: readonly NamespacedName[];
        /** As configured. */
        readonly argocdNamespace: string | undefined;
      },
      details: Details = {},
    ) => ({
      title: `${servers.length} clusters of Argo CD have the same name`,
      message: `The destination names more than one cluster that Argo CD on ${cluster} knows (${servers.join(', ')}), so it refuses it.${secrets.length > 0 ? ` They are the Secrets ${shownNames(secrets.map(({ namespace, name }) => `${namespace}/${name}`)).join(', ')}.` : ''}`,
      fix: {
        description:
          'Each is a Secret in Argo CD’s namespace. Give one another name, or delete the one that is not needed; a destination by server is not affected:',
        command: `kubectl get secrets -n ${argocdNamespace ? shellWord(argocdNamespace) : '<namespace>'} -l argocd.argoproj.io/secret-type=cluster -o custom-columns=SECRET:.metadata.name,CREATED:.metadata.creationTimestamp`,
      },
      ...details,
    }),
  ),

  everythingPruned: defineFinding(
    'AFC-254',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `Argo CD on ${cluster} would delete everything`,
      message: `All Applications of ${cluster} became OutOfSync within a minute, and a sync with pruning would delete every resource of each. Mostly nothing was removed from Git: Argo CD there lost its cache, or renders nothing.`,
      fix: {
        description:
          'Sync nothing before it is clear: automated syncs with pruning delete what runs. Compare anew; if that does not help, restart Argo CD’s application controller and repo server on the cluster:',
        command: `kubectl --context ${shellWord(cluster)} annotate applications.argoproj.io -A --all argocd.argoproj.io/refresh=hard`,
      },
      ...details,
    }),
    'nothing',
  ),

  internalError: defineFinding(
    'AFC-252',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'Argo CD reports an error of its own',
      message: `Argo CD on ${cluster} could not process the Application, for a reason that it does not name as one of the Application.`,
      fix: {
        description:
          'The evidence is all that it reports; the log of its application controller has more:',
        command: `kubectl --context ${shellWord(cluster)} logs -A -l app.kubernetes.io/name=argocd-application-controller --tail=200`,
      },
      ...details,
    }),
  ),

  digestAsVersion: defineFinding(
    'AFC-253',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'A digest is not a version of a chart',
      message: `The Application names a Helm chart by a digest, and Argo CD on ${cluster} takes targetRevision for a version of the chart.`,
      fix: {
        description:
          'Name the version of the chart. By digest, Argo CD 3.1 and later take a source whose repoURL begins with oci:// and that has path in place of chart.',
      },
      ...details,
    }),
  ),

  dependencyUnreadable: defineFinding(
    'AFC-259',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: 'A repository of chart dependencies cannot be read',
      message: `Helm on ${cluster} has no index of a chart repository that the dependencies of the chart name: it is unreachable from there, or refuses access. Helm does not say which one, nor why.`,
      fix: {
        description:
          'Check the addresses under dependencies in Chart.yaml. Where a repository asks for credentials, or the cluster has to reach it through a proxy, Argo CD needs a Secret with its address, with type: helm and the label argocd.argoproj.io/secret-type: repository.',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'2'>;
