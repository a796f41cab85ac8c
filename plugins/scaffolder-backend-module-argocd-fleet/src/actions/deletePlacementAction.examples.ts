import type { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const deletePlacementExamples: TemplateExample[] = [
  {
    description:
      'Delete the Placements of an ApplicationSet that an earlier step deleted, but those that others use',
    example: stringify({
      steps: [
        {
          id: 'placements',
          name: 'Delete the Placement',
          action: 'argocd-fleet:placement:delete',
          each: '${{ steps.delete.output.placements }}',
          input: {
            hub: '${{ steps.delete.output.hub }}',
            namespace: '${{ steps.delete.output.namespace }}',
            name: '${{ each.value }}',
            ifUnused: true,
          },
        },
      ],
    }),
  },
];
