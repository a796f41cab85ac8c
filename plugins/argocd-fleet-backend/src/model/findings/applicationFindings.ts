import type { NamespacedName } from 'backstage-plugin-argocd-fleet-common';
import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { shellWord } from './shellWord';

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
        command: 'kubectl get managedclusters',
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
        command: `kubectl get placementdecisions -n ${shellWord(namespace)} -o jsonpath='{range .items[*]}{.metadata.name}{": "}{.status.decisions[*].clusterName}{"\\n"}{end}'`,
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
        command: `kubectl get manifestwork ${shellWord(
          details.object?.name ?? '',
        )} -n ${shellWord(details.object?.namespace ?? '')} -o yaml`,
      },
      ...details,
    }),
  ),

  targetTaken: defineFinding(
    'AFC-111',
    'error',
    (target: string, owner: NamespacedName, details: Details = {}) => ({
      title: 'Another Application of the hub has the same target',
      message: `On its cluster this Application would be the same object (${target}) as ${owner.namespace}/${owner.name} of the hub, which was there first. Both would overwrite each other, so this one is not delivered.`,
      fix: {
        description:
          'Rename one of them, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster-app-namespace. The other one is:',
        command: `kubectl get application ${shellWord(owner.name)} -n ${shellWord(owner.namespace)} -o yaml`,
      },
      ...details,
    }),
  ),

  noAppProject: defineFinding(
    'AFC-112',
    'warning',
    (project: string, details: Details = {}) => ({
      title: `No AppProject ${project} on the hub`,
      message: `Propagation is set to deliver AppProjects, but the hub has no ${project} in the namespace of the Application or of Argo CD. The Application is delivered without it, and works if the cluster has that AppProject already.`,
      fix: {
        description:
          'Create the AppProject on the hub, or correct spec.project in the template of the ApplicationSet. The hub has these:',
        command: 'kubectl get appprojects --all-namespaces',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'1'>;
