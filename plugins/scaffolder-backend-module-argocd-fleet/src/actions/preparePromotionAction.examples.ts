import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const preparePromotionExamples: TemplateExample[] = [
  {
    description: 'Promote what staging runs to production, on GitHub',
    example: stringify({
      steps: [
        {
          id: 'promotion',
          name: 'Compare both',
          action: 'argocd-fleet:promotion:prepare',
          input: {
            from: 'hub:openshift-gitops/shop-staging',
            to: 'hub:openshift-gitops/shop-production',
          },
        },
        {
          id: 'pullRequest',
          name: 'Open the pull request',
          if: '${{ steps.promotion.output.changed }}',
          action: 'publish:github:pull-request',
          input: {
            repoUrl: '${{ steps.promotion.output.repoUrl }}',
            branchName: '${{ steps.promotion.output.branchName }}',
            targetBranchName: '${{ steps.promotion.output.targetBranchName }}',
            title: '${{ steps.promotion.output.title }}',
            description: '${{ steps.promotion.output.description }}',
          },
        },
      ],
    }),
  },
];
