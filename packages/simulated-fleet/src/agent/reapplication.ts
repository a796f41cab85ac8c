import { createHash } from 'node:crypto';

import { Clock } from '../runtime/clock';
import { inTurns } from '../runtime/turns';

/** Parts of the interval that one timer serves together. */
const SLOTS = 64;

/** The share of the interval by which it varies at most, as in OCM's agent: 4 minutes become 4 to 6. */
const JITTER = 0.5;

/** When works are applied again without a change. */
export interface Reapplication {
  /** Schedules the work of this key, unless it is scheduled already. */
  schedule(key: string): void;
}

/**
 * Calls `reapply` for each scheduled key after one to one and a half intervals
 * of simulated time. The time depends on the key only, so it is the same in
 * every run. One timer serves all keys: a fleet has tens of thousands of works.
 */
export function createReapplication(options: {
  clock: Clock;
  signal: AbortSignal;
  intervalMs: number;
  reapply(key: string): void;
}): Reapplication {
  const { clock, signal, intervalMs, reapply } = options;
  const slotMs = intervalMs / SLOTS;
  const slotNow = () => Math.floor(clock.ticks() / slotMs);
  const scheduled = new Set<string>();
  const slots = new Map<number, string[]>();
  let timer = false;

  function arm() {
    if (!timer && slots.size > 0 && !signal.aborted) {
      timer = true;
      clock.after(slotMs, () => {
        timer = false;
        void inTurns(reapplyDue());
      });
    }
  }

  function* reapplyDue() {
    const due = [...slots.keys()].filter(slot => slot <= slotNow());
    const keys = due.flatMap(slot => slots.get(slot) ?? []);
    due.forEach(slot => slots.delete(slot));
    for (const key of keys) {
      if (signal.aborted) {
        return;
      }
      scheduled.delete(key);
      reapply(key);
      yield;
    }
    arm();
  }

  return {
    schedule(key) {
      if (scheduled.has(key)) {
        return;
      }
      scheduled.add(key);
      const slot = slotNow() + Math.ceil(SLOTS * (1 + JITTER * shareOf(key)));
      const keys = slots.get(slot);
      if (keys) {
        keys.push(key);
      } else {
        slots.set(slot, [key]);
      }
      arm();
    },
  };
}

/** A number in [0, 1) that differs from key to key. */
function shareOf(key: string): number {
  return createHash('sha1').update(key).digest().readUInt32BE() / 2 ** 32;
}
