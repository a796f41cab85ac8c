/** Numbers from 0 up to, not including, 1; the same ones for the same seed. */
export interface RandomNumbers {
  next(): number;
}

/** A linear congruential generator (Numerical Recipes' constants): plenty for throwing dice. */
export function createRandomNumbers(seed: number): RandomNumbers {
  // The first numbers of neighbouring seeds are alike without this.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  return {
    next() {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    },
  };
}
