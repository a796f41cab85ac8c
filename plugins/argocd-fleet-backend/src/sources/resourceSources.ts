import { createHash } from 'node:crypto';
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationDetails,
  ResourceSource,
  ResourceSourceAnswer,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import { createYield, raceWithAbort, yieldToEventLoop } from '../async';
import {
  NO_ROUND,
  OvertakenError,
  REMEMBERED_ROUNDS,
  type AnswerStore,
  type StoredAnswer,
  type StoredRound,
} from '../database';
import type { FleetCache } from '../fleet';
import { errorMessage, objectKey } from '../kubernetes/client';
import { createStructurePool } from '../kubernetes/informer';
import { sourceFindings } from '../model/findings';
import type { SourcedDetails } from '../model/status';
import { askedApplications } from './askedApplications';
import {
  stalenessChanged,
  lastSaidAt,
  lateAfter,
  type RoundOutcome,
} from './lateAnswers';
import { readAnswer } from './readAnswer';

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

/** Keys that are passed to the listeners at once, before a yield: each of them is reconciled again. */
const KEYS_PER_YIELD = 500;

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
      const lateSince = lastSaidAt(round, key, cluster);
      return [
        {
          source: source.id,
          details,
          ...(changedAt && { changedAt }),
          ...(lateSince && { lastSaidAt: lateSince }),
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
    const yieldSometimes = createYield();
    for await (const page of pages) {
      for (const { application, cluster, details, changedAt } of page) {
        await yieldSometimes();
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
    for (const key of keysAmong(entries, stalenessChanged(last, round))) {
      changed.add(key);
    }
    const tell = (keys: readonly string[]) =>
      listeners.forEach(listener => listener(keys));
    let keys: string[] = [];
    for (const key of changed) {
      know(key);
      keys.push(key);
      if (keys.length === KEYS_PER_YIELD) {
        tell(keys);
        keys = [];
        await yieldToEventLoop();
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
    const { answers, ...outcome } = await differences(
      entries,
      applications,
      answer.details,
      new Set(answer.incomplete),
      askedAt,
    );
    const round = {
      revision: last.revision + 1,
      askedAt,
      late: lateAfter(last, outcome),
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
      const asking = { hub, applications, signal };
      const answer = await raceWithAbort(source.collect(asking), signal);
      return readAnswer(source.id, asking, answer);
    } catch (error) {
      signal.throwIfAborted();
      const evidence = errorMessage(error);
      logger.warn(`Resource source ${source.id} failed: ${evidence}`);
      return {
        details: [],
        incomplete: applications.map(({ cluster }) => cluster),
        findings: [sourceFindings.sourceFailed(source.id, hub, { evidence })],
      };
    }
  }

  return {
    any: memories.length > 0,
    async ask(signal) {
      // A source that is asked about half of the Applications would seem to know nothing of the others any more.
      if (
        cache.unsyncedReasons(['applications', 'works', 'clusters']).length > 0
      ) {
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

/** What a round brought that is not known yet, what is known no more, and of what it said nothing. */
async function differences(
  entries: ReadonlyMap<string, Entry>,
  applications: readonly ResourceSourceApplication[],
  details: readonly ApplicationDetails[],
  incomplete: ReadonlySet<string>,
  askedAt: string,
): Promise<RoundOutcome & { readonly answers: StoredAnswer[] }> {
  const yieldSometimes = createYield();
  const clusterOf = new Map<string, string>();
  for (const { application, cluster } of applications) {
    await yieldSometimes();
    clusterOf.set(objectKey(application), cluster);
  }
  const told = new Set<string>();
  const clustersTold = new Set<string>();
  const found: StoredAnswer[] = [];
  for (const each of details) {
    await yieldSometimes();
    const application = objectKey(each.application);
    const cluster = clusterOf.get(application);
    const before = entries.get(application);
    const text = JSON.stringify(each);
    if (cluster !== undefined && !told.has(application)) {
      told.add(application);
      clustersTold.add(cluster);
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
  const kept: [application: string, cluster: string][] = [];
  for (const [application, { cluster }] of entries) {
    await yieldSometimes();
    if (told.has(application)) {
      continue;
    }
    if (clusterOf.get(application) === cluster && incomplete.has(cluster)) {
      kept.push([application, cluster]);
    } else {
      found.push({ application, cluster });
    }
  }
  return { answers: found, askedAt, incomplete, told: clustersTold, kept };
}

/** Of the Applications that are named, or whose clusters are. */
function* keysAmong(
  entries: ReadonlyMap<string, Entry>,
  names: ReadonlySet<string>,
): Generator<string> {
  if (names.size > 0) {
    for (const [key, { cluster }] of entries) {
      if (names.has(key) || names.has(cluster)) {
        yield key;
      }
    }
  }
}

function fingerprintOf(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
