import {
  isNamespaceName,
  isObjectName,
  type ApplicationResource,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestConfig,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationManifest, observedManifests } from '../delivery';
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

/** No condition: that of the Application itself would no longer be what the whole work says. */
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
 * The work with what its cluster says that the Application consists of and that is worth a look of its own: Argo Rollouts and
 * Applications. Each is a manifest of nothing but a name, with the strategy `ReadOnly`, so the agent reports about it and does no more.
 *
 * What is observed already comes first, and the rest in the order of the names: the digest begins with what is wrong, and a choice that
 * followed it would change with every pod that starts. While there is no digest, or one that was cut, nothing is taken away.
 * @param desired - the work as it is to be without
 * @param existing - the work on the hub, with what its agent reported
 */
export function withObserved(
  desired: ManifestWork,
  existing: ManifestWork,
  options: WorkOptions,
): ManifestWork {
  const payload = applicationManifest(desired);
  if (!options.conditionRules || !payload || !staysOnCluster(payload)) {
    return desired;
  }
  const lines = digestLines(existing);
  const named = lines && resourcesOfGroup(lines, GROUP);
  const present = observedManifests(existing);
  if (present.length === 0 && !named?.resources.length) {
    return desired;
  }
  const manifests = KINDS.flatMap(({ kind, limit }) => {
    const kept = present.filter(manifest => manifest.kind === kind);
    return chosen(kind, kept, named, payload).slice(0, options.observe[limit]);
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
  // What only shows must not keep the Application itself from being delivered.
  return manifestBytes(work) > MAX_MANIFESTS ? desired : work;
}

/** Whether both works have the same to be observed, as far as their agents told. */
export function sameToObserve(before: ManifestWork, after: ManifestWork) {
  return observable(before) === observable(after);
}

function observable(work: ManifestWork): string {
  const lines = digestLines(work);
  const named = lines && resourcesOfGroup(lines, GROUP);
  return (named?.resources ?? [])
    .filter(({ kind }) => KINDS.some(known => known.kind === kind))
    .map(resource => `${nameOf(resource)} ${isThere(resource)}`)
    .sort()
    .join('\n');
}

function chosen(
  kind: string,
  present: readonly KubernetesObject[],
  named: ReturnType<typeof resourcesOfGroup>,
  payload: KubernetesObject,
): KubernetesObject[] {
  const ofKind = [
    // Whatever the cluster says, each of them once.
    ...new Map(
      (named?.resources ?? [])
        .filter(resource => resource.kind === kind)
        .map(resource => [nameOf(resource), resource]),
    ).values(),
  ];
  const names = new Set(
    ofKind.filter(({ health }) => health !== 'Missing').map(nameOf),
  );
  const kept = present.filter(
    manifest => !named?.complete || names.has(nameOfManifest(manifest)),
  );
  const known = new Set([...kept, payload].map(nameOfManifest));
  const added = ofKind
    .filter(resource => isThere(resource) && isLegal(resource))
    .filter(resource => !known.has(nameOf(resource)))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return [...kept, ...added.map(manifestOf)];
}

/** Elsewhere the agent would find nothing, or something of the same name. */
function staysOnCluster(payload: KubernetesObject): boolean {
  const { destination } = (payload as ArgoApplication).spec ?? {};
  return (
    destination?.name === 'in-cluster' ||
    destination?.server === 'https://kubernetes.default.svc'
  );
}

/**
 * An agent fails with the whole work over a kind that its cluster does not have. Argo CD lists what is not there too, and may not tell
 * health at all.
 */
function isThere({ sync, health }: ApplicationResource): boolean {
  return health === undefined ? sync === 'Synced' : health !== 'Missing';
}

/** What a cluster says is not checked by anybody before, and one name that the hub refuses would hold up the Application. */
function isLegal({ version, namespace, name }: ApplicationResource): boolean {
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
