import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const renderExamples: TemplateExample[] = [
  {
    description: 'Write both manifests for a pull request',
    example: stringify({
      steps: [
        {
          id: 'render',
          name: 'Write Placement and ApplicationSet',
          action: 'argocd-fleet:render',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            name: 'shop',
            owner: 'group:default/retail',
            clusterSets: ['aws-clusters'],
            matchLabels: ['environment=production'],
            placement: 'shop',
            repoURL: 'https://git.example.com/retail/shop.git',
            path: 'deploy',
            targetRevision: 'main',
            destinationNamespace: 'shop',
            keptIn: {
              cloneUrl: 'https://git.example.com/retail/shop.git',
              revision: 'main',
            },
          },
        },
      ],
    }),
  },
];
