import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationDetails,
  ResourceSource,
  ResourceSourceAnswer,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import { orAborted, type FleetCache } from '../controllers';
import { createStructurePool, errorMessage, objectKey } from '../hub';
import type { SourcedDetails } from '../model';
import {
  NO_ROUND,
  OvertakenError,
  REMEMBERED_ROUNDS,
  type AnswerStore,
  type LateCluster,
  type StoredAnswer,
  type StoredRound,
} from './answerStore';
import { askedApplications } from './askedApplications';
import { createTurns } from './turns';

/** What the resource sources know about the Applications of one hub. */
export interface ResourceSources {
  /** Whether there is any source. */
  readonly any: boolean;
  /**
   * Asks every source, and stores what is new. To be called by one replica at a time.
   * @throws Error where the database fails
   */
  ask(signal: AbortSignal): Promise<void>;
  /** Takes up what other replicas were told. */
  refresh(): Promise<void>;
  /** What was said of an Application; the same array as long as it is the same. */
  of(application: string): readonly SourcedDetails[] | undefined;
  findings(): readonly Finding[];
  /** Calls back with the keys of Applications about which something new is known; none where only the findings are others. */
  onChange(listener: (applications: readonly string[]) => void): () => void;
}

/** What one source said of one Application. */
interface Entry {
  readonly cluster: string;
  readonly details: ApplicationDetails;
  readonly fingerprint: string;
  readonly changedAt?: string;
}

/** How a round of questions to a source went. */
export interface SourceRound {
  readonly source: string;
  readonly seconds: number;
  /** Applications of which the source knew something. */
  readonly applications: number;
  /** Codes of the findings that say why it did not know more. */
  readonly failures: readonly string[];
}

interface SourceMemory {
  readonly source: ResourceSource;
  round: StoredRound;
  readonly entries: Map<string, Entry>;
}

/**
 * An answer is marked with its age once it was missing so many times in a row: a mark changes every row of the clusters concerned, and a
 * source that stumbles is asked again within seconds.
 */
const LATE_AFTER_ROUNDS = 3;

/** Applications of which others are told at once: each of them is looked at again. */
const KEYS_PER_TURN = 500;

/** Creates the sources of one hub; nothing is asked and read until somebody asks for it. */
export function createResourceSources(options: {
  readonly cache: FleetCache;
  readonly sources: readonly ResourceSource[];
  readonly store: AnswerStore;
  readonly logger: LoggerService;
  readonly onRound?: (round: SourceRound) => void;
}): ResourceSources {
  const { cache, store, logger, onRound } = options;
  const { hub } = cache;
  const listeners = new Set<(applications: readonly string[]) => void>();
  const memories = options.sources.map((source): SourceMemory => ({
    source,
    round: NO_ROUND,
    entries: new Map(),
  }));
  const pool = createStructurePool();
  const known = new Map<string, readonly SourcedDetails[]>();
  /**
   * What touches the database, one after the other: a look at it while a round is stored would take its answers for older than they are.
   * No source is asked in a turn: it may take as long as it likes, and others wait for theirs.
   */
  let before: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = before.then(work);
    before = result.catch(() => undefined);
    return result;
  }

  /** Every source on its own; the first failure is thrown when all are done. */
  async function forEach(work: (memory: SourceMemory) => Promise<void>) {
    const results = await Promise.allSettled(memories.map(work));
    for (const result of results) {
      if (result.status === 'rejected') {
        throw result.reason;
      }
    }
  }

  function sourcedOf(key: string): readonly SourcedDetails[] {
    return memories.flatMap(({ source, round, entries }) => {
      const entry = entries.get(key);
      if (!entry) {
        return [];
      }
      const { cluster, details, changedAt } = entry;
      const lastSaidAt = lastSaid(round.late[cluster]);
      return [
        {
          source: source.id,
          details,
          ...(changedAt && { changedAt }),
          ...(lastSaidAt && { lastSaidAt }),
        },
      ];
    });
  }

  function know(key: string) {
    const sourced = sourcedOf(key);
    if (sourced.length > 0) {
      known.set(key, sourced);
    } else {
      known.delete(key);
    }
  }

  /** Takes over a round that is in the database now, and what it brought. */
  async function apply(
    memory: SourceMemory,
    round: StoredRound,
    pages:
      | Iterable<readonly StoredAnswer[]>
      | AsyncIterable<readonly StoredAnswer[]>,
    /** Whether the pages are all that there is. */
    isWhole: boolean,
  ) {
    const { entries } = memory;
    const { round: last } = memory;
    const gone = new Set(isWhole ? entries.keys() : []);
    const changed = new Set<string>();
    const turn = createTurns();
    for await (const page of pages) {
      for (const { application, cluster, details, changedAt } of page) {
        await turn();
        changed.add(application);
        gone.delete(application);
        if (details === undefined) {
          entries.delete(application);
        } else {
          entries.set(application, {
            cluster,
            details: pool.share(JSON.parse(details)),
            fingerprint: fingerprintOf(details),
            ...(changedAt && { changedAt }),
          });
        }
      }
    }
    for (const key of gone) {
      entries.delete(key);
      changed.add(key);
    }
    memory.round = round;
    for (const key of keysOnClusters(entries, differentlyLate(last, round))) {
      changed.add(key);
    }
    const tell = (keys: readonly string[]) =>
      listeners.forEach(listener => listener(keys));
    let keys: string[] = [];
    for (const key of changed) {
      know(key);
      keys.push(key);
      if (keys.length === KEYS_PER_TURN) {
        tell(keys);
        keys = [];
        await yieldToOthers();
      }
    }
    const findingsChanged =
      JSON.stringify(last.findings) !== JSON.stringify(round.findings);
    if (keys.length > 0 || findingsChanged) {
      tell(keys);
    }
  }

  async function refreshOne(memory: SourceMemory) {
    const { source, round: last } = memory;
    const round = await store.readRound(hub, source.id);
    if (round.revision === last.revision) {
      return;
    }
    const canFollow =
      round.revision > last.revision &&
      round.revision - last.revision < REMEMBERED_ROUNDS;
    const after = canFollow ? last.revision : 0;
    const pages = store.readAnswers(hub, source.id, after);
    await apply(memory, round, pages, after === 0);
  }

  async function askOne(
    memory: SourceMemory,
    applications: readonly ResourceSourceApplication[],
    signal: AbortSignal,
  ) {
    const last = await inTurn(async () => {
      await refreshOne(memory);
      return memory.round;
    });
    const askedAt = new Date().toISOString();
    const answer = await answerOf(memory.source, applications, signal);
    await inTurn(async () => {
      signal.throwIfAborted();
      await keep(memory, last, applications, askedAt, answer);
    });
  }

  /**
   * Stores an answer, and takes it up.
   * @param last - the last round when it was asked for. The store refuses the answer where there is a later one, also where this replica
   * has taken that up meanwhile: what was asked for before need not be what is so now.
   */
  async function keep(
    memory: SourceMemory,
    last: StoredRound,
    applications: readonly ResourceSourceApplication[],
    askedAt: string,
    answer: ResourceSourceAnswer,
  ) {
    const { source, entries } = memory;
    const incomplete = new Set(answer.incomplete);
    const answers = await differences(
      entries,
      applications,
      answer.details,
      incomplete,
      askedAt,
    );
    const round = {
      revision: last.revision + 1,
      askedAt,
      late: Object.fromEntries(
        [...incomplete].map(cluster => [
          cluster,
          {
            since: last.late[cluster]?.since ?? last.askedAt ?? askedAt,
            missed: (last.late[cluster]?.missed ?? 0) + 1,
          },
        ]),
      ),
      findings: answer.findings ?? [],
    };
    await store.write(hub, source.id, round, answers);
    await apply(memory, round, [answers], false);
  }

  async function answerOf(
    source: ResourceSource,
    applications: readonly ResourceSourceApplication[],
    signal: AbortSignal,
  ): Promise<ResourceSourceAnswer> {
    if (applications.length === 0) {
      return { details: [] };
    }
    const begun = performance.now();
    const answer = await collected(source, applications, signal);
    onRound?.({
      source: source.id,
      seconds: (performance.now() - begun) / 1000,
      applications: answer.details.length,
      failures: (answer.findings ?? [])
        .filter(({ severity }) => severity !== 'info')
        .map(({ code }) => code),
    });
    return answer;
  }

  async function collected(
    source: ResourceSource,
    applications: readonly ResourceSourceApplication[],
    signal: AbortSignal,
  ): Promise<ResourceSourceAnswer> {
    try {
      return await orAborted(
        source.collect({ hub, applications, signal }),
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      const evidence = errorMessage(error);
      logger.warn(`Resource source ${source.id} failed: ${evidence}`);
      return {
        details: [],
        incomplete: applications.map(({ cluster }) => cluster),
        findings: [failed(source.id, hub, evidence)],
      };
    }
  }

  return {
    any: memories.length > 0,
    async ask(signal) {
      // A source that is asked about half of the Applications would seem to know nothing of the others any more.
      if (cache.missing(['applications', 'works', 'clusters']).length > 0) {
        return;
      }
      const applications = await askedApplications(cache);
      await forEach(memory =>
        askOne(memory, applications, signal).catch(error => {
          if (!(error instanceof OvertakenError)) {
            throw error;
          }
          logger.info(error.message);
        }),
      );
    },
    refresh: () => inTurn(() => forEach(refreshOne)),
    of: application => known.get(application),
    findings: () => memories.flatMap(({ round }) => round.findings),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What a round brought that is not known yet, and what is known no more. */
async function differences(
  entries: ReadonlyMap<string, Entry>,
  applications: readonly ResourceSourceApplication[],
  details: readonly ApplicationDetails[],
  incomplete: ReadonlySet<string>,
  askedAt: string,
): Promise<StoredAnswer[]> {
  const turn = createTurns();
  const clusterOf = new Map<string, string>();
  for (const { application, cluster } of applications) {
    await turn();
    clusterOf.set(objectKey(application), cluster);
  }
  const told = new Set<string>();
  const found: StoredAnswer[] = [];
  for (const each of details) {
    await turn();
    const application = objectKey(each.application);
    const cluster = clusterOf.get(application);
    const before = entries.get(application);
    const text = JSON.stringify(each);
    if (cluster !== undefined && !told.has(application)) {
      told.add(application);
      if (
        before?.cluster !== cluster ||
        before.fingerprint !== fingerprintOf(text)
      ) {
        found.push({
          application,
          cluster,
          details: text,
          ...(before?.cluster === cluster && { changedAt: askedAt }),
        });
      }
    }
  }
  for (const [application, { cluster }] of entries) {
    await turn();
    const isKept =
      clusterOf.get(application) === cluster && incomplete.has(cluster);
    if (!told.has(application) && !isKept) {
      found.push({ application, cluster });
    }
  }
  return found;
}

function* keysOnClusters(
  entries: ReadonlyMap<string, Entry>,
  clusters: ReadonlySet<string>,
): Generator<string> {
  if (clusters.size > 0) {
    for (const [key, { cluster }] of entries) {
      if (clusters.has(cluster)) {
        yield key;
      }
    }
  }
}

/** Undefined for what has not been missing for long. */
function lastSaid(late: LateCluster | undefined): string | undefined {
  return late && late.missed >= LATE_AFTER_ROUNDS ? late.since : undefined;
}

function differentlyLate(
  { late: a }: StoredRound,
  { late: b }: StoredRound,
): ReadonlySet<string> {
  return new Set(
    [...Object.keys(a), ...Object.keys(b)].filter(
      cluster => lastSaid(a[cluster]) !== lastSaid(b[cluster]),
    ),
  );
}

function fingerprintOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}

function failed(source: string, hub: string, evidence: string): Finding {
  return {
    code: 'AFC-430',
    severity: 'warning',
    title: `The resource source ${source} failed`,
    message: `${source} gave no answer about hub "${hub}". What it said before is shown until it does.`,
    evidence,
  };
}
