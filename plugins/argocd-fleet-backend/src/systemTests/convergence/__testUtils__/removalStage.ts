import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedHub, type EmbeddedHub } from 'embedded-hub';
import type { Knex } from 'knex';
import { waitFor } from '../../../__testUtils__/waitFor';
import {
  MIGRATIONS,
  openSqlite,
} from '../../../database/__testUtils__/testDatabase';
import type { Random } from './churn';
import { createFleetOnHub } from './fleetOnHub';
import { createHubApi } from './hubApi';
import {
  KINDS,
  setOnHub,
  shuffled,
  stayed,
  STORY_NAMESPACE,
  tellStory,
  type StoredRemovals,
} from './removalStories';
import { startWorkAgents } from './workAgents';
import { startWorkLedger } from './workLedger';

const CLUSTERS = ['one', 'two', 'three', 'four', 'five', 'six'];
/** Applications that nobody touches: more than half of the hub, which is never held as a whole. */
const BALLAST = 72;
/** Full passes after which a work that is not deleted stays. */
const PASSES = 3;

/** What must be empty in the end. */
export interface StageProblems {
  /** Deletions that were not allowed. */
  readonly wrong: readonly string[];
  /** Works that are still there. */
  readonly forgotten: readonly string[];
  /** What does not happen in a story. */
  readonly unfinished: readonly string[];
  /** What else is not as it must be at the end of a story. */
  readonly others: readonly string[];
}

/** A hub with the stories of many ApplicationSets at the same time, and the database of its controllers. */
export interface RemovalStage {
  readonly hub: EmbeddedHub;
  readonly kubeconfigPath: string;
  /** A file of SQLite. */
  readonly database: string;
  readonly knex: Knex;
  /** Must be called when a full pass of propagation has ended, with the time at which it began. */
  notePass(startedAt: string): void;
  /** Creates all sets, and begins the stories. Resolves when the running controllers have done their part. */
  deliver(): Promise<void>;
  /**
   * Goes on with any stories.
   * @param steps - how many of their steps
   * @param life - tells this life of the controllers from others
   */
  goOn(steps: number, life: number): Promise<void>;
  /** Ends all stories, and waits until the running controllers have done what they must. */
  end(life: number): Promise<StageProblems>;
  /** The most lives of the controllers in which one story went on. */
  readonly livesOfAStory: number;
  close(): Promise<void>;
}

/**
 * Starts a hub for the stories; they begin once they are delivered.
 * @param options.isWatchedAlways - whether a replica watches the hub at any time: none of what was ordered is missed
 */
export async function startRemovalStage(options: {
  readonly random: Random;
  readonly isWatchedAlways: boolean;
}): Promise<RemovalStage> {
  const { random } = options;
  const folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-removals-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const hub = await startEmbeddedHub({ kubeconfigPath });
  await createFleetOnHub(hub, {
    applications: [{ namespace: STORY_NAMESPACE, name: 'any' }],
    clusters: CLUSTERS,
    decided: CLUSTERS,
  }).prepare();
  const database = join(folder, 'database.sqlite');
  const { knex, close: closeDatabase } = openSqlite(database);
  await knex.raw('pragma journal_mode = wal');
  await knex.migrate.latest(MIGRATIONS);
  const stored = storedIn(knex);
  const api = createHubApi(hub.url);
  const ledger = await startWorkLedger(hub);
  const stopAgents = startWorkAgents(api, ledger);

  const setOf = (name: string, clusters: readonly string[]) =>
    setOnHub({ api, ledger, name, clusters, finalizer: random() < 0.5 });
  const ballast = setOf(
    'ballast',
    Array.from(
      { length: BALLAST },
      (_, index) => CLUSTERS[index % CLUSTERS.length],
    ),
  );
  const sets = Array.from({ length: KINDS }, (_, index) => {
    const from = Math.floor(random() * CLUSTERS.length);
    const rotated = [...CLUSTERS.slice(from), ...CLUSTERS.slice(0, from)];
    return setOf(`set-${index}`, rotated.slice(0, random() < 0.5 ? 3 : 4));
  });
  let lastPassAt = '';
  const stories = sets.map((set, kind) => {
    const { name, begin, steps, check } = tellStory(kind, {
      ...{ set, ledger, stored, random, clusters: CLUSTERS },
      isWatchedAlways: options.isWatchedAlways,
      passedSince: time => lastPassAt > time,
    });
    const title = `${set.name} ${name}`;
    return { title, begin, left: [...steps], check, lives: new Set<number>() };
  });
  let untouched = ballast.works();

  /** Makes the next step of any story that may go on, first of those that did not go on in this life. */
  async function goOnOnce(life: number) {
    const waiting = shuffled(random, stories).sort(
      (a, b) => Number(a.lives.has(life)) - Number(b.lives.has(life)),
    );
    for (const { left, lives } of waiting) {
      if (left.length > 0 && ((await left[0].ready?.()) ?? true)) {
        const [step] = left.splice(0, 1);
        lives.add(life);
        await step.act();
        return;
      }
    }
  }

  async function passes() {
    const passesSince = (time: string) => waitFor(() => lastPassAt > time);
    for (let passed = 0; passed < PASSES; passed += 1) {
      await passesSince(new Date().toISOString());
    }
  }

  async function problems(): Promise<StageProblems> {
    const ofStories = await Promise.all(
      stories.map(async ({ title, check }) =>
        ((await check?.(stored)) ?? []).map(problem => `${title}: ${problem}`),
      ),
    );
    return {
      wrong: ledger.errors(),
      forgotten: ledger
        .left()
        .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      unfinished: stories.flatMap(({ title, left }) =>
        left.length > 0 ? title : [],
      ),
      others: [...ofStories.flat(), ...stayed(untouched, ballast)],
    };
  }

  return {
    ...{ hub, kubeconfigPath, database, knex },
    notePass(startedAt) {
      lastPassAt = startedAt;
    },
    async deliver() {
      const all = [ballast, ...sets];
      for (const set of all) {
        await set.create();
      }
      await waitFor(() =>
        all.every(set => set.works().length === set.names.length),
      );
      untouched = ballast.works();
      await passes();
      await Promise.all(stories.map(({ begin }) => begin?.()));
    },
    async goOn(steps, life) {
      for (let count = 0; count < steps; count += 1) {
        await goOnOnce(life);
      }
    },
    async end(life) {
      // What is missing after that is told by the problems.
      await waitFor(async () => {
        await goOnOnce(life);
        const { wrong, ...missing } = await problems();
        return (
          wrong.length > 0 ||
          Object.values(missing).every(({ length }) => length === 0)
        );
      }).catch(() => {});
      await passes();
      return problems();
    },
    get livesOfAStory() {
      return Math.max(...stories.map(({ lives }) => lives.size));
    },
    async close() {
      await stopAgents();
      ledger.stop();
      await closeDatabase();
      await hub.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function storedIn(knex: Knex): StoredRemovals {
  return {
    async hasOrder(set) {
      const owner = `ApplicationSet/${STORY_NAMESPACE}/${set}`;
      return (await knex('work_releases').where({ owner })).length > 0;
    },
    held: async () =>
      new Set(
        await knex('work_removals').where({ state: 'held' }).pluck('uid'),
      ),
  };
}
