import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const findRepositoryExamples: TemplateExample[] = [
  {
    description: 'Publish to the source control of the chosen repository',
    example: stringify({
      steps: [
        {
          id: 'repository',
          name: 'Find the source control',
          action: 'argocd-fleet:repository:find',
          input: { repoUrl: 'github.com?owner=retail&repo=shop' },
        },
      ],
    }),
  },
];
