import { Application } from '../kubernetes/argocdTypes';
import { ManifestWork } from '../kubernetes/workTypes';

/** The plan of a generated fleet. The same plan generates the same fleet. */
export interface FleetPlan {
  /** Any text or number; another seed generates another fleet of the same size. */
  readonly seed: string | number;
  /** The number of managed clusters; every ApplicationSet targets all of them. */
  readonly clusters: number;
  /** The number of ApplicationSets. */
  readonly applicationSets: number;
  /** Argo CD's namespace; default `openshift-gitops`. */
  readonly namespace?: string;
  /** The share of Applications with a problem, from 0 to 1; default 0.03. */
  readonly troubled?: number;
  /** The share of clusters that stopped reporting, from 0 to 1; default 0.01. */
  readonly silent?: number;
  /** The time of the snapshot: all times in the fleet are earlier. Default: the start of 2026. */
  readonly now?: Date;
  /**
   * Builds the work of a hub Application as the propagation controller does:
   * without status and without the fields that the API server and the agent
   * add. Without this function, the fleet has no works.
   */
  readonly buildWork?: (application: Application) => ManifestWork;
}

/** A plan with all defaults filled in. */
export type CompletePlan = Required<Omit<FleetPlan, 'buildWork'>> &
  Pick<FleetPlan, 'buildWork'>;

/**
 * Fills in the defaults of a plan.
 *
 * @throws Error if a number is out of range.
 */
export function completePlan(plan: FleetPlan): CompletePlan {
  const complete = {
    namespace: 'openshift-gitops',
    troubled: 0.03,
    silent: 0.01,
    now: new Date('2026-01-01T00:00:00Z'),
    ...plan,
  };
  for (const name of ['clusters', 'applicationSets'] as const) {
    const value = complete[name];
    if (!Number.isInteger(value) || value < 0) {
      throw new Error(
        `A fleet cannot have ${value} ${name}: use a whole number of at least 0`,
      );
    }
  }
  for (const name of ['troubled', 'silent'] as const) {
    const value = complete[name];
    if (!(value >= 0 && value <= 1)) {
      throw new Error(
        `The share "${name}" of a fleet cannot be ${value}: use a number from 0 to 1`,
      );
    }
  }
  return complete;
}
