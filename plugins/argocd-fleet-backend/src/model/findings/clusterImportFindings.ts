import {
  defineFinding,
  type Details,
  type FindingsOfRange,
} from './defineFinding';
import { readRule, type ReadResource } from './readRule';
import { resourceOfKind } from './resourceNames';
import { shellWord } from './shellWord';
import { yamlName } from './yamlName';

/** The cluster Secrets of one cluster in one namespace. */
export interface Namesakes {
  readonly namespace: string;
  readonly names: readonly string[];
  /** The one that is removed once no Application needs it. */
  readonly superseded?: string;
}

/** 5xx: the import of clusters into Argo CD. */
export const clusterImportFindings = {
  invalidGitOpsCluster: defineFinding(
    'AFC-501',
    'error',
    (details: Details = {}) => ({
      title: 'The GitOpsCluster is invalid',
      message:
        'The GitOpsCluster does not name a Placement of its own namespace and an Argo CD namespace. Nothing is imported for it.',
      fix: {
        description: 'Correct its spec; the evidence names what is wrong.',
      },
      ...details,
    }),
  ),

  noPlacement: defineFinding(
    'AFC-502',
    'error',
    (placement: string, namespace: string, details: Details = {}) => ({
      title: `No Placement ${placement}`,
      message: `The GitOpsCluster takes its clusters from the Placement ${placement}, which does not exist in ${namespace}. No cluster is imported or removed.`,
      fix: {
        description:
          'Create it, or correct spec.placementRef. The namespace has these:',
        command: `kubectl get placements.cluster.open-cluster-management.io -n ${shellWord(namespace)}`,
      },
      ...details,
    }),
  ),

  clusterUnknown: defineFinding(
    'AFC-503',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: `No managed cluster ${cluster}`,
      message: `The Placement selects ${cluster}, but the hub has no ManagedCluster of that name, or it is being deleted. The cluster is not imported; a Secret that it has stays as long as the Placement selects it.`,
      fix: {
        description:
          'Usually this resolves itself. Otherwise list the managed clusters:',
        command:
          'kubectl get managedclusters.cluster.open-cluster-management.io',
      },
      ...details,
    }),
  ),

  secretKept: defineFinding(
    'AFC-504',
    'warning',
    (cluster: string, details: Details = {}) => ({
      title: `${cluster} has a Secret of another owner`,
      message: `Argo CD knows ${cluster} by a Secret that no GitOpsCluster created. It stays unchanged, and no other is created for the cluster.`,
      fix: {
        description:
          'Nothing, if that Secret is intended. To have the cluster imported instead, delete it:',
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
      message: `Argo CD should reach ${cluster} as the ManagedServiceAccount ${serviceAccount}, but its token or the cluster’s address is missing. Argo CD’s Secret of the cluster stays unchanged.`,
      fix: {
        description:
          'Check that the add-on managed-serviceaccount runs for the cluster and that the ManagedServiceAccount reports a token:',
        command: `kubectl get managedserviceaccounts.authentication.open-cluster-management.io ${shellWord(serviceAccount)} -n ${shellWord(cluster)} -o yaml`,
      },
      ...details,
    }),
  ),

  illegalTokenSecret: defineFinding(
    'AFC-512',
    'error',
    (cluster: string, serviceAccount: string, details: Details = {}) => ({
      title: `Illegal name of the token of ${cluster}`,
      message: `The ManagedServiceAccount ${serviceAccount} of ${cluster} names as its token a Secret that cannot exist, so nothing is read. Argo CD’s Secret of the cluster stays unchanged.`,
      fix: {
        description:
          'The add-on managed-serviceaccount of the cluster writes status.tokenSecretRef: find out who changed it.',
        command: `kubectl get managedserviceaccounts.authentication.open-cluster-management.io ${shellWord(serviceAccount)} -n ${shellWord(cluster)} -o yaml`,
      },
      ...details,
    }),
  ),

  stillUsed: defineFinding(
    'AFC-506',
    'warning',
    (cluster: string, count: number, details: Details = {}) => ({
      title: `${cluster} is still used`,
      message: `No Placement selects ${cluster} for this Argo CD any more, but ${count === 1 ? 'an Application is' : `${count} Applications are`} still targeting it. Its Secret stays until none does.`,
      fix: {
        description:
          'Remove or retarget the Applications, or have a Placement select the cluster again. The evidence names the first of them.',
      },
      ...details,
    }),
  ),

  orphanedSecrets: defineFinding(
    'AFC-507',
    'info',
    (namespace: string, count: number, evidence: string) => ({
      title: `${count} cluster ${count === 1 ? 'Secret' : 'Secrets'} without a GitOpsCluster`,
      message: `The namespace ${namespace} has Secrets of clusters that no GitOpsCluster selects. Another controller or a user created them at an unknown time, so they stay.`,
      evidence,
      fix: {
        description: 'Delete those that are not needed.',
      },
      object: { kind: 'Namespace', name: namespace },
    }),
  ),

  conflictingGitOpsCluster: defineFinding(
    'AFC-508',
    'warning',
    (cluster: string, decider: string, details: Details = {}) => ({
      title: `${decider} determines the Secret of ${cluster}`,
      message: `Two GitOpsClusters import ${cluster} into one Argo CD with different service accounts, or one of them with Argo CD’s agent. The Secret follows one of them: one with the agent, then one with a service account before one without, then the first by name.`,
      fix: {
        description:
          'Give both the same managedServiceAccountRef and the same gitopsAddon.argoCDAgent.',
      },
      ...details,
    }),
  ),

  generatorKept: defineFinding(
    'AFC-509',
    'warning',
    (details: Details = {}) => {
      const { kind, name = '', namespace = '' } = details.object ?? {};
      const resource = resourceOfKind(kind);
      return {
        title: `The ${kind ?? 'object'} has another owner`,
        message:
          'The object that the ApplicationSet controller needs for PlacementDecisions exists with unexpected contents. It stays unchanged; ApplicationSets may find no clusters.',
        fix: {
          description:
            'Nothing, if that is intended. Otherwise delete it; it is then created again:',
          ...(resource && {
            command: `kubectl delete ${resource} ${shellWord(name)} -n ${shellWord(namespace)}`,
          }),
        },
        ...details,
      };
    },
  ),

  namespaceUnreadable: defineFinding(
    'AFC-510',
    'error',
    (namespace: string, resource: ReadResource, details: Details = {}) => ({
      title: `${resource.plural} of ${namespace || 'the hub'} cannot be read`,
      message: `It is not known which ${resource.plural} exist, so nothing that depends on them is written or removed. Other GitOpsClusters are not affected.`,
      fix: {
        description: namespace
          ? `If the evidence is about a permission, add this rule to a Role in ${namespace}, bound to the backend’s user, or apply deploy/rbac/argocd-namespace/ with --namespace ${namespace}:`
          : 'If the evidence is about a permission, add this rule to the ClusterRole of the backend’s user; if a resource is not found, install the add-on that provides it:',
        command: readRule(resource),
      },
      ...details,
    }),
  ),

  nothingToImport: defineFinding('AFC-511', 'info', (hub: string) => ({
    title: `No GitOpsClusters on hub ${hub}`,
    message: `Hub "${hub}" has no resource GitOpsCluster, so there are no clusters to import into Argo CD. Nothing is missing if their Secrets are created in another way.`,
    fix: {
      description:
        'To use it, install the CRD gitopsclusters.apps.open-cluster-management.io; otherwise set argocdFleet.controllers.clusterImport.mode to "off".',
    },
  })),
  importNotPermitted: defineFinding(
    'AFC-513',
    'error',
    (
      namespace: string,
      argoNamespace: string,
      /** Whether Secrets of its clusters exist: only then the configuration grants nothing new. */
      isImported: boolean,
      details: Details = {},
    ) => ({
      title: `${namespace} may not import clusters into ${argoNamespace}`,
      message: `By default a GitOpsCluster imports clusters into the Argo CD of its own namespace only: whoever may create one in ${namespace} would otherwise decide which clusters the Argo CD of ${argoNamespace} knows. Nothing is imported for it. Secrets of its clusters that exist stay, and are no longer updated.`,
      fix: {
        description: isImported
          ? 'Secrets of its clusters exist there from before. If the administrator of the hub trusts the namespace with it, the configuration of the plugin permits it:'
          : 'Correct spec.argoServer.argoNamespace. If Secrets of its clusters exist there from before, the administrator of the hub decides by argocdFleet.clusterImport.argocdNamespaces whether they are updated again.',
        ...(isImported && {
          command: [
            'argocdFleet:',
            '  clusterImport:',
            '    argocdNamespaces:',
            `      ${yamlName(argoNamespace)}: [${yamlName(namespace)}]`,
          ].join('\n'),
        }),
      },
      ...details,
    }),
  ),

  addressRefused: defineFinding(
    'AFC-514',
    'error',
    (cluster: string, details: Details = {}) => ({
      title: `The address that ${cluster} reports is refused`,
      message: `Argo CD would send the token of ${cluster} to the address that the cluster’s agent reports, and deploy there what is meant for the cluster. That address cannot be its own, so the cluster is not imported. A Secret that it has stays unchanged, and its token is no longer renewed.`,
      fix: {
        description:
          'If the cluster was not set up this way, it may be compromised. Otherwise correct the address in its klusterlet (externalServerURLs) or in the ManagedCluster; the hub itself is known to Argo CD as in-cluster:',
        command: `kubectl get managedclusters.cluster.open-cluster-management.io ${shellWord(cluster)} -o jsonpath='{.spec.managedClusterClientConfigs}'`,
      },
      ...details,
    }),
  ),

  duplicateCluster: defineFinding(
    'AFC-515',
    'error',
    (
      cluster: string,
      { namespace, names, superseded }: Namesakes,
      details: Details = {},
    ) => ({
      title: `${names.length} Secrets of the cluster ${cluster} in ${namespace}`,
      message: `More than one cluster Secret of Argo CD’s namespace ${namespace} has the name ${cluster}. Argo CD does not know which of them a destination of that name means, and refuses it: an ApplicationSet with the cluster reports “${names.length} clusters with the same name”, and its Applications there are neither created nor updated.`,
      fix: superseded
        ? {
            description:
              'The cluster was imported, and then registered by argocd-agent. Our Secret has no credentials, and is removed once no Application has it as destination but the agent’s; the evidence names those that have. If none of them needs it, remove it:',
            command: `kubectl delete secret ${shellWord(superseded)} -n ${shellWord(namespace)}`,
          }
        : {
            description:
              'Find out which of them Argo CD is to use, and delete the others. Where argocd-agent registered the cluster, that is its Secret: give it all labels of the others first, since the generators of ApplicationSets select clusters by them, and delete their Applications where they find none:',
            command: `kubectl get secret ${names.map(shellWord).join(' ')} -n ${shellWord(namespace)} --show-labels`,
          },
      ...details,
    }),
  ),

  /** No command: the name is that of whoever wrote the GitOpsCluster. */
  accountNotPermitted: defineFinding(
    'AFC-516',
    'error',
    (argoNamespace: string, serviceAccount: string, details: Details = {}) => ({
      title: `${argoNamespace} may not get tokens of ${serviceAccount}`,
      message: `A GitOpsCluster asks for the tokens of the ManagedServiceAccount ${serviceAccount} for the Argo CD of ${argoNamespace}. Whoever may create a GitOpsCluster would otherwise get the rights of every such account on the clusters, those of other teams and of add-ons too. Nothing is imported for it. Secrets of its clusters that exist stay, and their tokens are no longer renewed.`,
      fix: {
        description: `If the administrator of the hub trusts whoever reads Secrets in ${argoNamespace} with the rights of this account on the clusters, add its name to argocdFleet.clusterImport.managedServiceAccounts for that namespace. Otherwise correct spec.managedServiceAccountRef.`,
      },
      ...details,
    }),
  ),
} satisfies FindingsOfRange<'5'>;
