/** Pseudorandom numbers from 0 up to, not including, 1; the same sequence for the same seed. */
export interface RandomNumbers {
  next(): number;
}

/** A linear congruential generator (Numerical Recipes' constants), which is good enough for drawing hits. */
export function createRandomNumbers(seed: number): RandomNumbers {
  // Without this scrambling, neighbouring seeds begin with similar numbers.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return {
    next() {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    },
  };
}
