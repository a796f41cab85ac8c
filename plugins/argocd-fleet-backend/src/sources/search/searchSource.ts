import type {
  ApplicationDetails,
  ResourceSource,
  ResourceSourceApplication,
} from 'backstage-plugin-argocd-fleet-node';
import pLimit from 'p-limit';
import { createYield } from '../../async';
import { objectKey } from '../../kubernetes/client';
import { createEmptyAnswers } from './emptyAnswers';
import {
  readSearchAnswer,
  type IndexedApplication,
  type SearchAnswer,
} from './readSearchAnswer';
import { createSearchClient, SearchError } from './searchClient';
import type { SearchConfig } from './searchConfig';
import {
  searchFindings,
  type FailedClusters,
  type SearchRound,
} from './searchFindings';
import { applicationSearch } from './searchQuery';
import { createSkippedItems } from './skippedItems';

/**
 * A round starts no search after so many times the timeout of one search, so that its answers are stored before the
 * task ends.
 */
const LAST_START_TIMEOUTS = 2;

/** A round takes at most so many times the timeout of one search. */
export const ROUND_TIMEOUTS = LAST_START_TIMEOUTS + 1;

const ROUND_TIME_OVER = new SearchError(
  'unavailable',
  'not queried: the earlier searches took all of the time of this round',
);

const NO_RELATED_ITEMS = new SearchError(
  'failed',
  'the answer has Applications, but no related items',
);

/** The id of this source. */
export const SEARCH_SOURCE = 'search';

/**
 * RHACM's Search of one hub as a source: the Applications of ApplicationSets, in batches of clusters. A search that
 * reaches its limit is split in halves, down to single clusters. For other failures, earlier answers are kept until the
 * next round.
 */
export function createSearchSource(
  hub: string,
  config: SearchConfig,
): ResourceSource {
  const { batchSize, concurrency, limit, timeoutMs } = config;
  const client = createSearchClient(hub, config);
  const emptyAnswers = createEmptyAnswers();

  return {
    id: SEARCH_SOURCE,
    async collect({ applications, signal }) {
      const wanted = new Map<string, ResourceSourceApplication>();
      const onClusters = new Set<string>();
      const yieldSometimes = createYield();
      for (const each of applications) {
        await yieldSometimes();
        // The documented search finds only Applications of ApplicationSets.
        if (each.applicationSet) {
          wanted.set(clusterKey(each.cluster, each.onCluster), each);
          onClusters.add(each.cluster);
        }
      }
      const clusters = [...onClusters].sort();
      const skipped = createSkippedItems();
      const details: ApplicationDetails[] = [];
      const failed: FailedClusters[] = [];
      const overLimit: string[] = [];
      const unreadable = new Set<string>();
      const startsUntil = Date.now() + LAST_START_TIMEOUTS * timeoutMs;

      function take(batch: readonly string[], reading: SearchAnswer) {
        for (const found of reading.applications) {
          const known = detailsOf(found, wanted);
          if (known) {
            details.push(known);
          }
        }
        for (const cluster of reading.unreadable) {
          const theirs = cluster && batch.includes(cluster) ? [cluster] : batch;
          theirs.forEach(each => unreadable.add(each));
        }
      }

      /** Searches batches; returns the smaller batches that must be searched again. */
      async function search(batches: readonly (readonly string[])[]) {
        if (Date.now() > startsUntil) {
          failed.push({ error: ROUND_TIME_OVER, clusters: batches.flat() });
          return [];
        }
        const results = await client
          .search(
            batches.map(batch => applicationSearch(batch, limit)),
            signal,
          )
          .catch((error: unknown) => {
            if (!(error instanceof SearchError)) {
              throw error;
            }
            return batches.map(() => error);
          });
        return batches.flatMap((batch, index) => {
          const result = results[index];
          const skippedHere = createSkippedItems();
          const reading =
            result instanceof SearchError
              ? undefined
              : readSearchAnswer(result, limit, skippedHere);
          if (!reading) {
            const error =
              result instanceof SearchError
                ? result
                : new SearchError('failed', 'the result has no list of items');
            failed.push({ error, clusters: batch });
            return [];
          }
          const verdict = emptyAnswers.decide(batch, reading.withoutRelated);
          if (
            batch.length > 1 &&
            (reading.limitReached || verdict === 'split')
          ) {
            return [halvesOf(batch)];
          }
          if (verdict === 'fail') {
            failed.push({ error: NO_RELATED_ITEMS, clusters: batch });
            return [];
          }
          if (reading.limitReached) {
            overLimit.push(...batch);
          }
          skipped.include(skippedHere);
          take(batch, reading);
          return [];
        });
      }

      await runQueue(
        startAtRandom(batchesOf(clusters, batchSize)).map(batch => [batch]),
        concurrency,
        search,
      );
      const round: SearchRound = {
        hub,
        url: config.access.url,
        limit,
        clusters: clusters.length,
        known: details.length,
        failed,
        overLimit,
        skipped,
      };
      return {
        details,
        incomplete: [
          ...failed.flatMap(each => each.clusters),
          ...overLimit,
          ...unreadable,
        ],
        findings: searchFindings(round),
      };
    },
  };
}

/** Details of an Application that we deliver; undefined for one of another ApplicationSet. */
function detailsOf(
  found: IndexedApplication,
  wanted: ReadonlyMap<string, ResourceSourceApplication>,
): ApplicationDetails | undefined {
  const known = wanted.get(clusterKey(found.cluster, found.name));
  const { conditions, resources } = found;
  return known?.applicationSet &&
    objectKey(known.applicationSet) === objectKey(found.applicationSet)
    ? {
        application: known.application,
        conditions,
        ...(resources && { resources }),
      }
    : undefined;
}

function clusterKey(
  cluster: string,
  name: { readonly namespace: string; readonly name: string },
): string {
  return `${cluster}/${objectKey(name)}`;
}

function batchesOf(names: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(names.length / size) }, (_, index) =>
    names.slice(index * size, (index + 1) * size),
  );
}

/** Starts at a random batch, so that rounds that run out of time do not always leave out the same clusters. */
function startAtRandom<T>(batches: readonly T[]): T[] {
  const first = Math.floor(Math.random() * batches.length);
  return [...batches.slice(first), ...batches.slice(0, first)];
}

function halvesOf(batch: readonly string[]): string[][] {
  return batchesOf(batch, Math.ceil(batch.length / 2));
}

/** Runs tasks, so many at once; the tasks that a run returns are queued behind. */
async function runQueue<T>(
  tasks: readonly T[],
  concurrency: number,
  run: (task: T) => Promise<readonly T[]>,
): Promise<void> {
  const limit = pLimit(concurrency);
  const runAll = async (queued: readonly T[]): Promise<void> => {
    await Promise.all(
      queued.map(async task => runAll(await limit(() => run(task)))),
    );
  };
  await runAll(tasks);
}
