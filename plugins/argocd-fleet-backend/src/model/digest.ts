import type {
  ApplicationCondition,
  ApplicationResource,
  ArgoDestination,
  ArgoSource,
  PastSync,
} from 'backstage-plugin-argocd-fleet-common';

/** What the first field of every digest begins with. */
export const DIGEST_FAMILY = 'argocd-fleet-digest/';

/** First field of a digest that this version reads. */
export const DIGEST_MARK = `${DIGEST_FAMILY}1`;

/** A resource that the last sync could not apply, with Argo CD's message. */
export interface FailedResource {
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly message?: string;
}

/** What Argo CD compared the cluster with (`status.sync.comparedTo`). */
export interface ComparedTo {
  readonly sources: readonly ArgoSource[];
  readonly destination: ArgoDestination;
  /** Whether all of it is what stands in the Application there; undefined where an older rule did not tell. */
  readonly whole?: boolean;
}

/** What an Application's managed cluster tells in the message of the work's condition `ApplicationReady`. */
export interface Digest {
  readonly health?: string;
  readonly sync?: string;
  readonly revision?: string;
  /** Of an Application with several sources, in their order. */
  readonly revisions?: readonly string[];
  /** When health last changed; newer versions of Argo CD tell it. */
  readonly healthSince?: string;
  readonly operation?: {
    readonly phase: string;
    readonly retries: number;
    readonly startedAt?: string;
    readonly message?: string;
  };
  readonly comparedTo?: ComparedTo;
  readonly conditions: readonly ApplicationCondition[];
  readonly failedResources: readonly FailedResource[];
  readonly resources: readonly ApplicationResource[];
  readonly images: readonly string[];
  readonly externalUrls: readonly string[];
  /** The last syncs, newest first. */
  readonly history: readonly PastSync[];
  /** Argo CD keeps the health of resources to itself, as it does by default since 3.0. */
  readonly healthHidden?: boolean;
  /** Resources that the Application has beyond those listed. */
  readonly resourcesOmitted: number;
  /** Something was left out to keep the digest within its bound. */
  readonly cut: boolean;
}

type Fields = readonly (string | undefined)[];

/** What the line of a resource begins with. */
const RESOURCE = 'r\t';

/**
 * Lists of resources that were read lately, by their lines: most clusters have the same, and reading them is most of what reading a
 * digest takes.
 */
const readLately = new Map<string, readonly ApplicationResource[]>();
const MOST_READ_LATELY = 1_000;

/**
 * Reads a digest, whole or as its lines. Undefined for anything that is not one, or one of another version: an expression's error is never taken for
 * news. A text cut at any byte gives what its whole lines say. Lines of a kind that this version does not know are skipped.
 */
export function parseDigest(
  message: string | readonly string[] = '',
): Digest | undefined {
  const all = typeof message === 'string' ? message.split('\n') : message;
  // What stands behind the last line break is whole only if it is a mark of the end.
  const complete = all.at(-1) === '.';
  const lines = all.slice(0, -1);
  const header = readFields(lines[0] ?? '');
  const total = Number(header[1]);
  if (header[0] !== DIGEST_MARK || !Number.isInteger(total)) {
    return undefined;
  }
  const byTag = new Map<string, Fields[]>();
  const resourceLines: string[] = [];
  for (const line of lines) {
    if (line.startsWith(RESOURCE)) {
      resourceLines.push(line);
    } else {
      const [tag = '', ...fields] = readFields(line);
      byTag.set(tag, [...(byTag.get(tag) ?? []), fields]);
    }
  }
  const of = (tag: string) => byTag.get(tag) ?? [];
  const resources = readResources(resourceLines);
  return {
    ...readStatus(of('s')[0] ?? []),
    ...optional('operation', readOperation(of('o')[0])),
    // A cut behind one of several sources must not pass for all of them.
    ...(complete || !lines.at(-1)?.startsWith('t\t')
      ? optional('comparedTo', readComparedTo(of('t'), of('d')[0]))
      : {}),
    conditions: of('c').map(([type = '', text = '']) => ({
      type,
      message: text,
    })),
    failedResources: of('f').map(readFailedResource),
    resources,
    images: of('i').map(([image = '']) => image),
    externalUrls: of('u').map(([url = '']) => url),
    history: of('h').map(readPastSync),
    resourcesOmitted: Math.max(0, total - resources.length),
    cut: !complete,
  };
}

/**
 * Of a digest's lines the resources of one API group, without reading the others; undefined for what is no digest.
 * @returns `complete` says that there are no others of the group
 */
export function resourcesOfGroup(
  lines: readonly string[],
  group: string,
):
  | {
      readonly resources: readonly ApplicationResource[];
      readonly complete: boolean;
    }
  | undefined {
  if (!lines[0]?.startsWith(`${DIGEST_MARK}\t`)) {
    return undefined;
  }
  const begin = `r\t${group}\t`;
  return {
    resources: lines
      .filter(line => line.startsWith(begin))
      .map(line => readResource(readFields(line).slice(1))),
    complete: lines.at(-1) === '.',
  };
}

/** Equal lines give the same list. */
function readResources(
  lines: readonly string[],
): readonly ApplicationResource[] {
  const text = lines.join('\n');
  const known = readLately.get(text);
  if (known) {
    return known;
  }
  const resources = lines.map(line =>
    Object.freeze(readResource(readFields(line).slice(1))),
  );
  if (readLately.size >= MOST_READ_LATELY) {
    readLately.clear();
  }
  readLately.set(text, Object.freeze(resources));
  return resources;
}

function readFields(line: string): Fields {
  return line.split('\t').map(field => field || undefined);
}

function readStatus(fields: Fields) {
  const [health, sync, revision, healthSince, revisions, healthSource] = fields;
  return {
    ...optional('health', health),
    ...optional('sync', sync),
    ...optional('revision', revision),
    ...optional('healthSince', healthSince),
    ...optional('revisions', revisions?.split(' ')),
    ...(healthSource === 'appTree' && { healthHidden: true }),
  };
}

function readOperation(fields: Fields | undefined): Digest['operation'] {
  const [phase, retries, startedAt, message] = fields ?? [];
  return phase
    ? {
        phase,
        retries: Number(retries) || 0,
        ...optional('startedAt', startedAt),
        ...optional('message', message),
      }
    : undefined;
}

function readComparedTo(
  sources: readonly Fields[],
  destination: Fields | undefined,
): ComparedTo | undefined {
  if (!destination || sources.length === 0) {
    return undefined;
  }
  const [server, name, namespace, whole] = destination;
  return {
    sources: sources.map(
      ([repoURL = '', path, chart, targetRevision, ref]) => ({
        repoURL,
        ...optional('path', path),
        ...optional('chart', chart),
        ...optional('targetRevision', targetRevision),
        ...optional('ref', ref),
      }),
    ),
    destination: {
      ...optional('server', server),
      ...optional('name', name),
      ...optional('namespace', namespace),
    },
    ...optional('whole', whole === undefined ? undefined : whole === '='),
  };
}

function readFailedResource(fields: Fields): FailedResource {
  const [group, version, kind = '', namespace, name = '', message] = fields;
  return {
    ...optional('group', group),
    ...optional('version', version),
    kind,
    ...optional('namespace', namespace),
    name,
    ...optional('message', message),
  };
}

function readResource(fields: Fields): ApplicationResource {
  const [group, version, kind = '', namespace, name = '', sync, health, text] =
    fields;
  return {
    ...optional('group', group),
    ...optional('version', version),
    kind,
    ...optional('namespace', namespace),
    name,
    ...optional('sync', sync),
    ...optional('health', health),
    ...optional('message', text),
  };
}

function readPastSync([id, deployedAt, revisions]: Fields): PastSync {
  const each = revisions?.split(' ') ?? [];
  return {
    id: Number(id) || 0,
    ...optional('deployedAt', deployedAt),
    ...(each.length > 1 ? { revisions: each } : optional('revision', each[0])),
  };
}

/** Leaves a key out instead of setting it to undefined, so that values compare equal by their keys too. */
function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
