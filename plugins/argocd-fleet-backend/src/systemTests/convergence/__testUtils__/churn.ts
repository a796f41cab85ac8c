import { createHash } from 'node:crypto';
import type { FleetEvent } from './history';

/** Returns numbers from 0 (inclusive) to 1 (exclusive), the same sequence for the same seed. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let count = 0;
  return () => {
    count += 1;
    const digest = createHash('sha256').update(`${seed}/${count}`).digest();
    return digest.readUInt32BE() / 2 ** 32;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)];
}

/**
 * Generates the changes that users make to a fleet: they create, change, retarget and delete Applications. An
 * Application that was deleted with a finalizer is not created again: whether that succeeds would depend on the
 * controllers.
 */
export function* churn(
  random: Random,
  applications: number,
  clusters: readonly string[],
): Generator<FleetEvent, never> {
  /** Whether each existing Application has a finalizer. */
  const existing = new Map<number, boolean>();
  const deleted = new Set<number>();
  for (let count = 0; ; count += 1) {
    // The first round creates every Application.
    const app =
      count < applications ? count : Math.floor(random() * applications);
    const cluster = pick(random, clusters);
    const finalizer = random() < 0.5;
    if (deleted.has(app)) {
      continue;
    }
    if (!existing.has(app)) {
      existing.set(app, finalizer);
      yield { type: 'apply', app, cluster, finalizer };
      continue;
    }
    const type = pick(random, [
      'changeSpec',
      'retarget',
      'retarget',
      'setAppNamespace',
      'startSync',
      'recreate',
      'delete',
    ] as const);
    switch (type) {
      case 'changeSpec':
        yield { type, app, to: `v${count}` };
        break;
      case 'retarget':
        yield { type, app, to: cluster };
        break;
      case 'setAppNamespace':
        yield { type, app, to: pick(random, [null, 'argocd', 'apps']) };
        break;
      case 'startSync':
        yield { type, app };
        break;
      case 'recreate':
        existing.set(app, finalizer);
        yield { type, app, cluster, finalizer };
        break;
      default:
        if (existing.get(app)) {
          deleted.add(app);
        }
        existing.delete(app);
        yield { type, app };
    }
  }
}
