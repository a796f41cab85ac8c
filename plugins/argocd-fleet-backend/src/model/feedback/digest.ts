import type {
  ApplicationCondition,
  ApplicationResource,
  ArgoDestination,
  ArgoSource,
  Hydration,
  OperationInformation,
  PastSync,
  PendingDeletion,
} from 'backstage-plugin-argocd-fleet-common';
import { parseWholeNumber } from '../json';
import {
  DIGEST_MARK,
  IDENTITY_FIELDS,
  namedFields,
  NAMELESS,
  readFields,
  type Fields,
} from './digestLines';
import {
  readResources,
  RESOURCE_LINE,
  type ResourceReader,
} from './digestResources';
import { hasLegalNames } from './resourceNames';

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
  /** Whether it equals the spec of the Application there; undefined for digests of older rules. */
  readonly equalsSpec?: boolean;
}

/** The content of a digest: the message of the work's condition `ApplicationReady`. See docs/digest.md. */
export interface Digest {
  readonly health?: string;
  readonly sync?: string;
  readonly revision?: string;
  /** Revisions of an Application with several sources, in their order. */
  readonly revisions?: readonly string[];
  /** When health last changed; reported by newer versions of Argo CD. */
  readonly healthSince?: string;
  readonly operation?: {
    readonly phase: string;
    readonly retries: number;
    readonly startedAt?: string;
    readonly message?: string;
    /** The revisions that it was started with, while it is running. */
    readonly revisions?: readonly string[];
    /** Name of the user who started it. */
    readonly startedBy?: string;
    /** Argo CD started it. */
    readonly automated?: true;
  };
  /** What was said about the last operation when it was started. */
  readonly operationInformation: readonly OperationInformation[];
  readonly deletion?: PendingDeletion;
  readonly hydration?: Hydration;
  readonly comparedTo?: ComparedTo;
  readonly conditions: readonly ApplicationCondition[];
  readonly failedResources: readonly FailedResource[];
  readonly resources: readonly ApplicationResource[];
  readonly images: readonly string[];
  readonly externalUrls: readonly string[];
  /** The last syncs, newest first. */
  readonly history: readonly PastSync[];
  /** The Application contains no health of resources, which is Argo CD's default since 3.0. */
  readonly healthHidden?: boolean;
  /** Number of resources that are not listed. */
  readonly resourcesOmitted: number;
  /** Number of resources, listed or failed, that are left out because Kubernetes does not allow their names. */
  readonly illegalNames: number;
  /** Lines were removed to keep the digest within its bound. */
  readonly cut: boolean;
}

/** The fields of lines, behind the tag; see docs/digest.md. */
const STATUS_FIELDS = [
  'health',
  'sync',
  'revision',
  'healthSince',
  'revisions',
  'healthSource',
] as const;
const OPERATION_FIELDS = [
  'phase',
  'retries',
  'startedAt',
  'message',
  'revisions',
  'startedBy',
  'automated',
] as const;
const HYDRATION_FIELDS = [
  'phase',
  'wantedDryRevision',
  'startedAt',
  'message',
  'dryRevision',
  'hydratedRevision',
] as const;
const SOURCE_FIELDS = [
  'repoURL',
  'path',
  'chart',
  'targetRevision',
  'ref',
] as const;
const DESTINATION_FIELDS = ['server', 'name', 'namespace'] as const;
const FAILED_RESOURCE_FIELDS = [...IDENTITY_FIELDS, 'message'] as const;
const NONE: readonly never[] = Object.freeze([]);

/**
 * Reads a digest, whole or as its lines. Returns undefined for any other text, such as an expression's error, and for a
 * digest of another version. A text that was cut at any byte gives the content of its whole lines. Lines with an
 * unknown tag are skipped.
 * @param tags - of the lines to read, one character each, such as `sotd`; all by default
 */
export function parseDigest(
  message: string | readonly string[] = '',
  tags?: string,
  resourcesIn: ResourceReader = readResources,
): Digest | undefined {
  const lines = typeof message === 'string' ? message.split('\n') : message;
  // The text after the last line break is a whole line only if it is the end mark.
  const complete = lines.at(-1) === '.';
  const last = lines.length - 1;
  const [mark, count] = readFields(last > 0 ? lines[0] : '');
  const total = parseWholeNumber(count);
  if (mark !== DIGEST_MARK || total === undefined) {
    return undefined;
  }
  // Thousands are read at once, most of them for their resources only: nothing is allocated for lines that are not
  // there, and the result has one shape.
  let byTag: Map<string, Fields[]> | undefined;
  let resourceLines = 0;
  for (let i = 0; i < last; i += 1) {
    const line = lines[i];
    if (line.startsWith(RESOURCE_LINE)) {
      resourceLines += 1;
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
  // After a cut behind a source there may have been further sources.
  const isCutSource = !complete && lines[last - 1].startsWith('t\t');
  const resources =
    !tags || tags.includes('r') ? resourcesIn(lines, last) : undefined;
  const failed = each('f', readFailedResource) ?? NONE;
  const failedResources = failed.filter(hasLegalNames);
  return {
    health: status?.health,
    sync: status?.sync,
    revision: status?.revision,
    revisions: status?.revisions?.split(' '),
    healthSince: status?.healthSince,
    operation,
    operationInformation: each('n', readInformation) ?? NONE,
    deletion: each('e', readDeletion)?.[0],
    hydration: each('y', readHydration)?.[0],
    comparedTo: isCutSource
      ? undefined
      : readComparedTo(byTag?.get('t'), byTag?.get('d')),
    conditions: each('c', readCondition) ?? NONE,
    failedResources,
    resources: resources ?? NONE,
    images: each('i', readText) ?? NONE,
    externalUrls: each('u', readText) ?? NONE,
    history: each('h', readPastSync) ?? NONE,
    healthHidden: status?.healthSource === 'appTree' ? true : undefined,
    resourcesOmitted: Math.max(0, total - (resources?.length ?? 0)),
    illegalNames:
      (resources ? resourceLines - resources.length : 0) +
      (failed.length - failedResources.length),
    cut: !complete,
  };
}

function readStatus(fields: Fields) {
  return namedFields(fields, STATUS_FIELDS);
}

function readOperation(fields: Fields): Digest['operation'] {
  const { phase, retries, revisions, automated, ...more } = namedFields(
    fields,
    OPERATION_FIELDS,
  );
  return phase
    ? {
        phase,
        retries: parseWholeNumber(retries) ?? 0,
        ...more,
        ...(revisions && { revisions: revisions.split(' ') }),
        ...(automated === 'true' && { automated: true }),
      }
    : undefined;
}

function readInformation([, name = '', value = '']: Fields) {
  return { name, value };
}

function readDeletion([, since = '', finalizers]: Fields): PendingDeletion {
  return { since, finalizers: finalizers ? finalizers.split(' ') : [] };
}

function readHydration(fields: Fields): Hydration {
  return {
    ...namedFields(fields, HYDRATION_FIELDS),
    equalsSpec: fields[HYDRATION_FIELDS.length + 1] === '=',
  };
}

function readComparedTo(
  sources: readonly Fields[] = NONE,
  [destination]: readonly Fields[] = NONE,
): ComparedTo | undefined {
  if (!destination || sources.length === 0) {
    return undefined;
  }
  const equality = destination[4];
  return {
    sources: sources.map(fields => ({
      repoURL: '',
      ...namedFields(fields, SOURCE_FIELDS),
    })),
    destination: namedFields(destination, DESTINATION_FIELDS),
    ...(equality && { equalsSpec: equality === '=' }),
  };
}

function readCondition([, type = '', message = '']: Fields) {
  return { type, message };
}

function readText([, text = '']: Fields): string {
  return text;
}

function readFailedResource(fields: Fields): FailedResource {
  return { ...NAMELESS, ...namedFields(fields, FAILED_RESOURCE_FIELDS) };
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
