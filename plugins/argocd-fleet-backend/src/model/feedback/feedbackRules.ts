/** Condition of a work's manifest, true while its Application is Healthy and Synced; its message is the digest. */
export const READY_CONDITION = 'ApplicationReady';

/** Names of the feedback values and their paths in the Application; other software reads them by these names. */
export const FEEDBACK_PATHS = {
  healthStatus: '.status.health.status',
  syncStatus: '.status.sync.status',
  operationStateStartedAt: '.status.operationState.startedAt',
  operationStatePhase: '.status.operationState.phase',
  syncRevision: '.status.sync.revision',
} as const;

/** Name of a feedback value. */
export type FeedbackName = keyof typeof FEEDBACK_PATHS;
