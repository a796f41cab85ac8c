import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const waitForComponentExamples: TemplateExample[] = [
  {
    description:
      'Wait until the catalog has the component of an ApplicationSet that an earlier step created',
    example: stringify({
      steps: [
        {
          id: 'component',
          name: 'Wait for the catalog',
          action: 'argocd-fleet:component:wait',
          input: {
            entityRef: 'component:default/guestbook',
            applicationSet: 'hub:openshift-gitops/guestbook',
          },
        },
      ],
    }),
  },
];
