import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const applicationSetExamples: TemplateExample[] = [
  {
    description:
      'Deploy a folder of a repository to the clusters of a Placement, as a new component of the catalog',
    example: stringify({
      steps: [
        {
          id: 'applicationset',
          name: 'Create the ApplicationSet',
          action: 'argocd-fleet:applicationset:create',
          input: {
            hub: 'hub',
            namespace: 'openshift-gitops',
            name: 'guestbook',
            placement: 'guestbook',
            repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
            path: 'guestbook',
            targetRevision: 'main',
            destinationNamespace: 'guestbook',
            project: 'default',
            component: {
              name: 'guestbook',
              owner: 'group:default/platform',
              description: 'Where guests write',
            },
          },
        },
      ],
    }),
  },
];
