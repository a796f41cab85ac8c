import type { ApplicationResource } from 'backstage-plugin-argocd-fleet-common';
import {
  DIGEST_MARK,
  IDENTITY_FIELDS,
  namedFields,
  NAMELESS,
  readFields,
} from './digestLines';
import { hasLegalNames } from './resourceNames';

/** Prefix of a resource's line. */
export const RESOURCE_LINE = 'r\t';

const RESOURCE_FIELDS = [
  ...IDENTITY_FIELDS,
  'sync',
  'health',
  'message',
] as const;

/**
 * Reads the resources in the lines of a digest; those with illegal names are left out.
 * @param end - of the lines to read, exclusive
 */
export type ResourceReader = (
  lines: readonly string[],
  end: number,
) => readonly ApplicationResource[];

/** Reads the resources of each digest anew. */
export const readResources: ResourceReader = (lines, end) =>
  Object.freeze(
    lines
      .slice(0, end)
      .filter(line => line.startsWith(RESOURCE_LINE))
      .map(line => Object.freeze(readResource(line)))
      .filter(hasLegalNames),
  );

/** Lists of resources that begin with the same lines. */
interface KnownLists {
  readonly next: Map<string, KnownLists>;
  /** The list of these lines alone. */
  list?: readonly ApplicationResource[];
}

const MAX_KNOWN_LISTS = 1_000;

/**
 * Creates a reader with a memory: it returns one shared list for equal lines. Most clusters have the same resources,
 * and reading them is most of the work of reading a digest. A caller that reads many digests creates one, and drops it
 * with its results.
 */
export function createResourceReader(): ResourceReader {
  let known: KnownLists = { next: new Map() };
  let count = 0;
  return (lines, end) => {
    if (count >= MAX_KNOWN_LISTS) {
      known = { next: new Map() };
      count = 0;
    }
    let lists = known;
    for (let i = 0; i < end; i += 1) {
      const line = lines[i];
      if (line.startsWith(RESOURCE_LINE)) {
        let longer = lists.next.get(line);
        if (!longer) {
          longer = { next: new Map() };
          lists.next.set(line, longer);
        }
        lists = longer;
      }
    }
    if (!lists.list) {
      lists.list = readResources(lines, end);
      count += 1;
    }
    return lists.list;
  };
}

/**
 * The resources of one API group in the lines of a digest, without reading the others; undefined for lines that are no
 * digest.
 * @returns `complete` says that the digest was not cut, so there are no others of the group
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
  const begin = `${RESOURCE_LINE}${group}\t`;
  return {
    resources: lines.filter(line => line.startsWith(begin)).map(readResource),
    complete: lines.at(-1) === '.',
  };
}

/** Whether the lines of a whole digest list resources, and a sync with pruning would delete each of them. */
export function isEverythingPruned(lines: readonly string[]): boolean {
  const isResource = (line: string) => line.startsWith(RESOURCE_LINE);
  // What differs comes first: the first resource mostly decides.
  return (
    lines.at(-1) === '.' &&
    lines.some(isResource) &&
    lines.every(line => !isResource(line) || readResource(line).requiresPruning)
  );
}

function readResource(line: string): ApplicationResource {
  const fields = readFields(line);
  const resource = { ...NAMELESS, ...namedFields(fields, RESOURCE_FIELDS) };
  const marks = fields.slice(RESOURCE_FIELDS.length + 1);
  return marks.length === 0
    ? resource
    : {
        ...resource,
        ...(marks.includes('P') && { requiresPruning: true }),
        ...(marks.includes('D') && { requiresDeletionConfirmation: true }),
      };
}
