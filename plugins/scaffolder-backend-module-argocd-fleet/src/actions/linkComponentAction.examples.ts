import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const linkComponentExamples: TemplateExample[] = [
  {
    description: 'Link a component to the ApplicationSet of its production',
    example: stringify({
      steps: [
        {
          id: 'link',
          name: 'Link the component',
          action: 'argocd-fleet:component:link',
          input: {
            entityRef: 'component:default/shop',
            applicationSet: 'hub:openshift-gitops/shop-production',
          },
        },
      ],
    }),
  },
];
