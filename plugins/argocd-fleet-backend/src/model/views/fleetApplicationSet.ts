import type {
  ArgoApplication,
  ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import type { KnownAgents } from '../delivery';
import type { Wish } from '../removal';
import type { ComponentPolicy } from './applicationSetComponent';

/** Clusters with works of an ApplicationSet that deliver no Application any more, sorted; one for each work. */
export interface RemainingWorks {
  /** The Application exists and is no longer pull-model. */
  readonly kept: readonly string[];
  /** Somebody else froze the work, and it delivers no Application. */
  readonly frozen: readonly string[];
  /** The work is being deleted, and its Application is gone. */
  readonly ending: readonly string[];
}

/** One ApplicationSet, with all that the hub knows about it besides its Applications. */
export interface FleetApplicationSet {
  readonly hub: string;
  readonly applicationSet: ArgoApplicationSet;
  /** The first of its Applications by name: it stands for all where the template has placeholders. */
  readonly firstApplication?: ArgoApplication;
  /** The agents of argocd-agent on the hub. */
  readonly agents?: KnownAgents;
  readonly components: ComponentPolicy;
  /** Why the configuration no longer lets the portal write it; undefined where it does, or nothing is configured. */
  readonly writeRefusal?: string;
  /** The Placement that its generator names; undefined where it names none. */
  readonly placement?: {
    readonly name: string;
    /** Whether that Placement exists. */
    readonly found: boolean;
    /** Clusters that it selects. */
    readonly decisions: number;
    /** Those of them that are not the hub itself. */
    readonly others: number;
    /** Whether a decision has a score, at which some versions of Argo CD fail. */
    readonly scored?: boolean;
  };
  readonly remaining?: RemainingWorks;
  /** Works whose deletion is held. */
  readonly held?: readonly Wish[];
  /** How many works the release that the annotation orders covers; undefined while it is not known. */
  readonly releases?: number;
}
