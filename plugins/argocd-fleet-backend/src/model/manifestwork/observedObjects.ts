import {
  isNamespaceName,
  isObjectName,
  type ApplicationResource,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestConfig,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationManifest,
  isInCluster,
  observedManifests,
} from '../delivery';
import {
  PROMOTED_EXPRESSION,
  digestLines,
  resourcesOfGroup,
  ROLLOUT_CONDITION,
  ROLLOUT_EXPRESSION,
} from '../feedback';
import type { WorkOptions } from './workOptions';
import { manifestBytes, MAX_MANIFESTS } from './workSize';

const GROUP = 'argoproj.io';
const VERSION = /^v[0-9]+((alpha|beta)[0-9]+)?$/;

const KINDS = [
  { kind: 'Rollout', limit: 'rollouts' },
  { kind: 'Application', limit: 'childApplications' },
] as const;

const ROLLOUT_RULES: Partial<ManifestConfig> = {
  conditionRules: [
    {
      type: 'CEL',
      condition: ROLLOUT_CONDITION,
      celExpressions: [PROMOTED_EXPRESSION],
      messageExpression: ROLLOUT_EXPRESSION,
    },
  ],
};

/** No condition rules: the work's own condition would no longer be that of the Application alone. */
const CHILD_RULES: Partial<ManifestConfig> = {
  feedbackRules: [
    {
      type: 'JSONPaths',
      jsonPaths: [
        { name: 'healthStatus', path: '.status.health.status' },
        { name: 'syncStatus', path: '.status.sync.status' },
      ],
    },
  ],
};

/**
 * Adds to a work the Argo Rollouts and Applications that the digest lists as resources of the Application. Each is a
 * manifest with a name only and strategy `ReadOnly`, so the agent reports about it and never applies it.
 *
 * Objects that are observed already come first, the others follow by name: the digest lists unhealthy resources first,
 * and a selection in its order would change with every pod that starts. Without a digest, or with one that was cut,
 * nothing is removed.
 * @param desired - the work without observed objects
 * @param existing - the work on the hub, with the status that its agent reported
 */
export function withObservedObjects(
  desired: ManifestWork,
  existing: ManifestWork,
  options: WorkOptions,
): ManifestWork {
  const payload = applicationManifest(desired);
  if (!options.conditionRules || !payload || !deploysToOwnCluster(payload)) {
    return desired;
  }
  const lines = digestLines(existing);
  const reported = lines && resourcesOfGroup(lines, GROUP);
  const present = observedManifests(existing);
  if (present.length === 0 && !reported?.resources.length) {
    return desired;
  }
  const manifests = KINDS.flatMap(({ kind, limit }) => {
    const kept = present.filter(manifest => manifest.kind === kind);
    return selectManifests(kind, kept, reported, payload).slice(
      0,
      options.observe[limit],
    );
  });
  if (manifests.length === 0) {
    return desired;
  }
  const { spec } = desired;
  const work: ManifestWork = {
    ...desired,
    spec: {
      ...spec,
      workload: {
        manifests: [...(spec.workload?.manifests ?? []), ...manifests],
      },
      manifestConfigs: [
        ...(spec.manifestConfigs ?? []),
        ...manifests.map(manifest => observingConfig(manifest, options)),
      ],
    },
  };
  // Observed objects must not prevent the delivery of the Application.
  return manifestBytes(work) > MAX_MANIFESTS ? desired : work;
}

/** Whether the reported digests of both works list the same objects to observe. */
export function sameObservableResources(
  before: ManifestWork,
  after: ManifestWork,
) {
  return observableNames(before) === observableNames(after);
}

function observableNames(work: ManifestWork): string {
  const lines = digestLines(work);
  const reported = lines && resourcesOfGroup(lines, GROUP);
  return (reported?.resources ?? [])
    .filter(({ kind }) => KINDS.some(known => known.kind === kind))
    .map(resource => `${nameOf(resource)} ${exists(resource)}`)
    .sort()
    .join('\n');
}

function selectManifests(
  kind: string,
  present: readonly KubernetesObject[],
  reported: ReturnType<typeof resourcesOfGroup>,
  payload: KubernetesObject,
): KubernetesObject[] {
  const ofKind = [
    // A digest can list a resource twice.
    ...new Map(
      (reported?.resources ?? [])
        .filter(resource => resource.kind === kind)
        .map(resource => [nameOf(resource), resource]),
    ).values(),
  ];
  const names = new Set(
    ofKind.filter(({ health }) => health !== 'Missing').map(nameOf),
  );
  const kept = present.filter(
    manifest => !reported?.complete || names.has(nameOfManifest(manifest)),
  );
  const known = new Set([...kept, payload].map(nameOfManifest));
  const added = ofKind
    .filter(resource => exists(resource) && hasValidName(resource))
    .filter(resource => !known.has(nameOf(resource)))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return [...kept, ...added.map(manifestOf)];
}

/** On another cluster the agent would find nothing, or another object of the same name. */
function deploysToOwnCluster(payload: KubernetesObject): boolean {
  const { destination } = (payload as ArgoApplication).spec ?? {};
  return isInCluster(destination);
}

/**
 * An agent fails to apply the whole work if its cluster lacks a kind. Argo CD also lists missing resources, and may not
 * report health at all.
 */
function exists({ sync, health }: ApplicationResource): boolean {
  return health === undefined ? sync === 'Synced' : health !== 'Missing';
}

/** The cluster's report is unchecked input, and one name that the hub rejects would block the whole work. */
function hasValidName({
  version,
  namespace,
  name,
}: ApplicationResource): boolean {
  return (
    VERSION.test(version ?? '') &&
    isNamespaceName(namespace ?? '') &&
    isObjectName(name)
  );
}

function manifestOf(resource: ApplicationResource): KubernetesObject {
  const { version, kind, namespace, name } = resource;
  return {
    apiVersion: `${GROUP}/${version}`,
    kind,
    metadata: { namespace, name },
  };
}

function observingConfig(
  { kind, metadata }: KubernetesObject,
  options: WorkOptions,
): ManifestConfig {
  const { namespace, name } = metadata;
  return {
    resourceIdentifier: {
      group: GROUP,
      resource: kind === 'Rollout' ? 'rollouts' : 'applications',
      namespace,
      name,
    },
    ...(kind === 'Rollout' ? ROLLOUT_RULES : CHILD_RULES),
    ...(options.watch && { feedbackScrapeType: 'Watch' }),
    updateStrategy: { type: 'ReadOnly' },
  };
}

function nameOf({ kind, namespace, name }: ApplicationResource): string {
  return `${kind}/${namespace}/${name}`;
}

function nameOfManifest({ kind, metadata }: KubernetesObject): string {
  return `${kind}/${metadata.namespace}/${metadata.name}`;
}
