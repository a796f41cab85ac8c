import { Application } from '../kubernetes/argocdTypes';
import { ManifestWork } from '../kubernetes/workTypes';

/** What a generated fleet is to be. The same plan makes the same fleet. */
export interface FleetPlan {
  /** Any text or number; another one makes another fleet of the same size. */
  readonly seed: string | number;
  /** Managed clusters, each the target of every ApplicationSet. */
  readonly clusters: number;
  readonly applicationSets: number;
  /** Argo CD's namespace; default `openshift-gitops`. */
  readonly namespace?: string;
  /** Share of Applications with something wrong, from 0 to 1; default 0.03. */
  readonly troubled?: number;
  /** Share of clusters that stopped reporting, from 0 to 1; default 0.01. */
  readonly silent?: number;
  /** When the fleet is as it is; what happened lies before. Default: the start of 2026. */
  readonly now?: Date;
  /**
   * The work of a hub Application, as the one who propagates makes it: without
   * status and without what the server and the agent add. No works without it.
   */
  readonly buildWork?: (application: Application) => ManifestWork;
}

/** A plan with nothing left open. */
export type CompletePlan = Required<Omit<FleetPlan, 'buildWork'>> &
  Pick<FleetPlan, 'buildWork'>;

/** Fills in the defaults of a plan. @throws when a number makes no sense. */
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
        `A fleet cannot have ${value} ${name}: give a whole number from 0 up`,
      );
    }
  }
  for (const name of ['troubled', 'silent'] as const) {
    const value = complete[name];
    if (!(value >= 0 && value <= 1)) {
      throw new Error(
        `The share "${name}" of a fleet cannot be ${value}: give a number from 0 to 1`,
      );
    }
  }
  return complete;
}
