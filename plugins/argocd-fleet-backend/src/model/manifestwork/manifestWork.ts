import { hash } from 'node:crypto';
import {
  APPLICATION_SET_HASH_LABEL,
  APPLICATION_SET_LABEL,
  HOSTING_APPLICATION_SET_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
  type ArgoAppProject,
  type DeleteOption,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  owningApplicationSet,
  payloadApplication,
  payloadNamespace,
} from '../delivery';
import { mayDeliverNamespace } from './appNamespaces';
import {
  payloadAppProject,
  payloadNamespaceManifest,
} from './companionManifests';
import {
  applicationIdentifier,
  applicationManifestConfig,
} from './manifestConfig';
import type { WorkOptions } from './workOptions';

/** Which work is built. */
export interface WorkTarget {
  readonly cluster: string;
  readonly name: string;
  /** The Application's AppProject, if the work delivers it. */
  readonly appProject?: ArgoAppProject;
  /** Whether a destination without a namespace gets that of the Application on the cluster. */
  readonly defaultNamespace?: boolean;
}

/** Builds the work of a pull-model Application, without the defaults of OCM and the API server. */
export function buildManifestWork(
  application: ArgoApplication,
  work: WorkTarget,
  options: WorkOptions,
): ManifestWork {
  const { name, namespace = '' } = application.metadata;
  const owner = owningApplicationSet(application);
  const ownerName = owner && `${owner.namespace}/${owner.name}`;
  const companions = [
    ...(options.includeNamespace &&
    mayDeliverNamespace(payloadNamespace(application), options.argocdNamespace)
      ? [
          payloadNamespaceManifest(
            payloadNamespace(application),
            options.argocdNamespace,
          ),
        ]
      : []),
    ...(work.appProject
      ? [payloadAppProject(work.appProject, application)]
      : []),
  ];
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      name: work.name,
      namespace: work.cluster,
      labels: {
        [PULL_LABEL]: 'true',
        ...(ownerName && {
          [APPLICATION_SET_LABEL]: 'true',
          [APPLICATION_SET_HASH_LABEL]: sha1(ownerName),
        }),
      },
      annotations: {
        ...(ownerName && { [HOSTING_APPLICATION_SET_ANNOTATION]: ownerName }),
        [HUB_APPLICATION_NAMESPACE_ANNOTATION]: namespace,
        [HUB_APPLICATION_NAME_ANNOTATION]: name,
      },
    },
    spec: {
      workload: {
        manifests: [
          ...companions,
          payloadApplication(application, work.defaultNamespace),
        ],
      },
      manifestConfigs: [
        applicationManifestConfig(
          applicationIdentifier(payloadNamespace(application), name),
          options,
        ),
      ],
      ...(companions.length > 0 && {
        deleteOption: orphanCompanions(companions),
      }),
    },
  };
}

/** Companions stay on the cluster when the work is deleted: other Applications may use them too. */
function orphanCompanions(
  companions: readonly KubernetesObject[],
): DeleteOption {
  return {
    propagationPolicy: 'SelectivelyOrphan',
    selectivelyOrphans: {
      orphaningRules: companions.map(
        ({ kind, metadata: { namespace, name } }) =>
          kind === 'Namespace'
            ? { group: '', resource: 'namespaces', name }
            : {
                group: 'argoproj.io',
                resource: 'appprojects',
                namespace,
                name,
              },
      ),
    },
  };
}

/** Not for security: the label's contract is this hash, because namespace and name may be too long for a label. */
function sha1(text: string): string {
  return hash('sha1', text, 'hex');
}
