import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const proposePlacementExamples: TemplateExample[] = [
  {
    description:
      'Open a pull request where the repository keeps the Placement, and change it on the hub otherwise',
    example: stringify({
      steps: [
        {
          id: 'proposal',
          name: 'Look who keeps the Placement',
          action: 'argocd-fleet:placement:propose',
          input: {
            applicationSet: 'hub:openshift-gitops/guestbook',
            matchLabels: ['region=eu-west-1'],
            leaving: 'remove',
          },
        },
        {
          id: 'pullRequest',
          name: 'Open a pull request',
          if: '${{ steps.proposal.output.changed }}',
          action: 'publish:github:pull-request',
          input: {
            repoUrl: '${{ steps.proposal.output.repoUrl }}',
            branchName: '${{ steps.proposal.output.branchName }}',
            title: '${{ steps.proposal.output.title }}',
            description: '${{ steps.proposal.output.summary }}',
          },
        },
        {
          id: 'change',
          name: 'Change the Placement',
          if: '${{ not steps.proposal.output.keptInGit }}',
          action: 'argocd-fleet:placement:change',
          input: {
            applicationSet: 'hub:openshift-gitops/guestbook',
            matchLabels: ['region=eu-west-1'],
            leaving: 'remove',
          },
        },
      ],
    }),
  },
];
