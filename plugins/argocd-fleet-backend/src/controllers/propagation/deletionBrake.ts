import type { LoggerService } from '@backstage/backend-plugin-api';
import { steadyNow, yieldToEventLoop } from '../../async';
import { inDatabase, type RemovalStore } from '../../database';
import { errorMessage } from '../../kubernetes/client';
import {
  brake,
  WINDOW_MS,
  type Wish,
  type WorksLeft,
} from '../../model/removal';
import { createRareWarnings } from './rareWarnings';

/** Milliseconds between two looks at batches that are not complete. */
const TICK_MS = 1_000;

/** Holds deletions of works that nobody ordered where they are too many at a time. Its count is in the database. */
export interface DeletionBrake {
  /**
   * Reads what is stored: another replica may have decided meanwhile.
   * @param isWanted - whether the work of a wish is there and still wanted gone
   * @param signal - ends the run: nothing is decided after it
   */
  load(isWanted: (wish: Wish) => boolean, signal: AbortSignal): Promise<void>;
  /** Counts a work as wanted gone. Resolves once that is stored, with what is decided about it so far. */
  want(work: WantedWork): Promise<Wish>;
  /** Records that a work is wanted gone while nothing may be written: it is counted once that ends. */
  withhold(work: WantedWork): Promise<void>;
  /** The work is no longer wanted gone, or is gone. */
  withdraw(uid: string): Promise<void>;
  get(uid: string): Wish | undefined;
  held(): readonly Wish[];
  /** Calls back with wishes that were decided, until the returned function is called. */
  onDecided(listener: (wishes: readonly Wish[]) => void): () => void;
}

type WantedWork = Pick<Wish, 'uid' | 'work' | 'application' | 'applicationSet'>;

function setsOf(wishes: readonly Wish[]): string[] {
  const sets = wishes.flatMap(({ applicationSet }) => applicationSet ?? []);
  return [...new Set(sets)];
}

/** Creates the brake of one hub. */
export function createDeletionBrake(options: {
  readonly hub: string;
  readonly store: RemovalStore;
  readonly worksLeft: WorksLeft;
  /**
   * Whether works are wanted gone that nobody came to yet, as after a restart or behind many writes: a batch without
   * them would seem smaller than it is.
   */
  readonly isBehind: () => boolean;
  /** Whether an ApplicationSet may be about to lose all that it has left, too. */
  readonly mayFollow: (applicationSet: string) => boolean;
  readonly logger: LoggerService;
  /** Milliseconds that a deletion waits for its batch. */
  readonly batchMs: number;
}): DeletionBrake {
  const { hub, store, worksLeft, isBehind, mayFollow, batchMs } = options;
  const warn = createRareWarnings(options.logger);
  const wishes = new Map<string, Wish>();
  const listeners = new Set<(wishes: readonly Wish[]) => void>();
  let unsaved: Wish[] = [];
  let saving: Promise<void> | undefined;
  /** Wishes that are not stored yet. */
  let unstored = 0;
  let timer: NodeJS.Timeout | undefined;
  let run: AbortSignal | undefined;
  let deciding = false;

  const now = () => Math.round(steadyNow());

  /** Saves what many keys want at the same time in one statement. Only what is stored counts. */
  function save(wish: Wish): Promise<void> {
    unsaved.push(wish);
    saving ??= yieldToEventLoop().then(() => {
      const batch = unsaved;
      unsaved = [];
      saving = undefined;
      return storeAll(batch);
    });
    return saving;
  }

  async function storeAll(batch: readonly Wish[]) {
    unstored += batch.length;
    try {
      await inDatabase(store.saveWishes(hub, batch));
      batch.forEach(wish => wishes.set(wish.uid, wish));
    } finally {
      unstored -= batch.length;
    }
  }

  /**
   * Whether a batch may lack works. Nothing waits for longer than the window: a cluster's agent may write new works again
   * and again.
   */
  function mayGrow(batch: readonly Wish[], at: number): boolean {
    return (
      batch.every(({ wantedAt }) => wantedAt > at - WINDOW_MS) &&
      (unsaved.length + unstored > 0 ||
        isBehind() ||
        setsOf(batch).some(mayFollow))
    );
  }

  function schedule(ms: number) {
    if (run && !run.aborted) {
      timer ??= setTimeout(() => {
        timer = undefined;
        void decide();
      }, ms);
    }
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
  }

  async function decide() {
    const own = run;
    if (deciding) {
      schedule(Math.min(TICK_MS, batchMs));
      return;
    }
    deciding = true;
    try {
      const at = now();
      const changed = brake(wishes.values(), worksLeft, at, batchMs);
      if (changed.length > 0 && !mayGrow(changed, at)) {
        await inDatabase(store.saveWishes(hub, changed));
        if (own?.aborted) {
          return;
        }
        const withdrawn = changed.filter(({ uid }) => !wishes.has(uid));
        const decided = changed.filter(({ uid }) => wishes.has(uid));
        decided.forEach(wish => wishes.set(wish.uid, wish));
        listeners.forEach(listener => listener(decided));
        await inDatabase(
          store.deleteWishes(
            hub,
            withdrawn.map(({ uid }) => uid),
          ),
        );
      }
    } catch (error) {
      warn(
        'Deletions of ManifestWorks wait, because what is decided about them cannot be stored',
        errorMessage(error),
      );
    } finally {
      deciding = false;
    }
    if ([...wishes.values()].some(({ state }) => state === 'pending')) {
      schedule(Math.min(TICK_MS, batchMs));
    }
  }

  function isOver({ state, decidedAt = 0 }: Wish): boolean {
    return state === 'allowed' && decidedAt <= now() - WINDOW_MS;
  }

  return {
    async load(isWanted, signal) {
      stop();
      run = signal;
      const stored = await inDatabase(store.wishes(hub));
      const isKept = (wish: Wish) =>
        wish.state === 'allowed' ? !isOver(wish) : isWanted(wish);
      const kept = stored.filter(isKept);
      const over = stored.filter(wish => !isKept(wish));
      await inDatabase(
        store.deleteWishes(
          hub,
          over.map(({ uid }) => uid),
        ),
      );
      wishes.clear();
      for (const wish of kept) {
        // The clock of another replica may have been ahead.
        const { wantedAt, decidedAt } = wish;
        wishes.set(wish.uid, {
          ...wish,
          wantedAt: Math.min(wantedAt, now()),
          ...(decidedAt !== undefined && {
            decidedAt: Math.min(decidedAt, now()),
          }),
        });
      }
      signal.addEventListener('abort', stop, { once: true });
      // An earlier run may have left a part of a batch: this one has to come to the rest of it first.
      stop();
      schedule(batchMs);
    },
    async want(work) {
      const known = wishes.get(work.uid);
      if (known && known.state !== 'withheld' && !isOver(known)) {
        return known;
      }
      const wish: Wish = {
        ...work,
        wantedAt: now(),
        state: 'pending',
        ...(known?.wasWithheld && { wasWithheld: true }),
      };
      await save(wish);
      schedule(batchMs);
      return wish;
    },
    async withhold(work) {
      if (!wishes.has(work.uid)) {
        await save({
          ...work,
          wantedAt: now(),
          state: 'withheld',
          wasWithheld: true,
        });
      }
    },
    async withdraw(uid) {
      // Between two runs another replica decides.
      if (run && !run.aborted && wishes.has(uid)) {
        await inDatabase(store.deleteWishes(hub, [uid]));
        wishes.delete(uid);
      }
    },
    get: uid => wishes.get(uid),
    held: () => [...wishes.values()].filter(({ state }) => state === 'held'),
    onDecided(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
