import type { ArgoApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import type { FleetApplication } from './fleetApplication';

/** One ApplicationSet, with all that the hub knows about it. */
export interface FleetApplicationSet {
  readonly hub: string;
  readonly applicationSet: ArgoApplicationSet;
  readonly applications: readonly FleetApplication[];
  /** The Placement that its generator names; undefined where it names none. */
  readonly placement?: {
    readonly name: string;
    /** Whether that Placement exists. */
    readonly found: boolean;
    /** Clusters that it selects. */
    readonly decisions: number;
  };
}
