import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const changePlacementExamples: TemplateExample[] = [
  {
    description:
      'Run on every production cluster of a cluster set, and remove it from the others',
    example: stringify({
      steps: [
        {
          id: 'change',
          name: 'Change where it runs',
          action: 'argocd-fleet:placement:change',
          input: {
            applicationSet: 'hub:openshift-gitops/guestbook',
            clusterSets: ['aws-clusters'],
            matchLabels: { environment: 'production' },
            leaving: 'remove',
          },
        },
      ],
    }),
  },
];
