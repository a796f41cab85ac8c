import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { readRule, type ReadResource } from './readRule';
import { shellWord } from './shellWord';

/** 5xx: the import of clusters into Argo CD. */
export const clusterImportFindings = {
  invalidGitOpsCluster: defineFinding(
    'AFC-501',
    'error',
    (details: Details = {}) => ({
      title: 'The GitOpsCluster cannot be followed',
      message:
        'The GitOpsCluster does not say which Placement of its own namespace and which Argo CD namespace it is about. Nothing is imported for it.',
      fix: {
        description: 'Correct its spec; the evidence says what is wrong.',
      },
      ...details,
    }),
  ),

  noPlacement: defineFinding(
    'AFC-502',
    'error',
    (placement: string, namespace: string, details: Details = {}) => ({
      title: `No Placement ${placement}`,
      message: `The GitOpsCluster takes its clusters from the Placement ${placement}, which does not exist in ${namespace}. Nothing is imported, and nothing that was is removed.`,
      fix: {
        description:
          'Create it, or correct spec.placementRef. These are there:',
        command: `kubectl get placements -n ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  clusterUnknown: defineFinding(
    'AFC-503',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: `No managed cluster ${cluster}`,
      message: `The Placement has decided on ${cluster}, but the hub has no ManagedCluster of that name, or it is being removed. It is not imported; a Secret that it has stays until the decision is withdrawn.`,
      fix: {
        description:
          'Mostly this passes by itself. Otherwise see which clusters there are:',
        command: 'kubectl get managedclusters',
      },
      ...details,
    }),
  ),

  secretKept: defineFinding(
    'AFC-504',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: `${cluster} has a Secret made by somebody else`,
      message: `Argo CD knows ${cluster} by a Secret that no GitOpsCluster brought. It is left as it is, and no other is made for the same cluster.`,
      fix: {
        description:
          'Nothing, where that Secret is meant. To have the cluster imported instead, delete it:',
        command: `kubectl delete secret ${shellWord(
          details.object?.name ?? '',
        )} -n ${shellWord(details.object?.namespace ?? '')}`,
      },
      ...details,
    }),
  ),

  noToken: defineFinding(
    'AFC-505',
    'error',
    (cluster: string, serviceAccount: string, details: Details = {}) => ({
      title: `No token for ${cluster}`,
      message: `Argo CD should reach ${cluster} as the ManagedServiceAccount ${serviceAccount}, and there is no token or no address for it. What Argo CD has of the cluster stays as it is.`,
      fix: {
        description:
          'Check that the add-on managed-serviceaccount runs for the cluster and that the ManagedServiceAccount reports a token:',
        command: `kubectl get managedserviceaccount ${shellWord(serviceAccount)} -n ${shellWord(cluster)} -o yaml`,
      },
      ...details,
    }),
  ),

  stillUsed: defineFinding(
    'AFC-506',
    'warning',
    (cluster: string, count: number, details: Details = {}) => ({
      title: `${cluster} is still used`,
      message: `No Placement selects ${cluster} for this Argo CD any more, but ${count === 1 ? 'an Application is' : `${count} Applications are`} meant for it. Its Secret stays as long as that is so.`,
      fix: {
        description:
          'Remove or retarget the Applications, or have the Placement select the cluster again. The evidence names the first of them.',
      },
      ...details,
    }),
  ),

  leftByOthers: defineFinding(
    'AFC-507',
    'info',
    (namespace: string, count: number, evidence: string) => ({
      title: `${count} cluster ${count === 1 ? 'Secret' : 'Secrets'} that nothing wants`,
      message: `In ${namespace} there are Secrets of clusters that no GitOpsCluster asks for. Somebody else made them, and when is not known, so they stay.`,
      evidence,
      fix: {
        description: 'Delete those that nobody needs.',
      },
      object: { kind: 'Namespace', name: namespace },
    }),
  ),

  otherDecides: defineFinding(
    'AFC-508',
    'warning',
    (cluster: string, decider: string, details: Details = {}) => ({
      title: `${decider} decides about ${cluster}`,
      message: `Two GitOpsClusters import ${cluster} into one Argo CD with different service accounts. The Secret is made as ${decider} wants it.`,
      fix: {
        description: 'Give both the same managedServiceAccountRef.',
      },
      ...details,
    }),
  ),

  generatorKept: defineFinding(
    'AFC-509',
    'warning',
    (details: Details = {}) => ({
      title: `The ${details.object?.kind ?? 'object'} is somebody else’s`,
      message:
        'What the ApplicationSet controller needs for PlacementDecisions is there and says something else than usual. It is left as it is; ApplicationSets may find no clusters.',
      fix: {
        description:
          'Nothing, where that is meant. Otherwise delete it, and it is made anew:',
        command: `kubectl delete ${shellWord(
          details.object?.kind?.toLowerCase() ?? '',
        )} ${shellWord(details.object?.name ?? '')} -n ${shellWord(
          details.object?.namespace ?? '',
        )}`,
      },
      ...details,
    }),
  ),

  namespaceUnreadable: defineFinding(
    'AFC-510',
    'error',
    (namespace: string, resource: ReadResource, details: Details = {}) => ({
      title: `${resource.plural} of ${namespace || 'the hub'} cannot be read`,
      message: `Which ${resource.plural} there are is not known, so nothing that depends on it is written or removed. Other GitOpsClusters go on.`,
      fix: {
        description: namespace
          ? `Where the evidence speaks of a permission, add this rule to a Role in ${namespace}, bound to our service account, or apply deploy/rbac/argocd-namespace/ with --namespace ${namespace}:`
          : 'Where the evidence speaks of a permission, add this rule to our ClusterRole; where it speaks of a resource that is not found, install the add-on that brings it:',
        command: readRule(resource),
      },
      ...details,
    }),
  ),

  nothingToImport: defineFinding('AFC-511', 'info', (hub: string) => ({
    title: `No GitOpsClusters on hub ${hub}`,
    message: `Hub "${hub}" has no resource GitOpsCluster, so there are no clusters to import into Argo CD. Where their Secrets are made otherwise, nothing is missing.`,
    fix: {
      description:
        'To use it, install the CRD gitopsclusters.apps.open-cluster-management.io; otherwise set argocdFleet.controllers.clusterImport.mode to "off".',
    },
  })),
} satisfies FindingsOfRange<'5'>;
