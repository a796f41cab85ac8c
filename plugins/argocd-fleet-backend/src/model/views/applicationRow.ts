import type {
  ApplicationRow,
  Cause,
  ClusterApplication,
  Finding,
  Severity,
} from 'backstage-plugin-argocd-fleet-common';
import { problemOf } from './clusterApplication';
import { changedAt, timeText, versionOf } from './summaryRow';

/** One Application in a table, with the finding that its cause shows as an example. */
export interface TableRow {
  readonly row: ApplicationRow;
  readonly finding?: Finding;
}

/** In the push model a cluster that does not report is no step of the delivery. */
const NO_FINDING = {
  severity: 'error',
  title: 'The cluster does not report',
  cause: 'stale',
} as const;

/** Of a row: its search finds them, and the drawer has all. */
const SHOWN_IMAGES = 5;

/** What a table shows of an Application. */
export function tableRow(application: ClusterApplication): TableRow {
  const { cluster, health, sync, reportedSync, state, wanted } = application;
  const { phase, running, images } = application;
  const finding = problemOf(application);
  const since = changedAt(application);
  const revision = versionOf(application);
  const runs = running && versionOf(running);
  return {
    row: {
      cluster,
      application: application.application,
      health,
      sync,
      ...(reportedSync && { reportedSync }),
      state,
      ...(phase && { phase }),
      wanted,
      ...(revision && { revision }),
      ...(runs &&
        (running.notKnown ? { lastRunning: runs } : { running: runs })),
      ...(isBehind(application) && { behind: true }),
      ...(since !== undefined && { since: timeText(since) }),
      ...(images && { images: images.slice(0, SHOWN_IMAGES) }),
      ...(finding
        ? { problem: problemIn(finding, cluster.name) }
        : state === 'inTrouble' && { problem: NO_FINDING }),
    },
    ...(finding && { finding }),
  };
}

/**
 * Whether another revision than the wanted one runs, of any source, or may run: the cluster has not compared with what
 * is wanted yet. False where nothing is known to run.
 */
export function isBehind(
  application: Pick<
    ClusterApplication,
    | 'wanted'
    | 'compared'
    | 'reportedSync'
    | 'revision'
    | 'revisions'
    | 'running'
  >,
): boolean {
  const { wanted, compared, reportedSync, running } = application;
  if (!running) {
    return false;
  }
  if (reportedSync && wanted.join('\n') !== compared?.join('\n')) {
    return true;
  }
  const latest = versionOf(application);
  return latest !== undefined && latest !== versionOf(running);
}

/** Groups Applications by the reason of their problem: the most severe first, then the most frequent. */
export function findCauses(rows: Iterable<TableRow>): Cause[] {
  const groups = new Map<string, { first: TableRow; rows: ApplicationRow[] }>();
  for (const each of rows) {
    const { problem } = each.row;
    const group = problem && groups.get(problem.cause);
    if (group) {
      group.rows.push(each.row);
    } else if (problem) {
      groups.set(problem.cause, { first: each, rows: [each.row] });
    }
  }
  return [...groups].map(causeOf).sort(byImportance);
}

function causeOf([id, group]: [
  string,
  { readonly first: TableRow; readonly rows: readonly ApplicationRow[] },
]): Cause {
  const { row, finding } = group.first;
  const { severity, title } = row.problem!;
  const { name } = row.cluster;
  const since = earliest(group.rows);
  return {
    id,
    severity,
    title: group.rows.length > 1 ? withoutClusterName(title, name) : title,
    example: name || row.application.name,
    clusters: new Set(group.rows.map(({ cluster }) => cluster.name)).size,
    applications: group.rows.length,
    ...(finding && { finding }),
    ...(since && { since }),
  };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

function byImportance(a: Cause, b: Cause): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    b.clusters - a.clusters ||
    (a.id < b.id ? -1 : 1)
  );
}

function earliest(rows: readonly ApplicationRow[]): string | undefined {
  let found: string | undefined;
  for (const { since } of rows) {
    if (since !== undefined && (found === undefined || since < found)) {
      found = since;
    }
  }
  return found;
}

function problemIn(
  { code, severity, title }: Finding,
  cluster: string,
): NonNullable<ApplicationRow['problem']> {
  return { severity, title, code, cause: causeId(code, title, cluster) };
}

/** The same for findings that differ in names of clusters, hashes and numbers only. */
function causeId(code: string, title: string, cluster: string): string {
  const text = withoutClusterName(title, cluster)
    .replace(/\b(?=[a-f]*\d)[0-9a-f]{7,}\b/gi, '…')
    .replace(/\d+/g, '…')
    .trim();
  let hash = 0;
  for (const character of text) {
    hash = (hash * 31 + character.codePointAt(0)!) % 0x7fffffff;
  }
  return `${code}-${hash.toString(36)}`;
}

/**
 * Replaces a cluster's name, as a word or a part of a name such as `<cluster>-guestbook-app`, but not inside another
 * word.
 */
function withoutClusterName(text: string, cluster: string): string {
  const [lower, name] = [text.toLowerCase(), cluster.toLowerCase()];
  // The lower case of a few letters is longer, so that places in it are others.
  if (!name || lower.length !== text.length) {
    return text;
  }
  const parts: string[] = [];
  let from = 0;
  let at = lower.indexOf(name);
  while (at >= 0) {
    const end = at + name.length;
    const isWord = !isLetter(lower[at - 1]) && !isLetter(lower[end]);
    if (isWord) {
      parts.push(text.slice(from, at));
      from = end;
    }
    at = lower.indexOf(name, isWord ? end : at + 1);
  }
  return [...parts, text.slice(from)].join('…');
}

/** A letter or digit of a cluster's name. */
function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[a-z0-9]/.test(character);
}
