import type {
  ApplicationCondition,
  ApplicationResource,
  ArgoDestination,
  ArgoSource,
} from 'backstage-plugin-argocd-fleet-common';

/** First field of a digest that this version reads. */
export const DIGEST_MARK = 'argocd-fleet-digest/1';

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
  /** Resources that the Application has beyond those listed. */
  readonly resourcesOmitted: number;
  /** Something was left out to keep the digest within its bound. */
  readonly cut: boolean;
}

type Fields = readonly (string | undefined)[];

/**
 * Reads a digest. Undefined for anything that is not one, or one of another version: an expression's error is never taken for
 * news. A text cut at any byte gives what its whole lines say. Lines of a kind that this version does not know are skipped.
 */
export function parseDigest(message: string | undefined): Digest | undefined {
  const lines = (message ?? '').split('\n');
  // What stands behind the last line break is whole only if it is a mark of the end.
  const last = lines.pop() ?? '';
  const complete = last === '.';
  const [header, ...rest] = lines.map(readFields);
  const total = Number(header?.[1]);
  if (header?.[0] !== DIGEST_MARK || !Number.isInteger(total)) {
    return undefined;
  }
  const of = (tag: string) =>
    rest.filter(([first]) => first === tag).map(([, ...fields]) => fields);

  const resources = of('r').map(readResource);
  return {
    ...readStatus(of('s')[0] ?? []),
    ...optional('operation', readOperation(of('o')[0])),
    // A cut behind one of several sources must not pass for all of them.
    ...(complete || rest.at(-1)?.[0] !== 't'
      ? optional('comparedTo', readComparedTo(of('t'), of('d')[0]))
      : {}),
    conditions: of('c').map(([type = '', text = '']) => ({
      type,
      message: text,
    })),
    failedResources: of('f').map(readFailedResource),
    resources,
    images: of('i').map(([image = '']) => image),
    resourcesOmitted: Math.max(0, total - resources.length),
    cut: !complete,
  };
}

function readFields(line: string): Fields {
  return line.split('\t').map(field => field || undefined);
}

function readStatus([health, sync, revision, healthSince, revisions]: Fields) {
  return {
    ...optional('health', health),
    ...optional('sync', sync),
    ...optional('revision', revision),
    ...optional('healthSince', healthSince),
    ...optional('revisions', revisions?.split(' ')),
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

/** Leaves a key out instead of setting it to undefined, so that values compare equal by their keys too. */
function optional<K extends string, V>(
  key: K,
  value: V | undefined,
): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
