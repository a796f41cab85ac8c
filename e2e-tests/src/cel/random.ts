/** A source of random values that are the same for the same seed. */
export interface Random {
  /** A number from 0 up to, but not including, 1. */
  next(): number;
  /** The value in 7 of 10 cases, otherwise undefined. */
  maybe<T>(value: () => T): T | undefined;
  oneOf<T>(values: readonly T[]): T;
  /** A whole number from 0 to `most`. */
  upTo(most: number): number;
}

/** A linear congruential generator with the constants of Numerical Recipes, which is good enough for test data. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    next,
    maybe: value => (next() < 0.7 ? value() : undefined),
    oneOf: values => values[Math.floor(next() * values.length)],
    upTo: most => Math.floor(next() * (most + 1)),
  };
}
