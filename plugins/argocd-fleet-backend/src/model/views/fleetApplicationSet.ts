import type {
  ArgoApplication,
  ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';

/** One ApplicationSet, with all that the hub knows about it besides its Applications. */
export interface FleetApplicationSet {
  readonly hub: string;
  readonly applicationSet: ArgoApplicationSet;
  /** The first of its Applications by name: it stands for all where the template has placeholders. */
  readonly firstApplication?: ArgoApplication;
  /** The Placement that its generator names; undefined where it names none. */
  readonly placement?: {
    readonly name: string;
    /** Whether that Placement exists. */
    readonly found: boolean;
    /** Clusters that it selects. */
    readonly decisions: number;
  };
}
