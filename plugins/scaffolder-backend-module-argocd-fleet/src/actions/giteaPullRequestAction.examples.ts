import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const giteaPullRequestExamples: TemplateExample[] = [
  {
    description: 'Open a pull request with the files of the workspace',
    example: stringify({
      steps: [
        {
          id: 'gitea',
          name: 'Open the pull request',
          action: 'argocd-fleet:gitea:pull-request',
          input: {
            repoUrl: 'gitea.example.com?owner=retail&repo=shop',
            branchName: 'promote-1a2b3c4',
            targetBranchName: 'main',
            title: 'Promote 1a2b3c4 to production',
            description: 'What staging runs.',
          },
        },
      ],
    }),
  },
];
