/** How many objects of each kind a work observes at most; none of a kind with 0. */
export interface ObserveLimits {
  readonly rollouts: number;
  /** Applications that the Application deploys (app of apps). */
  readonly childApplications: number;
}

/** Options for the parts of a work beyond the documented pull model. */
export interface WorkOptions {
  /** Report errors and resources by a condition rule; needs OCM 1.0. */
  readonly conditionRules: boolean;
  /** Without condition rules, report the first errors by further feedback values. */
  readonly errorFeedback: boolean;
  /** Have the agent watch the Application instead of polling it; needs OCM 1.2. */
  readonly watch: boolean;
  /** CEL text that makes the digest. */
  readonly digestExpression: string;
  /** Objects that the digest names and that the work is to observe besides; needs condition rules. */
  readonly observe: ObserveLimits;
  /** Deliver the Application's Namespace too. */
  readonly includeNamespace: boolean;
  /** Deliver the Application's AppProject too. */
  readonly includeAppProject: boolean;
  /** Namespace of Argo CD itself, on the hub and on the managed clusters. */
  readonly argocdNamespace: string;
}
