import {
  PLACEMENT_LABEL,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { TestHub } from '../../../__testUtils__/hubFixture';
import { decisionStatus } from '../../../__testUtils__/objects';

/** Name of the ManagedClusterSet of a namespace, and of the label that its clusters have. */
export function setOf(namespace: string): string {
  return `set-${namespace}`;
}

/**
 * As an administrator binds a set of clusters, a user creates the Placement
 * `all`, and OCM decides.
 */
export async function decide(
  { admin, patchStatus }: TestHub,
  namespace: string,
  clusters: readonly string[],
): Promise<void> {
  const group = 'cluster.open-cluster-management.io';
  await admin.create('clusterSets', {
    apiVersion: `${group}/v1beta2`,
    kind: 'ManagedClusterSet',
    metadata: { name: setOf(namespace) },
    spec: {
      clusterSelector: {
        selectorType: 'LabelSelector',
        labelSelector: { matchLabels: { [setOf(namespace)]: 'true' } },
      },
    },
  } as KubernetesObject);
  await admin.create('clusterSetBindings', {
    apiVersion: `${group}/v1beta2`,
    kind: 'ManagedClusterSetBinding',
    metadata: { name: setOf(namespace), namespace },
    spec: { clusterSet: setOf(namespace) },
  } as KubernetesObject);
  const name = { namespace, name: 'all' };
  await admin.create('placements', {
    apiVersion: `${group}/v1beta1`,
    kind: 'Placement',
    metadata: name,
    spec: { clusterSets: [setOf(namespace)] },
  } as KubernetesObject);
  const placement = await admin.get('placements', name);
  const metadata = {
    namespace,
    name: 'all-decision-1',
    labels: { [PLACEMENT_LABEL]: 'all' },
    ownerReferences: [
      {
        apiVersion: `${group}/v1beta1`,
        kind: 'Placement',
        name: 'all',
        uid: placement!.metadata.uid!,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  };
  await admin.create('decisions', {
    apiVersion: `${group}/v1beta1`,
    kind: 'PlacementDecision',
    metadata,
  });
  await patchStatus('decisions', metadata, decisionStatus(clusters));
}
