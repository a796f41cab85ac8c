import type {
  ApplicationCondition,
  ApplicationResource,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import { errorConditions } from '../../model/feedback';
import { isRecord } from '../../model/json';
import type { SkippedItems } from './skippedItems';

/** An Application in the index of Search: the fields that we use. */
export interface IndexedApplication {
  readonly cluster: string;
  /** On its cluster. */
  readonly name: NamespacedName;
  /** On the hub. */
  readonly applicationSet: NamespacedName;
  readonly conditions: readonly ApplicationCondition[];
  /** Undefined where the answer does not have all of them. */
  readonly resources?: readonly ApplicationResource[];
}

/** The parsed result of one search. */
export interface SearchAnswer {
  readonly applications: readonly IndexedApplication[];
  /** The cluster of each Application that is malformed; undefined where it names none. */
  readonly unreadable: readonly (string | undefined)[];
  /** Clusters of Applications that should have related items, if the answer has no related items at all. */
  readonly withoutRelated: readonly string[];
  /** Applications or related items reached the limit: there may be more. */
  readonly limitReached: boolean;
}

type Item = Readonly<Record<string, unknown>>;

/** Kinds of related items that are not resources of an Application, or that its resources create. */
const EXCLUDED_KINDS: ReadonlySet<unknown> = new Set([
  'ApplicationSet',
  'Application',
  'EndpointSlice',
  'Pod',
  'ReplicaSet',
  'Cluster',
]);

/** Sync statuses of an Application that was never compared, or could not be. */
const NOT_COMPARED: ReadonlySet<unknown> = new Set(['', 'Unknown']);

const CONDITION = /^_condition(.+(?:Error|Warning))$/;
const OPERATION_ERROR = 'OperationError';

/** Search truncates a message to so many characters (runes), and marks that. */
const MESSAGE_LIMIT = 512;
const TRUNCATION_MARK = '...';

/**
 * Parses the result of one search. Each malformed item is skipped and counted; the others are used. The cost grows with
 * the number of items, not with Applications times items.
 * @param limit - the limit of the search
 * @param skipped - counts the skipped items
 * @returns undefined where the result has no list of items
 */
export function readSearchAnswer(
  result: unknown,
  limit: number,
  skipped: SkippedItems,
): SearchAnswer | undefined {
  if (!isRecord(result) || !Array.isArray(result.items)) {
    return undefined;
  }
  const { items } = result;
  const groups = readGroups(result.related, skipped);
  const related = groups.flatMap(group => group.items);
  const relatedLimitReached = related.length >= limit;
  // Search returns no related items both after a failure and where there are none: even the cluster comes only with a
  // resource.
  const isComplete = !relatedLimitReached && related.length > 0;
  const resources = isComplete ? indexByParent(groups, skipped) : undefined;
  const applications: IndexedApplication[] = [];
  const unreadable: (string | undefined)[] = [];
  const withoutRelated = new Set<string>();
  for (const item of items) {
    const found = readApplication(item, resources, skipped);
    if (!found) {
      unreadable.push(clusterOf(item));
    } else {
      applications.push(found);
      if (related.length === 0 && shouldHaveResources(item)) {
        withoutRelated.add(found.cluster);
      }
    }
  }
  return {
    applications,
    unreadable,
    withoutRelated: [...withoutRelated],
    limitReached: items.length >= limit || relatedLimitReached,
  };
}

function clusterOf(item: unknown): string | undefined {
  return isRecord(item) && isName(item.cluster) ? item.cluster : undefined;
}

/**
 * Whether related items are expected. Search lists the resources of an Application that its index lacks; an Application
 * that was compared and lacks none has all of them in the index, or, rarely, has no resources.
 */
function shouldHaveResources({ syncStatus, _missingResources }: Item): boolean {
  return !_missingResources && !NOT_COMPARED.has(syncStatus);
}

interface Group {
  readonly kind: unknown;
  readonly items: readonly unknown[];
}

function readGroups(related: unknown, skipped: SkippedItems): Group[] {
  if (!Array.isArray(related)) {
    return [];
  }
  return related.flatMap((group: unknown) => {
    if (!isRecord(group) || !Array.isArray(group.items)) {
      skipped.add('related', group);
      return [];
    }
    return [{ kind: group.kind, items: group.items as unknown[] }];
  });
}

/** Resources by the `_uid` of each Application that they belong to. */
function indexByParent(
  groups: readonly Group[],
  skipped: SkippedItems,
): ReadonlyMap<string, ApplicationResource[]> {
  const byParent = new Map<string, ApplicationResource[]>();
  for (const { kind, items } of groups) {
    for (const item of EXCLUDED_KINDS.has(kind) ? [] : items) {
      const read = readRelated(item, skipped);
      for (const parent of read?.parents ?? []) {
        const known = byParent.get(parent);
        if (known) {
          known.push(read!.resource);
        } else {
          byParent.set(parent, [read!.resource]);
        }
      }
    }
  }
  return byParent;
}

function readRelated(item: unknown, skipped: SkippedItems) {
  const parents = isRecord(item) ? item._relatedUids : undefined;
  const resource = isRecord(item)
    ? readResource({
        group: item.apigroup,
        version: item.apiversion,
        kind: item.kind,
        namespace: item.namespace,
        name: item.name,
      })
    : undefined;
  if (!isRecord(item) || !resource || !Array.isArray(parents)) {
    skipped.add('related', item);
    return undefined;
  }
  return item._ownerUID || EXCLUDED_KINDS.has(resource.kind)
    ? undefined
    : { resource, parents: new Set(parents.filter(isName)) };
}

function readApplication(
  item: unknown,
  resources: ReadonlyMap<string, readonly ApplicationResource[]> | undefined,
  skipped: SkippedItems,
): IndexedApplication | undefined {
  const {
    _uid: uid,
    cluster,
    namespace,
    name,
    _hostingResource: host,
  } = isRecord(item) ? item : ({} as Item);
  const applicationSet = readHostingResource(host);
  if (
    !isRecord(item) ||
    !applicationSet ||
    ![uid, cluster, namespace, name].every(isName)
  ) {
    skipped.add('application', item);
    return undefined;
  }
  const missing = readMissing(item, skipped);
  return {
    cluster: String(cluster),
    name: { namespace: String(namespace), name: String(name) },
    applicationSet,
    conditions: readConditions(item, skipped),
    ...(resources &&
      missing && {
        resources: deduplicate([
          ...(resources.get(String(uid)) ?? []),
          ...missing,
        ]),
      }),
  };
}

function readHostingResource(host: unknown): NamespacedName | undefined {
  const [kind, namespace, name, more] = isName(host) ? host.split('/') : [];
  return kind === 'ApplicationSet' && namespace && name && more === undefined
    ? { namespace, name }
    : undefined;
}

/** Errors before warnings, then by type: the index has no order. */
function readConditions(
  item: Item,
  skipped: SkippedItems,
): ApplicationCondition[] {
  const conditions = Object.entries(item).flatMap(([key, message]) => {
    const type = CONDITION.exec(key)?.[1];
    if (type === undefined || message === '' || message === null) {
      return [];
    }
    if (typeof message !== 'string') {
      skipped.add('condition', { [key]: message });
      return [];
    }
    return [{ type, message }];
  });
  const operation = conditions.find(({ type }) => type === OPERATION_ERROR);
  const others = conditions
    .filter(condition => condition !== operation)
    .sort(
      (a, b) =>
        Number(b.type.endsWith('Error')) - Number(a.type.endsWith('Error')) ||
        (a.type < b.type ? -1 : 1),
    );
  return errorConditions(
    others,
    operation && { phase: 'Error', message: operation.message },
  ).map(markTruncated);
}

function markTruncated(condition: ApplicationCondition): ApplicationCondition {
  const { message } = condition;
  return message.endsWith(TRUNCATION_MARK) &&
    [...message].length === MESSAGE_LIMIT + TRUNCATION_MARK.length
    ? { ...condition, truncated: true }
    : condition;
}

/** Undefined where the list is malformed. */
function readMissing(
  { _missingResources: text }: Item,
  skipped: SkippedItems,
): ApplicationResource[] | undefined {
  if (text === undefined || text === null || text === '') {
    return [];
  }
  const listed = parseList(text);
  if (!listed) {
    skipped.add('missing', text);
    return undefined;
  }
  return listed.flatMap(entry => {
    const resource = isRecord(entry) ? readResource(entry) : undefined;
    if (!resource) {
      skipped.add('missing', entry);
      return [];
    }
    return [{ ...resource, health: 'Missing' }];
  });
}

function parseList(text: unknown): readonly unknown[] | undefined {
  try {
    const list: unknown = typeof text === 'string' ? JSON.parse(text) : text;
    return Array.isArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

function readResource(fields: Item): ApplicationResource | undefined {
  const { group, version, kind, namespace, name } = fields;
  return isName(kind) && isName(name)
    ? {
        ...(isName(group) && { group }),
        ...(isName(version) && { version }),
        kind,
        ...(isName(namespace) && { namespace }),
        name,
      }
    : undefined;
}

/** Sorted, so that equal lists compare as equal. A resource that is both present and missing counts as present. */
function deduplicate(
  resources: readonly ApplicationResource[],
): ApplicationResource[] {
  const byKey = new Map<string, ApplicationResource>();
  for (const resource of resources) {
    const { group = '', kind, namespace = '', name } = resource;
    const key = [kind, group, namespace, name].join('/');
    if (!byKey.has(key)) {
      byKey.set(key, resource);
    }
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
