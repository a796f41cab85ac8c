import { createHash } from 'node:crypto';

import { Application, ResourceStatus } from '../kubernetes/argocdTypes';
import { uuidOfHash } from '../kubernetes/objects';
import { SimulatedCluster } from '../cluster/simulatedCluster';
import { SearchItem } from './searchSchema';

/** The number of characters that Search keeps of a condition's message. */
const MESSAGE_RUNES = 512;
const HOSTING_SET = 'apps.open-cluster-management.io/hosting-applicationset';

/** All items that Search's collector sends to the hub from one cluster. */
export function searchItems(cluster: SimulatedCluster): SearchItem[] {
  const applications = cluster.store.list(
    'argoproj.io',
    'applications',
  ) as Application[];
  return [
    {
      ...baseFields(cluster.name, '', 'v1', 'Cluster', cluster.name),
      label: '',
    },
    ...applications.flatMap(application => [
      applicationItem(cluster.name, application),
      ...resourceItems(cluster.name, application),
    ]),
  ];
}

/** An Application as Search indexes it. */
export function applicationItem(
  cluster: string,
  application: Application,
): SearchItem {
  const { metadata, spec, status = {} } = application;
  const { source, destination = {} } = spec ?? {};
  const set = metadata.annotations?.[HOSTING_SET];
  const missing = (status.resources ?? []).filter(
    ({ health }) => health?.status === 'Missing',
  );
  return definedFields({
    ...baseFields(
      cluster,
      'argoproj.io',
      'v1alpha1',
      'Application',
      metadata.name,
      metadata.namespace,
    ),
    _uid: uidOf(cluster, metadata.uid ?? ''),
    _hostingResource: set && `ApplicationSet/${set}`,
    created: metadata.creationTimestamp,
    label: labelText(metadata.labels),
    repoURL: source?.repoURL,
    path: source?.path,
    chart: source?.chart,
    targetRevision: source?.targetRevision,
    destinationName: destination.name,
    destinationNamespace: destination.namespace,
    destinationServer: destination.server,
    status: status.sync?.status,
    syncStatus: status.sync?.status,
    healthStatus: status.health?.status,
    operationState: status.operationState?.phase,
    ...conditionFields(application),
    _missingResources:
      missing.length > 0
        ? JSON.stringify(
            missing.map(({ group = '', version, kind, namespace, name }) => ({
              group,
              version,
              kind,
              namespace,
              name,
            })),
          )
        : undefined,
  });
}

function conditionFields({ status }: Application) {
  const fields: Record<string, string> = {};
  for (const { type, message } of status?.conditions ?? []) {
    fields[`_condition${type}`] = truncated(message);
  }
  const { phase, message } = status?.operationState ?? {};
  if (message && (phase === 'Failed' || phase === 'Error')) {
    fields._conditionOperationError = truncated(message);
  }
  return fields;
}

/** Truncates a message to 512 characters (runes, not UTF-16 units), followed by `...`. */
export function truncated(message: string): string {
  const runes = [...message];
  return runes.length > MESSAGE_RUNES
    ? `${runes.slice(0, MESSAGE_RUNES).join('')}...`
    : message;
}

/** The resources of an Application, and the objects that the cluster's controllers created for them. */
function resourceItems(
  cluster: string,
  { metadata, status }: Application,
): SearchItem[] {
  const application = uidOf(cluster, metadata.uid ?? '');
  return (status?.resources ?? [])
    .filter(({ health }) => health?.status !== 'Missing')
    .flatMap(resource => {
      const { group = '', version, kind, name, namespace } = resource;
      const item: SearchItem = {
        ...baseFields(cluster, group, version, kind, name, namespace),
        _relatedUids: [application],
        ...(resource.health && { status: resource.health.status }),
        label: '',
      };
      return [item, ...ownedItems(cluster, resource, item, application)];
    });
}

/** The made-up Pods and ReplicaSets of a Deployment or StatefulSet, with `_ownerUID`. */
function ownedItems(
  cluster: string,
  { kind, name, namespace }: ResourceStatus,
  owner: SearchItem,
  application: string,
): SearchItem[] {
  if (kind !== 'Deployment' && kind !== 'StatefulSet') {
    return [];
  }
  const owned = (
    group: string,
    ownedKind: string,
    ownedName: string,
    ownedBy: SearchItem,
  ): SearchItem => ({
    ...baseFields(cluster, group, 'v1', ownedKind, ownedName, namespace),
    _ownerUID: ownedBy._uid,
    _relatedUids: [application, String(ownedBy._uid)],
    label: `app=${name}`,
  });
  if (kind === 'StatefulSet') {
    return [owned('', 'Pod', `${name}-0`, owner)];
  }
  const suffix = shortHash(`${cluster}/${namespace}/${name}`);
  const set = owned('apps', 'ReplicaSet', `${name}-${suffix}`, owner);
  return [set, owned('', 'Pod', `${name}-${suffix}-0`, set)];
}

function baseFields(
  cluster: string,
  apigroup: string,
  apiversion: string,
  kind: string,
  name: string,
  namespace?: string,
): Record<string, string> {
  const identity = [cluster, apigroup, kind, namespace, name].join('/');
  const id = uuidOfHash(createHash('sha1').update(identity).digest('hex'));
  return {
    _uid: uidOf(cluster, id),
    cluster,
    kind,
    kind_plural: `${kind.toLowerCase()}s`,
    apiversion,
    name,
    ...(apigroup && { apigroup }),
    ...(namespace && { namespace }),
  };
}

function uidOf(cluster: string, uid: string): string {
  return `${cluster}/${uid}`;
}

/** `a=1; b=2`, as Search writes labels. */
function labelText(labels: Readonly<Record<string, string>> = {}): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('; ');
}

function shortHash(text: string): string {
  return createHash('sha1').update(text).digest('hex').slice(0, 9);
}

function definedFields(fields: Record<string, string | undefined>): SearchItem {
  return Object.fromEntries(
    Object.entries(fields).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
