import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const placementExamples: TemplateExample[] = [
  {
    description: 'Select every production cluster of a cluster set',
    example: stringify({
      steps: [
        {
          id: 'placement',
          name: 'Select clusters',
          action: 'argocd-fleet:placement:create',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            name: 'guestbook',
            owner: 'group:default/platform',
            clusterSets: ['aws-clusters'],
            matchLabels: { environment: 'production' },
          },
        },
      ],
    }),
  },
  {
    description: 'Select two clusters by labels that a form provides',
    example: stringify({
      steps: [
        {
          id: 'placement',
          name: 'Select clusters',
          action: 'argocd-fleet:placement:create',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            name: 'guestbook',
            owner: 'group:default/platform',
            matchLabels: ['region=eu-west-1'],
            numberOfClusters: 2,
          },
        },
      ],
    }),
  },
];
