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
  return observedAmong(work.spec.workload?.manifests ?? []);
}

function observedAmong(manifests: readonly KubernetesObject[]) {
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

/**
 * The manifest configurations of a work: those of the Application that it delivers, those of objects that it only
 * observes, and those of other writers. Each in their order.
 */
export function configsOf({ spec }: ManifestWork): {
  readonly application: readonly ManifestConfig[];
  readonly observing: readonly ManifestConfig[];
  readonly others: readonly ManifestConfig[];
} {
  const manifests = spec.workload?.manifests ?? [];
  const configs = {
    application: [] as ManifestConfig[],
    observing: [] as ManifestConfig[],
    others: [] as ManifestConfig[],
  };
  const observed = new Set(
    observedAmong(manifests).map(({ kind, metadata: { namespace, name } }) =>
      identity(
        'argoproj.io',
        kind === 'Rollout' ? 'rollouts' : 'applications',
        namespace,
        name,
      ),
    ),
  );
  for (const config of spec.manifestConfigs ?? []) {
    const { group, resource } = config.resourceIdentifier;
    if (group !== 'argoproj.io') {
      configs.others.push(config);
    } else if (observed.has(configKey(config))) {
      configs.observing.push(config);
    } else {
      configs[resource === 'applications' ? 'application' : 'others'].push(
        config,
      );
    }
  }
  return configs;
}

/** The manifest configurations of the work, those of the Application that it delivers as `change` returns them. */
export function withApplicationConfigs(
  work: ManifestWork,
  change: (config: ManifestConfig) => ManifestConfig,
): ManifestConfig[] {
  const own = new Set(configsOf(work).application);
  return (work.spec.manifestConfigs ?? []).map(config =>
    own.has(config) ? change(config) : config,
  );
}

/** The object that a manifest configuration is about, as a text. */
export function configKey({ resourceIdentifier }: ManifestConfig): string {
  const { group, resource, namespace, name } = resourceIdentifier;
  return identity(group, resource, namespace, name);
}

/** What a manifest has in common with its status and its configuration, whatever its version: a text. */
export function manifestKey({
  apiVersion,
  kind,
  metadata: { namespace, name },
}: KubernetesObject): string {
  const [group] = apiVersion.split('/', 1);
  return identity(group, kind, namespace, name);
}

/** A text for these texts and no others: agents may write any into a work. */
function identity(...texts: readonly (string | undefined)[]): string {
  return JSON.stringify(texts);
}

/** Whether the work only observes its Application: RHACM leaves its works in this state when it is disabled. */
export function isReadOnlyWork(work: ManifestWork): boolean {
  return configsOf(work).application.some(
    config => config.updateStrategy?.type === 'ReadOnly',
  );
}
