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
  type FoundApplication,
  type SearchReading,
} from './readSearchAnswer';
import { createSearchClient, SearchError } from './searchClient';
import type { SearchConfig } from './searchConfig';
import {
  searchFindings,
  type FailedClusters,
  type SearchRound,
} from './searchFindings';
import { applicationSearch } from './searchQuery';
import { createSkippedThings } from './skippedItems';

/** A round begins no search any more after so many times the timeout of one: what it has by then is to be kept before the task's end. */
const START_TIMEOUTS = 2;

/** So many times the timeout of a search is the longest that a round takes. */
export const ROUND_TIMEOUTS = START_TIMEOUTS + 1;

const TOO_LATE = new SearchError(
  'unavailable',
  'not asked: the searches before took all the time of this round',
);

const NOTHING_RELATED = new SearchError(
  'failed',
  'Applications were told, and nothing that is related to them',
);

/** Id of the source. */
export const SEARCH_SOURCE = 'search';

/**
 * RHACM's Search of one hub as a source: the Applications of ApplicationSets on their clusters, in batches of clusters. A search that
 * reaches its limit is asked again in halves, down to single clusters; the rest of what fails stays as it was until the next round.
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
        // The documented search finds no others.
        if (each.applicationSet) {
          wanted.set(placeKey(each.cluster, each.onCluster), each);
          onClusters.add(each.cluster);
        }
      }
      const clusters = [...onClusters].sort();
      const skipped = createSkippedThings();
      const details: ApplicationDetails[] = [];
      const failed: FailedClusters[] = [];
      const cut: string[] = [];
      const unread = new Set<string>();
      const startsUntil = Date.now() + START_TIMEOUTS * timeoutMs;

      function take(batch: readonly string[], reading: SearchReading) {
        for (const found of reading.applications) {
          const known = detailsOf(found, wanted);
          if (known) {
            details.push(known);
          }
        }
        for (const cluster of reading.unread) {
          const theirs = cluster && batch.includes(cluster) ? [cluster] : batch;
          theirs.forEach(each => unread.add(each));
        }
      }

      /** Answers with the batches that are to be asked again, smaller. */
      async function ask(batches: readonly (readonly string[])[]) {
        if (Date.now() > startsUntil) {
          failed.push({ error: TOO_LATE, clusters: batches.flat() });
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
          const skippedHere = createSkippedThings();
          const reading =
            result instanceof SearchError
              ? undefined
              : readSearchAnswer(result, limit, skippedHere);
          if (!reading) {
            const error =
              result instanceof SearchError
                ? result
                : new SearchError('failed', 'the result has no items');
            failed.push({ error, clusters: batch });
            return [];
          }
          const verdict = emptyAnswers.judge(batch, reading.untold);
          if (batch.length > 1 && (reading.cut || verdict === 'ask smaller')) {
            return [halvesOf(batch)];
          }
          if (verdict === 'fail') {
            failed.push({ error: NOTHING_RELATED, clusters: batch });
            return [];
          }
          if (reading.cut) {
            cut.push(...batch);
          }
          skipped.include(skippedHere);
          take(batch, reading);
          return [];
        });
      }

      await runQueue(
        rotated(batchesOf(clusters, batchSize)).map(batch => [batch]),
        concurrency,
        ask,
      );
      const round: SearchRound = {
        hub,
        url: config.access.url,
        limit,
        clusters: clusters.length,
        known: details.length,
        failed,
        cut,
        skipped,
      };
      return {
        details,
        incomplete: [
          ...failed.flatMap(each => each.clusters),
          ...cut,
          ...unread,
        ],
        findings: searchFindings(round),
      };
    },
  };
}

/** An Application of the index that is one of ours; one of another ApplicationSet of the same hub is not. */
function detailsOf(
  found: FoundApplication,
  wanted: ReadonlyMap<string, ResourceSourceApplication>,
): ApplicationDetails | undefined {
  const asked = wanted.get(placeKey(found.cluster, found.name));
  const { conditions, resources } = found;
  return asked?.applicationSet &&
    objectKey(asked.applicationSet) === objectKey(found.applicationSet)
    ? {
        application: asked.application,
        conditions,
        ...(resources && { resources }),
      }
    : undefined;
}

function placeKey(
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

/** Begins anywhere, so that it is not always the same clusters for which a round has no time. */
function rotated<T>(batches: readonly T[]): T[] {
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
