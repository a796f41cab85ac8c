import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

const example = (release: string) =>
  stringify({
    steps: [
      {
        id: 'delete',
        name: 'Delete the ApplicationSet',
        action: 'argocd-fleet:applicationset:delete',
        input: {
          applicationSet: 'hub:openshift-gitops/guestbook',
          release,
        },
      },
    ],
  });

export const deleteApplicationSetExamples: TemplateExample[] = [
  {
    description: 'Remove an application from all its clusters',
    example: example('remove'),
  },
  {
    description: 'Leave what runs on the clusters, without Argo CD',
    example: example('hand-over'),
  },
];
