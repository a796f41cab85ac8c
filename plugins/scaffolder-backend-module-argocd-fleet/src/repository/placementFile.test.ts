import { replacePlacementSpec } from './placementFile';

const SPEC = { numberOfClusters: 2 };
const PLACEMENT = `# Reviewed by the platform team
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: shop # as the ApplicationSet names it
spec:
  clusterSets:
    - shops
`;

describe('a Placement in a repository', () => {
  it('gets another spec, and keeps the rest', () => {
    const files = new Map([
      ['broken.yaml', 'a: [\n'],
      ['list.yaml', '- a\n'],
      ['other.yaml', PLACEMENT.replace('name: shop', 'name: other')],
      ['all.yaml', `kind: ApplicationSet\n---\n${PLACEMENT}`],
    ]);
    expect(replacePlacementSpec(files, 'shop', SPEC)).toEqual({
      file: 'all.yaml',
      text: `kind: ApplicationSet\n---\n${PLACEMENT.replace(
        'clusterSets:\n    - shops',
        'numberOfClusters: 2',
      )}`,
    });
  });

  it('is not found where no file has it', () => {
    const files = new Map([['placement.yaml', PLACEMENT]]);
    expect(replacePlacementSpec(files, 'store', SPEC)).toBeUndefined();
  });
});
