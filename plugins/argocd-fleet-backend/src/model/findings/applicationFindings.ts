import {
  PULL_LABEL,
  type NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { MissingPullLabel } from '../delivery';
import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { pullMetadata, SKIP_LINE, TARGET_LINE } from './pullMetadata';
import { readRule } from './readRule';
import { shellWord } from './shellWord';
import { yamlName } from './yamlName';

const AUTHORISING = [
  'placements',
  'managedclustersets',
  'managedclustersetbindings',
].map(plural => ({ group: 'cluster.open-cluster-management.io', plural }));

/** "the annotation a", "the annotations a and b" */
function named(annotations: readonly string[]): string {
  return annotations.length === 1
    ? `the annotation ${annotations[0]}`
    : `the annotations ${annotations.join(' and ')}`;
}

function labelOf({ label }: MissingPullLabel): string {
  return label === undefined
    ? `lacks the label ${PULL_LABEL}`
    : `has “${label}” as the value of its label ${PULL_LABEL}, which only counts as "true"`;
}

const ADD_TO_TEMPLATE =
  'Add this to the template of the ApplicationSet, or to the Application if no ApplicationSet generates it; with goTemplate, the placeholder is {{.name}}.';

/** 1xx: the Application on the hub and its delivery. */
export const applicationFindings = {
  noTarget: defineFinding('AFC-101', 'error', (details: Details = {}) => ({
    title: 'No target cluster',
    message:
      'The Application has the pull label but no target cluster, so it is not delivered. What an earlier version deployed on a cluster stays there.',
    fix: {
      description:
        'Add the annotation to the template of the ApplicationSet, or to the Application if no ApplicationSet generates it:',
      command:
        'metadata:\n  annotations:\n    apps.open-cluster-management.io/ocm-managed-cluster: "{{name}}"',
    },
    ...details,
  })),

  targetUnknown: defineFinding(
    'AFC-102',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `No managed cluster ${cluster}`,
      message: `The Application targets the cluster ${cluster}, but the hub has no ManagedCluster of that name, so the Application is not delivered.`,
      fix: {
        description:
          'Import the cluster, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster. The hub knows these clusters:',
        command:
          'kubectl get managedclusters.cluster.open-cluster-management.io',
      },
      ...details,
    }),
  ),

  illegalName: defineFinding(
    'AFC-103',
    'error',
    (what: string, name: string, details: Details = {}) => ({
      title: `Illegal name of ${what}`,
      message: `Kubernetes does not accept “${name}” as the name of ${what}, so the Application is not delivered.`,
      fix: {
        description:
          'Use lower case letters, digits and hyphens, beginning and ending with a letter or digit; a namespace has at most 63 characters.',
      },
      ...details,
    }),
  ),

  notSelected: defineFinding(
    'AFC-104',
    'error',
    (cluster: string, namespace: string, details: Details = {}) => ({
      title: `No placement decision for ${cluster}`,
      message: `No Placement in the namespace ${namespace} selects ${cluster}, so the Application may not be delivered there. What is on the cluster already stays, but is no longer updated.`,
      fix: {
        description:
          'List the clusters that the Placements of the namespace select. If one is missing, bind a ManagedClusterSet that contains it to the namespace, and let a Placement select it:',
        command: `kubectl get placementdecisions.cluster.open-cluster-management.io -n ${shellWord(namespace)} -o jsonpath='{range .items[*]}{.metadata.name}{": "}{.status.decisions[*].clusterName}{"\\n"}{end}'`,
      },
      ...details,
    }),
  ),

  tooLarge: defineFinding(
    'AFC-105',
    'error',
    (bytes: number, limit: number, details: Details = {}) => ({
      title: 'Too large for a ManifestWork',
      message: `The Application has ${bytes} bytes and a ManifestWork holds at most ${limit}, so it is not delivered. What is on the cluster already stays, but is no longer updated.`,
      fix: {
        description:
          'Move long Helm values or inline manifests of the Application into its Git repository.',
      },
      ...details,
    }),
  ),

  workNameTaken: defineFinding(
    'AFC-106',
    'error',
    (name: string, details: Details = {}) => ({
      title: 'The name of the ManifestWork is taken',
      message: `The ManifestWork ${name} exists and does not belong to this Application, so the Application is not delivered.`,
      fix: { description: 'Remove that ManifestWork if it is not needed.' },
      ...details,
    }),
  ),

  reconciledOnHub: defineFinding(
    'AFC-107',
    'warning',
    (count: number, details: Details = {}) => ({
      title: 'The hub’s Argo CD reconciles pulled Applications',
      message: `${
        count === 1 ? 'One Application is' : `${count} Applications are`
      } reconciled by the Argo CD of the hub and by that of the managed cluster, so their status alternates between the two.`,
      fix: {
        description:
          'Add the annotation to the template of the ApplicationSet, or to the Application if no ApplicationSet generates it:',
        command:
          'metadata:\n  annotations:\n    argocd.argoproj.io/skip-reconcile: "true"',
      },
      ...details,
    }),
  ),

  pullLabelMissing: defineFinding(
    'AFC-118',
    'error',
    (missing: MissingPullLabel, details: Details = {}) => ({
      title: 'No pull label, so nothing deploys it',
      message: `The Application has ${named(missing.annotations)} of the pull model, but it ${labelOf(missing)}. So no ManifestWork delivers it, and the hub’s Argo CD skips it as well (argocd.argoproj.io/skip-reconcile).`,
      fix: {
        description: ADD_TO_TEMPLATE,
        command: pullMetadata(
          missing.target === undefined ? [TARGET_LINE] : [],
        ),
      },
      ...details,
    }),
  ),

  deployedByHub: defineFinding(
    'AFC-119',
    'warning',
    (
      missing: MissingPullLabel,
      destination: string,
      details: Details = {},
    ) => ({
      title: `No pull label, so the hub deploys it to ${destination}`,
      message: `The Application has ${named(missing.annotations)} of the pull model, but it ${labelOf(missing)}. So the hub’s Argo CD deploys it itself, to ${destination}, and no agent pulls it.`,
      fix: {
        description: `${ADD_TO_TEMPLATE} If the hub is meant to deploy it, remove ${named(missing.annotations)} instead.`,
        command: pullMetadata([
          ...(missing.target === undefined ? [TARGET_LINE] : []),
          SKIP_LINE,
        ]),
      },
      ...details,
    }),
  ),

  readOnlyWork: defineFinding(
    'AFC-108',
    'warning',
    (details: Details = {}) => ({
      title: 'The ManifestWork is read-only',
      message:
        'RHACM was switched off and set this ManifestWork to ReadOnly: the cluster reports, but changes are not delivered. It stays unchanged until you decide what delivers from now on.',
      fix: {
        description:
          'To have this plugin deliver all such Applications from now on, set in its configuration:',
        command: 'argocdFleet:\n  propagation:\n    adoptReadOnly: true',
      },
      ...details,
    }),
  ),

  notPropagated: defineFinding(
    'AFC-109',
    'warning',
    (details: Details = {}) => ({
      title: 'No ManifestWork yet',
      message:
        'The Application should be delivered to its cluster, but its ManifestWork does not exist.',
      fix: {
        description:
          'Propagation creates it within seconds. If it does not, see the Controllers page: propagation may be off, set to observe, or lack the permission to create ManifestWorks.',
      },
      ...details,
    }),
  ),

  workTerminating: defineFinding(
    'AFC-110',
    'warning',
    (details: Details = {}) => ({
      title: 'Waits for the deletion of the old ManifestWork',
      message:
        'The ManifestWork that the Application needs is being deleted: the Application had another target meanwhile, or a user deleted the work. It is created again once it is gone; what runs elsewhere stays until then.',
      fix: {
        description:
          'The agent completes the deletion after removing what it applied; for that it has to be connected. See what it waits for:',
        command: `kubectl get manifestworks.work.open-cluster-management.io ${shellWord(
          details.object?.name ?? '',
        )} -n ${shellWord(details.object?.namespace ?? '')} -o yaml`,
      },
      ...details,
    }),
  ),

  targetTaken: defineFinding(
    'AFC-111',
    'error',
    // Without the namespace of the other one: whoever reads this may not be allowed to see it.
    (target: string, name: string, details: Details = {}) => ({
      title: 'Another Application of the hub has the same target',
      message: `On its cluster this Application would be the same object (${target}) as another one of the hub, which was there first. Both would overwrite each other, so this one is not delivered.`,
      fix: {
        description:
          'Rename one of them, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster-app-namespace. The other one has the same name in another namespace of the hub:',
        command: `kubectl get applications.argoproj.io --all-namespaces --field-selector metadata.name=${shellWord(name)}`,
      },
      ...details,
    }),
  ),

  noAppProject: defineFinding(
    'AFC-112',
    'warning',
    (project: string, argocdNamespace: string, details: Details = {}) => ({
      title: `No AppProject ${project} on the hub`,
      message: `Propagation is set to deliver AppProjects, but the hub has no ${project} in the namespace of Argo CD (${argocdNamespace}); those of other namespaces are not delivered. The Application is delivered without it, and works if the cluster has that AppProject already. A ManifestWork that has it already keeps it.`,
      fix: {
        description:
          'Create the AppProject there, correct spec.project in the template of the ApplicationSet, or set argocdFleet.propagation.argocdNamespace if the Argo CD of the hub is in another namespace. It has these:',
        command: `kubectl get appprojects.argoproj.io -n ${shellWord(argocdNamespace)}`,
      },
      ...details,
    }),
  ),

  namespaceNotAllowed: defineFinding(
    'AFC-113',
    'error',
    (
      {
        hubNamespace,
        wanted,
        allowed,
        isDelivered,
      }: {
        readonly hubNamespace: string;
        readonly wanted: string;
        readonly allowed: readonly string[];
        /** It is in that namespace already: only then the configuration grants nothing that the tenant did not have. */
        readonly isDelivered: boolean;
      },
      details: Details = {},
    ) => ({
      title: `May not use the namespace ${wanted} of its cluster`,
      message: `Applications of the namespace ${hubNamespace} may use ${
        allowed.length > 0 ? allowed.join(', ') : 'no namespace'
      } on managed clusters, and this one is for ${wanted}, so it is not delivered. What is on the cluster already stays, but is no longer updated.`,
      fix: {
        description: `Remove or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster-app-namespace.${
          isDelivered
            ? ' It was delivered there before: if the administrator of the hub trusts the namespace with it, the configuration of the plugin allows it:'
            : ''
        }`,
        ...(isDelivered && {
          command: `argocdFleet:\n  propagation:\n    appNamespaces:\n      ${yamlName(hubNamespace)}: [${[
            ...allowed,
            wanted,
          ]
            .map(yamlName)
            .join(', ')}]`,
        }),
      },
      ...details,
    }),
  ),

  namespaceLeftOut: defineFinding(
    'AFC-114',
    'warning',
    (namespace: string, details: Details = {}) => ({
      title: `The namespace ${namespace} is not delivered`,
      message: `Propagation is set to deliver the namespaces of Applications, but ${namespace} belongs to Kubernetes or OpenShift. The Application is delivered without it, and works if the cluster has that namespace. A ManifestWork that has it already keeps it.`,
      fix: {
        description:
          'Create the namespace on the cluster if it is missing. If it is that of Argo CD, set in the configuration of the plugin:',
        command: `argocdFleet:\n  propagation:\n    argocdNamespace: ${yamlName(namespace)}`,
      },
      ...details,
    }),
  ),

  decisionDoesNotCount: defineFinding(
    'AFC-115',
    'error',
    (
      cluster: string,
      {
        verdict,
        decision,
        reason,
      }: {
        readonly verdict: string;
        readonly decision?: NamespacedName;
        /** What is missing. */
        readonly reason?: string;
      },
      details: Details = {},
    ) => {
      const namespace = shellWord(decision?.namespace ?? '');
      return {
        title: `The placement decision for ${cluster} does not count`,
        message: `The PlacementDecision ${decision?.name} of ${decision?.namespace} names ${cluster}. It authorises nothing, because it is not one that Open Cluster Management made for a Placement of that namespace and a cluster that the namespace may use. Nothing new is delivered or imported. What exists already stays, but is no longer updated.`,
        evidence: reason,
        fix:
          verdict === 'notInSet'
            ? {
                description:
                  'Have an administrator of a ManagedClusterSet that contains the cluster bind it to the namespace, or let the Placement use a set that is bound. The sets, and those that are bound:',
                command: `kubectl get managedclustersets.cluster.open-cluster-management.io\nkubectl get managedclustersetbindings.cluster.open-cluster-management.io -n ${namespace}`,
              }
            : {
                description:
                  'Let a Placement of the namespace select the cluster; Open Cluster Management then makes a decision that counts. Only after that delete this one: an ApplicationSet that finds no decision deletes its Applications. See what the namespace has:',
                command: `kubectl get placements.cluster.open-cluster-management.io,placementdecisions.cluster.open-cluster-management.io -n ${namespace} -o yaml`,
              },
        ...details,
      };
    },
  ),

  authorisationUnknown: defineFinding(
    'AFC-116',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: `Not known whether ${cluster} may be used`,
      message: `A PlacementDecision names ${cluster}, but the hub’s Placements, ManagedClusterSets or ManagedClusterSetBindings are not listed, so it is not known whether it counts. Nothing is written for it until that is known; what exists stays.`,
      fix: {
        description:
          'While the backend starts, this takes seconds. Otherwise the backend’s user may not read one of them: add these rules to its ClusterRole, or apply deploy/rbac/read.yaml:',
        command: AUTHORISING.map(readRule).join('\n'),
      },
      ...details,
    }),
  ),

  defaultNamespaceKept: defineFinding(
    'AFC-117',
    'info',
    (namespace: string, details: Details = {}) => ({
      title: `Keeps the default namespace ${namespace}`,
      message: `The Application has no spec.destination.namespace, and its ManifestWork has ${namespace}, the namespace of the Application on the cluster: RHACM’s controllers or an earlier configuration filled it in. It stays until the spec of the Application changes. From then on the Application is delivered without it, and Argo CD syncs no resource that names no namespace itself.`,
      fix: {
        description:
          'To keep the namespace, set it in the template of the ApplicationSet, or in the Application if no ApplicationSet generates it:',
        command: `spec:\n  destination:\n    namespace: ${yamlName(namespace)}`,
      },
      ...details,
    }),
  ),

  unreadable: defineFinding(
    'AFC-129',
    'error',
    (kind: string, reason: string, details: Details = {}) => ({
      title: `The ${kind} cannot be read`,
      message: `The ${kind} ${reason}, so nothing is written or deleted for it. What runs stays as it is.`,
      fix: {
        description:
          'Remove deep nesting from it: mostly it is in spec.source.helm.valuesObject, or in a manifest. Where it has none, the log of the backend has the reason.',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'1'>;
