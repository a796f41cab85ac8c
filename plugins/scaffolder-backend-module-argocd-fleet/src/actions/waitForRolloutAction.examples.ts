import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const waitForRolloutExamples: TemplateExample[] = [
  {
    description:
      'Wait until an ApplicationSet is synced and healthy on all its clusters, at least three',
    example: stringify({
      steps: [
        {
          id: 'rollout',
          name: 'Wait for the rollout',
          action: 'argocd-fleet:wait-for-rollout',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            name: 'guestbook',
            minimumClusters: 3,
            timeoutSeconds: 600,
          },
        },
      ],
    }),
  },
];
