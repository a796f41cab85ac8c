import type { RunningRevision } from 'backstage-plugin-argocd-fleet-common';
import { timeText, type SummaryRow } from './summaryRow';

/** What runs and what is wanted, over the clusters of an ApplicationSet. */
export interface Versions {
  readonly revisions: RunningRevision[];
  readonly notKnown: number;
}

const MAX_REVISIONS = 10;

/** A revision while it is counted. */
interface Entry {
  /** Undefined where no cluster has compared with the wanted texts yet. */
  readonly version: string | undefined;
  readonly clusters: Set<string>;
  readonly wanted: Set<string>;
  /** What the hub wants by it, and what clusters that run it compared with. */
  wantedTexts: string | undefined;
  comparedTexts: string | undefined;
  comparison: Comparison | undefined;
  since: number | undefined;
  last: number | undefined;
}

/** That Argo CD on a cluster found this version for the wanted texts. */
interface Comparison {
  readonly version: string;
  readonly cluster: string;
  /** The earliest time that it may have been made, in milliseconds since the epoch. */
  readonly at: number | undefined;
}

/**
 * Counts the clusters by what runs there, and by what the hub wants there: a text, which is the version that the newest
 * comparison of any cluster found for it. At most ten, the wanted ones first, then those on the most clusters.
 */
export function versionsOf(rows: Iterable<SummaryRow>): Versions {
  const all = [...rows].filter(
    ({ cluster, state }) => cluster && !state.excluded,
  );
  const newest = newestComparisons(all);
  const entries = new Map<string, Entry>();
  const entryOf = (version: string | undefined, texts?: string) => {
    const key = version ?? `\n${texts}`;
    const known = entries.get(key);
    if (known) {
      return known;
    }
    const entry: Entry = {
      version,
      wantedTexts: undefined,
      comparedTexts: undefined,
      clusters: new Set(),
      wanted: new Set(),
      comparison: undefined,
      since: undefined,
      last: undefined,
    };
    entries.set(key, entry);
    return entry;
  };
  const known = new Set<string>();
  for (const row of all) {
    const { cluster, wanted, running, runningSince } = row;
    if (wanted) {
      const comparison = newest.get(wanted);
      const entry = entryOf(comparison?.version, wanted);
      entry.wantedTexts = first(entry.wantedTexts, wanted);
      entry.comparison =
        entry.comparison && comparison
          ? later(entry.comparison, comparison)
          : comparison;
      entry.wanted.add(cluster);
    }
    if (running !== undefined) {
      const entry = entryOf(running);
      if (row.compared && row.comparedVersion === running) {
        entry.comparedTexts = first(entry.comparedTexts, row.compared);
      }
      known.add(cluster);
      entry.clusters.add(cluster);
      if (runningSince !== undefined) {
        entry.since = Math.min(entry.since ?? Infinity, runningSince);
        entry.last = Math.max(entry.last ?? -Infinity, runningSince);
      }
    }
  }
  const clusters = new Set(all.map(({ cluster }) => cluster));
  return {
    revisions: [...entries.values()]
      .map(entry => revisionOf(entry, clusters.size))
      .sort(wantedFirst)
      .slice(0, MAX_REVISIONS),
    notKnown: clusters.size - known.size,
  };
}

/** @param all - number of clusters of the set */
function revisionOf(entry: Entry, all: number): RunningRevision {
  const { version, clusters, wanted, comparison, since, last } = entry;
  const texts = entry.wantedTexts ?? entry.comparedTexts;
  const { cluster, at } = comparison ?? {};
  return {
    ...(version !== undefined && { revision: version }),
    ...(texts && { targetRevisions: texts.split('\n') }),
    clusters: clusters.size,
    wanted: wanted.size,
    ...(cluster !== undefined && {
      comparedBy: { cluster, ...(at !== undefined && { at: timeText(at) }) },
    }),
    ...(since !== undefined && { since: timeText(since) }),
    ...(last !== undefined &&
      clusters.size === all && { completeSince: timeText(last) }),
  };
}

function wantedFirst(a: RunningRevision, b: RunningRevision): number {
  return (
    b.wanted - a.wanted ||
    b.clusters - a.clusters ||
    (b.since ?? '').localeCompare(a.since ?? '') ||
    (nameOf(a) < nameOf(b) ? -1 : 1)
  );
}

/** Each has its own revision, or its own texts where there is none. */
function nameOf({ revision, targetRevisions = [] }: RunningRevision): string {
  return revision ?? targetRevisions.join('\n');
}

/** The first of two texts, so that the order of rows does not count. */
function first(a: string | undefined, b: string): string {
  return a !== undefined && a < b ? a : b;
}

/**
 * For each text, the newest of its comparisons. No cluster reports when it compared, so that follows from what was
 * deployed: a version that was replaced on one cluster by another one of these is older than that. Where this decides
 * nothing, such as after a branch was set back, the last deployment does.
 */
function newestComparisons(
  rows: readonly SummaryRow[],
): Map<string, Comparison> {
  const byText = new Map<string, Map<string, Comparison>>();
  const replaced = new Map<string, Set<string>>();
  for (const row of rows) {
    const { compared, comparedVersion: version, previous, cluster } = row;
    if (compared && version) {
      const found = byText.get(compared) ?? new Map<string, Comparison>();
      byText.set(compared, found);
      const at = row.running === version ? row.runningSince : undefined;
      const before = found.get(version);
      if (!before || isLater({ version, cluster, at }, before)) {
        found.set(version, { version, cluster, at });
      }
      if (previous) {
        const earlier = replaced.get(compared) ?? new Set();
        replaced.set(compared, earlier.add(previous));
      }
    }
  }
  return new Map(
    Array.from(byText, ([text, found]) => {
      const all = [...found.values()];
      const latest = all.filter(
        ({ version }) => !replaced.get(text)?.has(version),
      );
      const candidates = latest.length > 0 ? latest : all;
      return [text, candidates.reduce(later)];
    }),
  );
}

function later(a: Comparison, b: Comparison): Comparison {
  return isLater(b, a) ? b : a;
}

/** By time, then by name, so that the order of rows does not count. */
function isLater(a: Comparison, b: Comparison): boolean {
  const [left, right] = [a.at ?? -Infinity, b.at ?? -Infinity];
  return left === right
    ? a.version + a.cluster < b.version + b.cluster
    : left > right;
}
