import type {
  ManifestConfig,
  ManifestResourceIdentifier,
} from 'backstage-plugin-argocd-fleet-common';
import {
  ERROR_PATHS,
  FEEDBACK_PATHS,
  READY_CONDITION,
  READY_EXPRESSION,
} from '../feedback';
import type { WorkOptions } from './workOptions';

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
          messageExpression: options.digestExpression,
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
