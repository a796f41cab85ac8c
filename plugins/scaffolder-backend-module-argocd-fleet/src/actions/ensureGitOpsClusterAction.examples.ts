import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const ensureGitOpsClusterExamples: TemplateExample[] = [
  {
    description:
      'Have all clusters of the sets that are bound to a namespace imported into the Argo CD of the hub',
    example: stringify({
      steps: [
        {
          id: 'placement',
          name: 'Select every cluster',
          action: 'argocd-fleet:placement:create',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            name: 'every-cluster',
            allClusters: true,
          },
        },
        {
          id: 'import',
          name: 'Have the clusters imported',
          action: 'argocd-fleet:gitopscluster:ensure',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            placement: 'every-cluster',
          },
        },
      ],
    }),
  },
];
