import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { readRule, type ReadResource } from './readRule';
import { shellWord } from './shellWord';

/** One reconcile of a controller. */
interface Reconcile {
  readonly controller: string;
  readonly hub: string;
  readonly key: string;
}

/** 41x and 42x: what the controllers cannot do, or do not do. */
export const controllerFindings = {
  writeForbidden: defineFinding(
    'AFC-411',
    'error',
    (
      { controller, hub, key }: Reconcile,
      /** The file in deploy/rbac/ that has the controller's rules. */
      rbacFile: string,
      details: Details = {},
    ) => ({
      title: `The hub does not permit a write for ${key}`,
      message: `Hub "${hub}" denies ${controller} a write for ${key}. The controller retries by itself soon after the permission is granted.`,
      fix: {
        description:
          'Give the backend’s user the rules of deploy/rbac/, or set this controller to "observe".',
        command: `kubectl apply -f deploy/rbac/${shellWord(rbacFile)}`,
      },
      ...details,
    }),
  ),

  writeInvalid: defineFinding(
    'AFC-412',
    'error',
    ({ controller, hub, key }: Reconcile, details: Details = {}) => ({
      title: `The hub rejects a write for ${key}`,
      message: `The API server of hub "${hub}" finds what ${controller} writes for ${key} invalid. The controller retries when something changes.`,
      ...details,
    }),
  ),

  reconcileFailed: defineFinding(
    'AFC-413',
    'warning',
    ({ controller, hub, key }: Reconcile, details: Details = {}) => ({
      title: `${key} could not be reconciled`,
      message: `A request to hub "${hub}" failed while ${controller} reconciled ${key}. The controller retries by itself.`,
      ...details,
    }),
  ),

  namespaceMissing: defineFinding(
    'AFC-414',
    'error',
    (
      { controller, hub, key }: Reconcile,
      namespace: string,
      details: Details = {},
    ) => ({
      title: `Hub ${hub} has no namespace ${namespace}`,
      message: `What ${controller} creates for ${key} belongs into the namespace ${namespace}, which does not exist. The controller retries at growing intervals.`,
      fix: {
        description:
          'Open Cluster Management creates the namespace of a managed cluster when the cluster is accepted. Check that it was accepted, or recreate the namespace if it was deleted:',
        command: `kubectl get managedclusters.cluster.open-cluster-management.io ${shellWord(namespace)}\nkubectl create namespace ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  notRecorded: defineFinding(
    'AFC-415',
    'warning',
    (hub: string, key: string, details: Details = {}) => ({
      title: `${key} could not be recorded`,
      message: `The plugin’s database did not store the state of ${key} on hub "${hub}". What is shown is current. Its history is completed once the database works again, without changes that were undone meanwhile.`,
      ...details,
    }),
  ),

  deliveriesWait: defineFinding(
    'AFC-416',
    'error',
    (
      hub: string,
      resource: ReadResource & { readonly kind: string },
      details: Details = {},
    ) => ({
      title: `New deliveries wait on hub ${hub}`,
      message: `${resource.plural} of hub "${hub}" cannot be read, so it is not known which PlacementDecisions count. Applications that have a ManifestWork are kept up to date; those that have none wait.`,
      fix: {
        description:
          'If the hub has the resource, add this rule to the ClusterRole of the backend’s user, or apply deploy/rbac/read.yaml; otherwise install Open Cluster Management’s CRD:',
        command: readRule(resource),
      },
      object: {
        kind: 'CustomResourceDefinition',
        name: `${resource.plural}.${resource.group}`,
      },
      ...details,
    }),
  ),

  writesWithheld: defineFinding(
    'AFC-420',
    'info',
    (
      controller: string,
      hub: string,
      count: number,
      details: Details = {},
    ) => ({
      title: `${count} ${count === 1 ? 'write' : 'writes'} withheld`,
      message: `${controller} only observes hub "${hub}". The evidence lists what it would write now.`,
      fix: {
        description: `To have it written, set argocdFleet.controllers.${controller}.mode to "manage".`,
      },
      ...details,
    }),
  ),

  moreFindings: defineFinding(
    'AFC-421',
    'info',
    (shown: number, total: number) => ({
      title: `${total - shown} more findings`,
      message: `These are the ${shown} most severe of ${total} findings. Fix these first; the others are shown after them.`,
    }),
  ),
} satisfies FindingsOfRange<'41' | '42'>;
