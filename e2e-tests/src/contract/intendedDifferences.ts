import differences from './intendedDifferences.json';

/** A case in which the embedded hub intentionally differs from Kubernetes. */
export interface IntendedDifference {
  /** `area: title` of the case. */
  readonly id: string;
  readonly reason: string;
}

/**
 * Every other difference is a defect of the embedded hub. A listed case must fail there; one that passes must leave the
 * list.
 */
export const INTENDED_DIFFERENCES: readonly IntendedDifference[] = differences;
