import { Application } from '../kubernetes/argocdTypes';
import { KubeObject } from '../kubernetes/objects';
import { ManifestConfig, ManifestWork } from '../kubernetes/workTypes';
import { workOf } from './pullModelWorks';

/** An Application of `path` with automated sync, as on a managed cluster. */
export function pulledApplication(name: string, path: string): Application {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name,
      namespace: 'openshift-gitops',
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: {
      project: 'default',
      source: { repoURL: 'https://example.com/r.git', path },
      destination: {
        server: 'https://kubernetes.default.svc',
        namespace: 'demo',
      },
      syncPolicy: { automated: {} },
    },
  };
}

/** The work that Argo CD Fleet creates for an Application on a cluster. */
export function applicationWork(
  cluster: string,
  name: string,
  path = 'demo',
): ManifestWork {
  const application = pulledApplication(name, path);
  const work = workOf(application);
  return { ...work, metadata: { name, namespace: cluster } };
}

/** A ReadOnly work that observes one object; `manifest` has only the object's identity. */
export function observingWork(
  cluster: string,
  name: string,
  manifest: KubeObject,
  config: ManifestConfig,
): ManifestWork {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name, namespace: cluster },
    spec: {
      workload: { manifests: [manifest] },
      manifestConfigs: [
        {
          feedbackScrapeType: 'Watch',
          ...config,
          updateStrategy: { type: 'ReadOnly' },
        },
      ],
    },
  };
}

/** A feedback value in a work's status. */
export function feedbackOf(
  work: ManifestWork | undefined,
  value: string,
): string | number | undefined {
  const field = work?.status?.resourceStatus?.manifests
    ?.flatMap(manifest => manifest.statusFeedback?.values ?? [])
    .find(({ name }) => name === value)?.fieldValue;
  return field?.string ?? field?.integer;
}
