import type {
  KubernetesObject,
  ManifestConfig,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';

/** The Application that a work carries. */
export function applicationManifest(
  work: ManifestWork,
): KubernetesObject | undefined {
  return work.spec.workload?.manifests?.find(isApplication);
}

/** Whether a manifest is an Argo CD Application, of any version. */
export function isApplication(manifest: KubernetesObject): boolean {
  return (
    manifest.kind === 'Application' &&
    manifest.apiVersion.startsWith('argoproj.io/')
  );
}

/** Whether a work's configuration is about an Argo CD Application. */
export function isApplicationConfig(config: ManifestConfig): boolean {
  const { group, resource } = config.resourceIdentifier;
  return group === 'argoproj.io' && resource === 'applications';
}

/** Whether the work only observes its Application: RHACM leaves its works so when it is switched off, and so they stay. */
export function isReadOnlyWork(work: ManifestWork): boolean {
  return (work.spec.manifestConfigs ?? []).some(
    config =>
      isApplicationConfig(config) && config.updateStrategy?.type === 'ReadOnly',
  );
}
