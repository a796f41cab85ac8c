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
      'The Application has the pull label but does not say which cluster it is meant for, so it is not delivered. What an earlier version brought to a cluster stays there.',
    fix: {
      description:
        'Add the annotation to the template of the ApplicationSet, or to the Application where it has none:',
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
      message: `The Application is meant for the cluster ${cluster}, but the hub has no ManagedCluster of that name, so it is not delivered.`,
      fix: {
        description:
          'Import the cluster, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster. These are known:',
        command: 'kubectl get managedclusters',
      },
      ...details,
    }),
  ),

  illegalName: defineFinding(
    'AFC-103',
    'error',
    (what: string, name: string, details: Details = {}) => ({
      title: `Illegal ${what}`,
      message: `Kubernetes does not take “${name}” as ${what}, so the Application is not delivered.`,
      fix: {
        description:
          'Use lower case letters, digits and hyphens, beginning and ending with a letter or digit; a namespace has at most 63 characters.',
      },
      ...details,
    }),
  ),

  notDecided: defineFinding(
    'AFC-104',
    'error',
    (cluster: string, namespace: string, details: Details = {}) => ({
      title: `No placement decision for ${cluster}`,
      message: `No Placement in the namespace ${namespace} selects ${cluster}, so the Application may not be delivered there. What is on the cluster already is kept, and no longer updated.`,
      fix: {
        description:
          'See which clusters the Placements of the namespace select. Where one is missing, bind a ManagedClusterSet that holds it to the namespace and have a Placement select it:',
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
      message: `The Application takes ${bytes} bytes and a ManifestWork holds at most ${limit}, so it is not delivered. What is on the cluster already is kept, and no longer updated.`,
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
      message: `A ManifestWork ${name} that does not belong to this Application is in the way, so the Application is not delivered.`,
      fix: { description: 'Remove that ManifestWork if nobody needs it.' },
      ...details,
    }),
  ),

  reconciledOnHub: defineFinding(
    'AFC-107',
    'warning',
    (count: number, details: Details = {}) => ({
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
  ),

  readOnlyWork: defineFinding(
    'AFC-108',
    'warning',
    (details: Details = {}) => ({
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
  ),

  notPropagated: defineFinding(
    'AFC-109',
    'warning',
    (details: Details = {}) => ({
      title: 'No ManifestWork yet',
      message:
        'The Application should travel to its cluster, but its ManifestWork does not exist.',
      fix: {
        description:
          'It is created within seconds where propagation runs. Otherwise see the Controllers page: propagation may be off, only observing, or without the right to create ManifestWorks.',
      },
      ...details,
    }),
  ),

  workTerminating: defineFinding(
    'AFC-110',
    'warning',
    (details: Details = {}) => ({
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
  ),

  placeTaken: defineFinding(
    'AFC-111',
    'error',
    (place: string, holder: NamespacedName, details: Details = {}) => ({
      title: 'Another Application of the hub is there',
      message: `On its cluster this Application would be the same one (${place}) as ${holder.namespace}/${holder.name} of the hub, which was there first. Both would overwrite each other, so this one is not delivered.`,
      fix: {
        description:
          'Rename one of them, or correct the annotation apps.open-cluster-management.io/ocm-managed-cluster-app-namespace. The other one is:',
        command: `kubectl get application ${shellWord(holder.name)} -n ${shellWord(holder.namespace)} -o yaml`,
      },
      ...details,
    }),
  ),

  noAppProject: defineFinding(
    'AFC-112',
    'warning',
    (project: string, details: Details = {}) => ({
      title: `No AppProject ${project} on the hub`,
      message: `AppProjects are to come along, but the hub has no ${project} beside the Application or in Argo CD’s own namespace. The Application is delivered without; it works where the cluster has that AppProject already.`,
      fix: {
        description:
          'Create the AppProject on the hub, or correct spec.project in the template of the ApplicationSet. These are there:',
        command: 'kubectl get appprojects --all-namespaces',
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'1'>;
