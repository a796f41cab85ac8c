import { createHash } from 'node:crypto';
import type { Event } from './history';

/** Numbers from 0 up to 1, always the same ones for a seed. */
export type Dice = () => number;

export function diceOf(seed: number): Dice {
  let thrown = 0;
  return () => {
    thrown += 1;
    const digest = createHash('sha256').update(`${seed}/${thrown}`).digest();
    return digest.readUInt32BE() / 2 ** 32;
  };
}

export function pick<T>(dice: Dice, values: readonly T[]): T {
  return values[Math.floor(dice() * values.length)];
}

/**
 * What people do to a fleet on a busy day: its Applications are made, changed, sent elsewhere and deleted. One that goes only when the
 * controllers let it is not made again: whether that is possible would depend on them.
 */
export function* churn(
  dice: Dice,
  applications: number,
  clusters: readonly string[],
): Generator<Event, never> {
  /** Those that are there, and whether they have a finalizer. */
  const there = new Map<number, boolean>();
  const going = new Set<number>();
  for (let count = 0; ; count += 1) {
    // At first one after the other, so that each has its turn.
    const app =
      count < applications ? count : Math.floor(dice() * applications);
    const cluster = pick(dice, clusters);
    const finalizer = dice() < 0.5;
    if (going.has(app)) {
      continue;
    }
    if (!there.has(app)) {
      there.set(app, finalizer);
      yield { does: 'apply', app, cluster, finalizer };
      continue;
    }
    const does = pick(dice, [
      'respec',
      'retarget',
      'retarget',
      'rehome',
      'operate',
      'recreate',
      'delete',
    ] as const);
    switch (does) {
      case 'respec':
        yield { does, app, to: `v${count}` };
        break;
      case 'retarget':
        yield { does, app, to: cluster };
        break;
      case 'rehome':
        yield { does, app, to: pick(dice, [null, 'argocd', 'apps']) };
        break;
      case 'operate':
        yield { does, app };
        break;
      case 'recreate':
        there.set(app, finalizer);
        yield { does, app, cluster, finalizer };
        break;
      default:
        if (there.get(app)) {
          going.add(app);
        }
        there.delete(app);
        yield { does, app };
    }
  }
}
