/** How many objects of each kind a work observes at most; none of a kind with 0. */
export interface ObserveLimits {
  readonly rollouts: number;
  /** Applications that the Application deploys (app of apps). */
  readonly childApplications: number;
}

/** Which parts of the work go beyond the documented pull model. */
export interface WorkOptions {
  /** Bring errors and resources home by a condition rule; needs OCM 1.0. */
  readonly conditionRules: boolean;
  /** Where condition rules are not used, bring the first errors home by further feedback. */
  readonly errorFeedback: boolean;
  /** Have the agent watch the Application instead of polling it; needs OCM 1.2. */
  readonly watch: boolean;
  /** CEL text that makes the digest. */
  readonly digestExpression: string;
  /** Objects that the digest names and that the work is to observe besides; needs condition rules. */
  readonly observe: ObserveLimits;
  /** Bring the namespace of the Application along. */
  readonly includeNamespace: boolean;
  /** Bring the AppProject of the Application along. */
  readonly includeAppProject: boolean;
  /** Namespace of Argo CD itself, on the hub and on the managed clusters. */
  readonly argocdNamespace: string;
}
