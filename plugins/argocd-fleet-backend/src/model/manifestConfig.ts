import type {
  ManifestConfig,
  ManifestResourceIdentifier,
} from 'backstage-plugin-argocd-fleet-common';
import { ERROR_PATHS } from './errorFeedback';
import { digestExpression, READY_EXPRESSION } from './digestExpression';
import type { WorkOptions } from './manifestWork';

/** Condition of a work's manifest that says whether its Application is Healthy and Synced; its message is the digest. */
export const READY_CONDITION = 'ApplicationReady';

/** Names of the feedback values and where in the Application they are; other software reads them by these names. */
const FEEDBACK_PATHS = {
  healthStatus: '.status.health.status',
  syncStatus: '.status.sync.status',
  operationStateStartedAt: '.status.operationState.startedAt',
  operationStatePhase: '.status.operationState.phase',
  syncRevision: '.status.sync.revision',
} as const;

/** Name of a feedback value. */
export type FeedbackName = keyof typeof FEEDBACK_PATHS;

/** How OCM addresses an Application in a work. */
export function applicationIdentifier(
  namespace: string,
  name: string,
): ManifestResourceIdentifier {
  return { group: 'argoproj.io', resource: 'applications', namespace, name };
}

/** What the agent does with the Application besides applying it. */
export function applicationManifestConfig(
  resourceIdentifier: ManifestResourceIdentifier,
  options: WorkOptions,
): ManifestConfig {
  return {
    resourceIdentifier,
    feedbackRules: [
      {
        type: 'JSONPaths',
        jsonPaths: Object.entries({
          ...FEEDBACK_PATHS,
          ...(options.errorFeedback && !options.conditionRules && ERROR_PATHS),
        }).map(([name, path]) => ({ name, path })),
      },
    ],
    ...(options.watch && { feedbackScrapeType: 'Watch' }),
    ...(options.conditionRules && {
      conditionRules: [
        {
          type: 'CEL',
          condition: READY_CONDITION,
          celExpressions: [READY_EXPRESSION],
          messageExpression: digestExpression(options.digestLength),
        },
      ],
    }),
    updateStrategy: {
      type: 'ServerSideApply',
      serverSideApply: {
        force: true,
        // Argo CD removes both itself once it has acted on them; applying them again would never end.
        ignoreFields: [
          {
            condition: 'OnSpokeChange',
            jsonPaths: [
              '.operation',
              '.metadata.annotations["argocd.argoproj.io/refresh"]',
            ],
          },
        ],
      },
    },
  };
}
