import type {
  KubernetesObject,
  ManifestConfig,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';

/** The Application manifest that a work delivers. */
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

/**
 * The manifests behind the Application that have a name only, without spec: the agent reports about these Rollouts and
 * Applications, and does not apply them.
 */
export function observedManifests(
  work: ManifestWork,
): readonly KubernetesObject[] {
  const manifests = work.spec.workload?.manifests ?? [];
  return manifests
    .slice(manifests.findIndex(isApplication) + 1)
    .filter(isNameOnly);
}

function isNameOnly(manifest: KubernetesObject): boolean {
  return (
    (isApplication(manifest) ||
      (manifest.kind === 'Rollout' &&
        manifest.apiVersion.startsWith('argoproj.io/'))) &&
    !('spec' in manifest)
  );
}

/** Whether a manifest configuration belongs to an object that the work only observes. */
export function isObservingConfig(
  { resourceIdentifier: { group, resource, namespace, name } }: ManifestConfig,
  work: ManifestWork,
): boolean {
  return (
    group === 'argoproj.io' &&
    observedManifests(work).some(
      ({ kind, metadata }) =>
        resource === (kind === 'Rollout' ? 'rollouts' : 'applications') &&
        metadata.namespace === namespace &&
        metadata.name === name,
    )
  );
}

/** The manifest configurations of the Application that the work delivers. */
export function applicationConfigs(work: ManifestWork): ManifestConfig[] {
  return (work.spec.manifestConfigs ?? []).filter(
    config => isApplicationConfig(config) && !isObservingConfig(config, work),
  );
}

function isApplicationConfig(config: ManifestConfig): boolean {
  const { group, resource } = config.resourceIdentifier;
  return group === 'argoproj.io' && resource === 'applications';
}

/** Whether the work only observes its Application: RHACM leaves its works in this state when it is disabled. */
export function isReadOnlyWork(work: ManifestWork): boolean {
  return applicationConfigs(work).some(
    config => config.updateStrategy?.type === 'ReadOnly',
  );
}
