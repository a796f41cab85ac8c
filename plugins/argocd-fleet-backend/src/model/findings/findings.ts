import type {
  ApplicationResource,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { grantOf, inNamespaces, type DeniedRights } from './deniedRights';
import { shellWord } from './shellWord';

type Details = Pick<Finding, 'evidence' | 'object'>;

/**
 * Every finding of the pull model, in one place: its code, which never changes its meaning, what is wrong in plain words and
 * what to do. Codes: 1xx the Application on the hub and its delivery, 2xx the managed cluster, 3xx the ApplicationSet (4xx,
 * the hub connection and the controllers, is with those).
 *
 * A command is there to be copied, and names come from objects that tenants write: each goes in as a {@link shellWord}.
 */
export const findings = {
  noTarget: (details: Details = {}): Finding => ({
    code: 'AFC-101',
    severity: 'error',
    title: 'No target cluster',
    message:
      'The Application has the pull label but does not say which cluster it is meant for, so it is not delivered. What an earlier version brought to a cluster stays there.',
    fix: {
      description:
        'Add the annotation to the template of the ApplicationSet, or to the Application where it has none:',
      command:
        'metadata:\n  annotations:\n    apps.open-cluster-management.io/ocm-managed-cluster: "{{name}}"',
    },
    ...details,
  }),

  targetUnknown: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-102',
    severity: 'error',
    title: `No managed cluster ${cluster}`,
    message: `The Application is meant for the cluster ${cluster}, but the hub has no ManagedCluster of that name, so it is not delivered.`,
    fix: {
      description:
        'Import the cluster, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster. These are known:',
      command: 'kubectl get managedclusters',
    },
    ...details,
  }),

  illegalName: (
    what: string,
    name: string,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-103',
    severity: 'error',
    title: `Illegal ${what}`,
    message: `Kubernetes does not take “${name}” as ${what}, so the Application is not delivered.`,
    fix: {
      description:
        'Use lower case letters, digits and hyphens, beginning and ending with a letter or digit; a namespace has at most 63 characters.',
    },
    ...details,
  }),

  notDecided: (
    cluster: string,
    namespace: string,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-104',
    severity: 'error',
    title: `No placement decision for ${cluster}`,
    message: `No Placement in the namespace ${namespace} selects ${cluster}, so the Application may not be delivered there. What is on the cluster already is kept, and no longer updated.`,
    fix: {
      description:
        'See which clusters the Placements of the namespace select. Where one is missing, bind a ManagedClusterSet that holds it to the namespace and have a Placement select it:',
      command: `kubectl get placementdecisions -n ${shellWord(namespace)} -o jsonpath='{range .items[*]}{.metadata.name}{": "}{.status.decisions[*].clusterName}{"\\n"}{end}'`,
    },
    ...details,
  }),

  tooLarge: (bytes: number, limit: number, details: Details = {}): Finding => ({
    code: 'AFC-105',
    severity: 'error',
    title: 'Too large for a ManifestWork',
    message: `The Application takes ${bytes} bytes and a ManifestWork holds at most ${limit}, so it is not delivered. What is on the cluster already is kept, and no longer updated.`,
    fix: {
      description:
        'Move long Helm values or inline manifests of the Application into its Git repository.',
    },
    ...details,
  }),

  workNameTaken: (name: string, details: Details = {}): Finding => ({
    code: 'AFC-106',
    severity: 'error',
    title: 'The name of the ManifestWork is taken',
    message: `A ManifestWork ${name} that does not belong to this Application is in the way, so the Application is not delivered.`,
    fix: { description: 'Remove that ManifestWork if nobody needs it.' },
    ...details,
  }),

  reconciledOnHub: (count: number, details: Details = {}): Finding => ({
    code: 'AFC-107',
    severity: 'warning',
    title: 'The hub’s Argo CD is not kept off',
    message: `${
      count === 1 ? 'One Application is' : `${count} Applications are`
    } reconciled by the Argo CD of the hub and of the managed cluster at once, so their status flips between the two.`,
    fix: {
      description:
        'Add the annotation to the template of the ApplicationSet, or to the Application where it has none:',
      command:
        'metadata:\n  annotations:\n    argocd.argoproj.io/skip-reconcile: "true"',
    },
    ...details,
  }),

  readOnlyWork: (details: Details = {}): Finding => ({
    code: 'AFC-108',
    severity: 'warning',
    title: 'The ManifestWork only observes',
    message:
      'RHACM was switched off and turned this ManifestWork to ReadOnly: the cluster reports, but changes are not delivered. It is left alone until somebody decides who delivers from now on.',
    fix: {
      description:
        'To have this plugin deliver all such Applications from now on, set in its configuration:',
      command: 'argocdFleet:\n  propagation:\n    adoptReadOnly: true',
    },
    ...details,
  }),

  notPropagated: (details: Details = {}): Finding => ({
    code: 'AFC-109',
    severity: 'warning',
    title: 'No ManifestWork yet',
    message:
      'The Application should travel to its cluster, but its ManifestWork does not exist.',
    fix: {
      description:
        'It is created within seconds where propagation runs. Otherwise see the Controllers page: propagation may be off, only observing, or without the right to create ManifestWorks.',
    },
    ...details,
  }),

  workTerminating: (details: Details = {}): Finding => ({
    code: 'AFC-110',
    severity: 'warning',
    title: 'Waits for the old ManifestWork to go',
    message:
      'The ManifestWork that the Application needs is being deleted: it was meant for another cluster meanwhile, or somebody deleted it. It is made anew once it is gone; what runs elsewhere stays until then.',
    fix: {
      description:
        'The agent lets it go once it has removed what it brought, which takes it to be connected. See what it waits for:',
      command: `kubectl get manifestwork ${shellWord(
        details.object?.name ?? '',
      )} -n ${shellWord(details.object?.namespace ?? '')} -o yaml`,
    },
    ...details,
  }),

  placeTaken: (
    place: string,
    holder: NamespacedName,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-111',
    severity: 'error',
    title: 'Another Application of the hub is there',
    message: `On its cluster this Application would be the same one (${place}) as ${holder.namespace}/${holder.name} of the hub, which was there first. Both would overwrite each other, so this one is not delivered.`,
    fix: {
      description:
        'Rename one of them, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster-app-namespace. The other one is:',
      command: `kubectl get application ${shellWord(holder.name)} -n ${shellWord(holder.namespace)} -o yaml`,
    },
    ...details,
  }),

  noAppProject: (project: string, details: Details = {}): Finding => ({
    code: 'AFC-112',
    severity: 'warning',
    title: `No AppProject ${project} on the hub`,
    message: `AppProjects are to come along, but the hub has no ${project} beside the Application or in Argo CD’s own namespace. The Application is delivered without; it works where the cluster has that AppProject already.`,
    fix: {
      description:
        'Create the AppProject on the hub, or correct spec.project in the template of the ApplicationSet. These are there:',
      command: 'kubectl get appprojects --all-namespaces',
    },
    ...details,
  }),

  clusterSilent: (
    cluster: string,
    since: string | undefined,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-201',
    severity: 'error',
    title: `${cluster} does not report`,
    message: `The agent of ${cluster} has not been heard${
      since ? ` since ${since}` : ''
    }. Everything shown of it is the last that was known, and changes wait until it is back.`,
    fix: {
      description:
        'Check that the cluster runs and reaches the hub. On the cluster, look at the agents:',
      command: `kubectl --context ${shellWord(cluster)} -n open-cluster-management-agent get pods`,
    },
    ...details,
  }),

  notApplied: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-202',
    severity: 'error',
    title: 'The agent cannot apply the Application',
    message: `The work agent on ${cluster} failed to apply the manifests of the ManifestWork.`,
    fix: {
      description: 'See what the agent says about each manifest:',
      command: `kubectl get manifestwork ${shellWord(
        details.object?.name ?? '',
      )} -n ${shellWord(cluster)} -o yaml`,
    },
    ...details,
  }),

  noArgoCd: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-203',
    severity: 'error',
    title: `No Argo CD on ${cluster}`,
    message: `The cluster does not know the resource Application, so Argo CD is not installed there.`,
    fix: {
      description:
        'Install Argo CD (or OpenShift GitOps) on the cluster; the Application is applied as soon as it is there.',
    },
    ...details,
  }),

  forbidden: (denied: DeniedRights, details: Details = {}): Finding => {
    const { cluster, verb, account } = denied;
    const what = `${verb} ${denied.kinds.join(', ')}`;
    return {
      code: 'AFC-204',
      severity: 'error',
      title: `Argo CD may not ${what} on ${cluster}`,
      message: `Argo CD’s account ${account.namespace}/${
        account.name
      } on ${cluster} lacks the right to ${what}${inNamespaces(denied)}.`,
      fix: grantOf(denied),
      ...details,
    };
  },

  repositoryUnreachable: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-205',
    severity: 'error',
    title: 'Repository unreachable',
    message: `Argo CD on ${cluster} cannot reach the Git or Helm repository. What runs there stays as it is.`,
    fix: {
      description:
        'Check the repository’s address, and that the cluster reaches it (DNS, proxy, firewall, certificate authority).',
    },
    ...details,
  }),

  repositoryDenied: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-206',
    severity: 'error',
    title: 'Repository refuses access',
    message: `The repository asks for credentials that Argo CD on ${cluster} does not have, or there is no such repository.`,
    fix: {
      description:
        'Check the repository’s address, and give the cluster’s Argo CD credentials: a Secret in its namespace with the label argocd.argoproj.io/secret-type: repository.',
    },
    ...details,
  }),

  revisionUnknown: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-207',
    severity: 'error',
    title: 'Unknown revision or path',
    message: `The repository does not have the branch, tag, commit, chart version or path that the Application names, as Argo CD on ${cluster} sees it.`,
    fix: {
      description:
        'Push it, or correct targetRevision and path in the template of the ApplicationSet.',
    },
    ...details,
  }),

  imagePull: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-208',
    severity: 'error',
    title: 'An image cannot be pulled',
    message: `A container on ${cluster} cannot start because its image cannot be pulled.`,
    fix: {
      description:
        'Check the image’s name and tag, that it was pushed, and that the cluster may pull it (imagePullSecrets).',
    },
    ...details,
  }),

  crashLoop: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-209',
    severity: 'error',
    title: 'A container keeps crashing',
    message: `A container on ${cluster} starts and ends again and again.`,
    fix: {
      description: 'Read what it said before it ended:',
      command: `kubectl --context ${shellWord(cluster)} -n <namespace> logs <pod> --previous`,
    },
    ...details,
  }),

  /** @param hidden - Argo CD does not tell which resource it is */
  degraded: (
    cluster: string,
    details: Details = {},
    hidden = false,
  ): Finding => ({
    code: 'AFC-210',
    severity: 'error',
    title: 'Degraded',
    message: `Something that the Application deploys does not work on ${cluster}.`,
    fix: {
      description: hidden
        ? `Argo CD on ${cluster} keeps the health of single resources to itself. To see here which one it is, set controller.resource.health.persist to "true" in its ConfigMap argocd-cmd-params-cm, and restart its application controller.`
        : 'Look at the resources below that are not healthy.',
    },
    ...details,
  }),

  syncFailed: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-211',
    severity: 'error',
    title: 'The last sync failed',
    message: `Argo CD on ${cluster} could not bring the cluster to what Git says.`,
    fix: {
      description:
        'The evidence names the first reason. Correct it in Git or on the cluster; automated sync tries again with the next commit or retry.',
    },
    ...details,
  }),

  comparisonFailed: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-212',
    severity: 'error',
    title: 'Argo CD cannot tell what should be there',
    message: `Argo CD on ${cluster} could not render the manifests or compare them with the cluster.`,
    fix: {
      description:
        'The evidence names the reason; often a template or value in the repository.',
    },
    ...details,
  }),

  invalidSpec: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-213',
    severity: 'error',
    title: 'Argo CD refuses the Application',
    message: `Argo CD on ${cluster} does not accept the Application’s project, source or destination.`,
    fix: {
      description:
        'Check that the AppProject exists on the cluster and permits the repository and the destination.',
    },
    ...details,
  }),

  outOfSync: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-214',
    severity: 'warning',
    title: 'Out of sync',
    message: `${cluster} differs from Git, and nothing is being done about it.`,
    fix: {
      description:
        'Sync the Application, or have Argo CD do so by itself with syncPolicy.automated in the template of the ApplicationSet.',
    },
    ...details,
  }),

  missing: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-215',
    severity: 'error',
    title: 'Resources are missing',
    message: `Resources that the Application should have do not exist on ${cluster}.`,
    fix: {
      description: 'Look at the resources below that are missing.',
    },
    ...details,
  }),

  /** @param resource - the first that is suspended, where Argo CD tells */
  suspended: (
    cluster: string,
    details: Details = {},
    resource?: ApplicationResource,
  ): Finding => ({
    code: 'AFC-216',
    severity: 'info',
    title: 'Suspended',
    message: `Something on ${cluster} is paused on purpose and waits for somebody to go on: a rollout’s pause, or a suspended job.`,
    fix:
      resource?.kind === 'Rollout'
        ? {
            description:
              'When it may go on, promote it, with the kubectl plugin of Argo Rollouts or in the Argo CD of the cluster:',
            command: `kubectl argo rollouts promote ${shellWord(resource.name)} -n ${resource.namespace ? shellWord(resource.namespace) : '<namespace>'} --context ${shellWord(cluster)}`,
          }
        : {
            description:
              'When it may go on, change it in Git where Git suspends it (spec.suspend, spec.paused); otherwise resume it on the cluster.',
          },
    ...details,
  }),

  noFeedback: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-217',
    severity: 'warning',
    title: 'No status from Argo CD yet',
    message: `The Application is on ${cluster}, but Argo CD there has not given it a status.`,
    fix: {
      description:
        'Check that Argo CD’s application controller runs on the cluster and looks after the Application’s namespace:',
      command: `kubectl --context ${shellWord(cluster)} get pods -A -l app.kubernetes.io/name=argocd-application-controller`,
    },
    ...details,
  }),

  digestFailed: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-218',
    severity: 'warning',
    title: 'Details do not come home',
    message: `The work agent on ${cluster} could not evaluate the condition rule that reports errors and resources; health and sync are known all the same.`,
    fix: {
      description:
        'Report the evidence as a bug. Until then, condition rules can be turned off in the configuration of propagation.',
    },
    ...details,
  }),

  notAvailable: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-219',
    severity: 'error',
    title: `The Application is gone from ${cluster}`,
    message: `The agent of ${cluster} applied the Application, and it is not there any more: something on the cluster removed it. Every status shown is the last one it had.`,
    fix: {
      description:
        'The agent puts it back at its next look, within minutes. If it stays away, find out what removes it there.',
    },
    ...details,
  }),

  statusAwaited: (cluster: string, details: Details = {}): Finding => ({
    code: 'AFC-220',
    severity: 'info',
    title: `${cluster} has not compared with the present spec`,
    message: `The Application was changed on the hub, and Argo CD on ${cluster} has not said yet how far it is from that. Until it does, the hub shows the Application as out of sync, so that no progressive sync takes the status of before for that of now.`,
    fix: {
      description:
        'Nothing, for some seconds. If it stays, see whether the ManifestWork was brought up to date, whether the cluster reports, and whether Argo CD there reconciles the Application.',
    },
    ...details,
  }),

  rhacmPropagates: (
    hub: string,
    namespace: string,
    name: string,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-405',
    severity: 'warning',
    title: `RHACM propagates on hub ${hub} itself`,
    message: `RHACM’s own controller (the Deployment ${namespace}/${name}) writes the ManifestWorks of hub "${hub}". Two writers would undo each other’s work for ever, so propagation only observes here until RHACM’s is switched off.`,
    fix: {
      description:
        'To have this plugin deliver, switch RHACM’s basic pull model off and restart its controller; it then leaves its works as they are, ReadOnly, and argocdFleet.propagation.adoptReadOnly: true takes them over. To leave it to RHACM, set this controller to "observe".',
      command: `kubectl create configmap multicluster-integrations-config -n ${shellWord(namespace)} --from-literal=config.yaml='pullModel: {basic: {disabled: true}}'\nkubectl rollout restart deployment ${shellWord(name)} -n ${shellWord(namespace)}`,
    },
    object: { kind: 'Deployment', namespace, name },
    ...details,
  }),

  rhacmReports: (hub: string, namespace: string, name: string): Finding => ({
    code: 'AFC-408',
    severity: 'warning',
    title: `RHACM reports on hub ${hub} itself`,
    message: `RHACM’s own controller (the Deployment ${namespace}/${name}) writes the MulticlusterApplicationSetReports of hub "${hub}". Two writers would undo each other’s work for ever, so aggregation only observes here until RHACM’s pull model is switched off.`,
    fix: {
      description:
        'Nothing, as long as RHACM is to deliver: set this controller to "observe". Otherwise do what finding AFC-405 of propagation says.',
    },
    object: { kind: 'Deployment', namespace, name },
  }),

  rhacmUnknown: (hub: string, details: Details = {}): Finding => ({
    code: 'AFC-407',
    severity: 'info',
    title: `Whether RHACM propagates on hub ${hub} is not known`,
    message: `The user that hub "${hub}" knows us as may not see whether RHACM’s own controllers run there. Propagation goes on; should somebody else write the same ManifestWorks, it stops.`,
    fix: {
      description:
        'Give our service account the rules of deploy/rbac/read.yaml:',
      command: 'kubectl apply -f deploy/rbac/read.yaml',
    },
    ...details,
  }),

  worksOverwritten: (
    hub: string,
    namespace: string,
    name: string,
    manager: string,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-406',
    severity: 'error',
    title: `Another controller overwrites ManifestWorks on hub ${hub}`,
    message: `“${manager}” has undone more than once what propagation wrote into the ManifestWork ${namespace}/${name}. So that the two do not fight over every cluster, propagation only observes hub "${hub}" until ten minutes after the other’s last write, and then tries again.`,
    fix: {
      description:
        'Find out what writes under that field manager and stop it, or set this controller to "observe" and leave delivery to it:',
      command: `kubectl get manifestwork ${shellWord(name)} -n ${shellWord(namespace)} -o yaml --show-managed-fields`,
    },
    ...details,
  }),

  applicationSetFailed: (details: Details = {}): Finding => ({
    code: 'AFC-301',
    severity: 'error',
    title: 'The ApplicationSet cannot generate its Applications',
    message:
      'Argo CD’s ApplicationSet controller reports an error; Applications may be missing or out of date.',
    fix: {
      description: 'The evidence names the reason; correct the ApplicationSet.',
    },
    ...details,
  }),

  placementMissing: (
    placement: string,
    namespace: string,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-302',
    severity: 'error',
    title: `No Placement ${placement}`,
    message: `The generator takes its clusters from the Placement ${placement}, which does not exist in ${namespace}.`,
    fix: {
      description: 'Create it, or correct the generator’s labelSelector.',
      command: `kubectl get placements -n ${shellWord(namespace)}`,
    },
    ...details,
  }),

  nothingSelected: (
    placement: string,
    namespace: string,
    details: Details = {},
  ): Finding => ({
    code: 'AFC-303',
    severity: 'warning',
    title: 'No cluster selected',
    message: `The Placement ${placement} selects no cluster, so there is nothing to deploy to.`,
    fix: {
      description:
        'A Placement selects from the cluster sets that are bound to its namespace. Check the bindings and the Placement’s labels:',
      command: `kubectl get managedclustersetbindings -n ${shellWord(namespace)}\nkubectl describe placement ${shellWord(placement)} -n ${shellWord(namespace)}`,
    },
    ...details,
  }),
} as const;
