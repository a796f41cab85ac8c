import type {
  ApplicationCondition,
  ApplicationResource,
  ArgoDestination,
  ArgoSource,
  PastSync,
} from 'backstage-plugin-argocd-fleet-common';
import { parseWholeNumber } from '../json';

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
  readonly equalsSpec?: boolean;
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

/** Of a line, its tag first; empty where there is nothing to tell. */
type Fields = readonly string[];

/** What stands in lines behind their tag; see docs/digest.md. */
const STATUS_FIELDS = [
  'health',
  'sync',
  'revision',
  'healthSince',
  'revisions',
  'healthSource',
] as const;
const OPERATION_FIELDS = ['phase', 'retries', 'startedAt', 'message'] as const;
const SOURCE_FIELDS = [
  'repoURL',
  'path',
  'chart',
  'targetRevision',
  'ref',
] as const;
const DESTINATION_FIELDS = ['server', 'name', 'namespace'] as const;
const IDENTITY_FIELDS = [
  'group',
  'version',
  'kind',
  'namespace',
  'name',
] as const;
const FAILED_RESOURCE_FIELDS = [...IDENTITY_FIELDS, 'message'] as const;
const RESOURCE_FIELDS = [
  ...IDENTITY_FIELDS,
  'sync',
  'health',
  'message',
] as const;
/** A resource has both, also where its line was cut. */
const NAMELESS = { kind: '', name: '' };

const NONE: readonly never[] = Object.freeze([]);

/** What the line of a resource begins with. */
const RESOURCE = 'r\t';

/** Lists of resources that begin with the same lines. */
interface ReadLists {
  readonly by: Map<string, ReadLists>;
  /** What these lines say where no other follows. */
  list?: readonly ApplicationResource[];
}

/**
 * Lists of resources that were read lately, by one line after the other: most clusters have the same, and reading them is most of what
 * reading a digest takes.
 */
let readLately: ReadLists = { by: new Map() };
let countReadLately = 0;
const MOST_READ_LATELY = 1_000;

/**
 * Reads a digest, whole or as its lines. Undefined for anything that is not one, or one of another version: an expression's error is never taken for
 * news. A text cut at any byte gives what its whole lines say. Lines of a kind that this version does not know are skipped.
 * @param tags - of the lines to read, where not all of them are wanted
 */
export function parseDigest(
  message: string | readonly string[] = '',
  tags?: string,
): Digest | undefined {
  const lines = typeof message === 'string' ? message.split('\n') : message;
  // What stands behind the last line break is whole only if it is a mark of the end.
  const complete = lines.at(-1) === '.';
  const last = lines.length - 1;
  const [mark, count] = readFields(last > 0 ? lines[0] : '');
  const total = parseWholeNumber(count);
  if (mark !== DIGEST_MARK || total === undefined) {
    return undefined;
  }
  // There are thousands to read at once, and of those that are well nothing but the resources: no list is made before there is
  // something to put into it, and the answer has one shape.
  let byTag: Map<string, Fields[]> | undefined;
  let lists = listsReadLately();
  for (let i = 0; i < last; i += 1) {
    const line = lines[i];
    if (line.startsWith(RESOURCE)) {
      lists = followedBy(line, lists);
    } else if (!tags || tags.includes(line[0])) {
      const fields = readFields(line);
      byTag ??= new Map();
      const others = byTag.get(fields[0]);
      if (others) {
        others.push(fields);
      } else {
        byTag.set(fields[0], [fields]);
      }
    }
  }
  const each = <T>(
    tag: string,
    read: (fields: Fields) => T,
  ): readonly T[] | undefined => byTag?.get(tag)?.map(read);
  const [status] = each('s', readStatus) ?? NONE;
  const [operation] = each('o', readOperation) ?? NONE;
  // A cut behind one of several sources must not pass for all of them.
  const isCutSource = !complete && lines[last - 1].startsWith('t\t');
  const resources = (lists.list ??= readList(lines, last));
  return {
    health: status?.health,
    sync: status?.sync,
    revision: status?.revision,
    revisions: status?.revisions?.split(' '),
    healthSince: status?.healthSince,
    operation,
    comparedTo: isCutSource
      ? undefined
      : readComparedTo(byTag?.get('t'), byTag?.get('d')),
    conditions: each('c', readCondition) ?? NONE,
    failedResources: each('f', readFailedResource) ?? NONE,
    resources,
    images: each('i', readText) ?? NONE,
    externalUrls: each('u', readText) ?? NONE,
    history: each('h', readPastSync) ?? NONE,
    healthHidden: status?.healthSource === 'appTree' ? true : undefined,
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
    resources: lines.filter(line => line.startsWith(begin)).map(readResource),
    complete: lines.at(-1) === '.',
  };
}

/** Where a list begins. */
function listsReadLately(): ReadLists {
  if (countReadLately >= MOST_READ_LATELY) {
    readLately = { by: new Map() };
    countReadLately = 0;
  }
  return readLately;
}

function followedBy(line: string, lists: ReadLists): ReadLists {
  const known = lists.by.get(line);
  if (known) {
    return known;
  }
  const longer = { by: new Map() };
  lists.by.set(line, longer);
  return longer;
}

/** @param end - of the lines, exclusive */
function readList(
  lines: readonly string[],
  end: number,
): readonly ApplicationResource[] {
  countReadLately += 1;
  return Object.freeze(
    lines
      .slice(0, end)
      .filter(line => line.startsWith(RESOURCE))
      .map(line => Object.freeze(readResource(line))),
  );
}

function readFields(line: string): Fields {
  return line.split('\t');
}

function readStatus(fields: Fields) {
  return named(fields, STATUS_FIELDS);
}

function readOperation(fields: Fields): Digest['operation'] {
  const { phase, retries, ...more } = named(fields, OPERATION_FIELDS);
  return phase
    ? { phase, retries: parseWholeNumber(retries) ?? 0, ...more }
    : undefined;
}

function readComparedTo(
  sources: readonly Fields[] = NONE,
  [destination]: readonly Fields[] = NONE,
): ComparedTo | undefined {
  if (!destination || sources.length === 0) {
    return undefined;
  }
  const whole = destination[4];
  return {
    sources: sources.map(fields => ({
      repoURL: '',
      ...named(fields, SOURCE_FIELDS),
    })),
    destination: named(destination, DESTINATION_FIELDS),
    ...(whole && { equalsSpec: whole === '=' }),
  };
}

function readCondition([, type = '', message = '']: Fields) {
  return { type, message };
}

function readText([, text = '']: Fields): string {
  return text;
}

function readFailedResource(fields: Fields): FailedResource {
  return { ...NAMELESS, ...named(fields, FAILED_RESOURCE_FIELDS) };
}

function readResource(line: string): ApplicationResource {
  return { ...NAMELESS, ...named(readFields(line), RESOURCE_FIELDS) };
}

function readPastSync([, id, deployedAt, revisions]: Fields): PastSync {
  const each = revisions ? revisions.split(' ') : [];
  return {
    id: parseWholeNumber(id) ?? 0,
    ...(deployedAt && { deployedAt }),
    ...(each.length > 1
      ? { revisions: each }
      : each[0] && { revision: each[0] }),
  };
}

/** Leaves out what a line does not tell, so that values compare equal by their keys too. */
function named<Name extends string>(
  fields: Fields,
  names: readonly Name[],
): { [N in Name]?: string } {
  const told: { [N in Name]?: string } = {};
  names.forEach((name, index) => {
    const field = fields[index + 1];
    if (field) {
      told[name] = field;
    }
  });
  return told;
}
