import { isComparisonWith } from './comparedSpec';

const destination = {
  server: 'https://kubernetes.default.svc',
  namespace: 'a',
};
const hydrated = {
  repoURL: 'https://git.example.com/shop.git',
  path: 'env/prod',
  targetRevision: 'hydrated/prod',
};

describe('a comparison with a spec that has a source hydrator', () => {
  const desired = {
    destination,
    sourceHydrator: {
      drySource: {
        repoURL: hydrated.repoURL,
        path: 'shop',
        targetRevision: '1',
      },
      syncSource: {
        path: hydrated.path,
        targetBranch: hydrated.targetRevision,
      },
    },
  };

  it('is one with the branch of the hydrated manifests', () => {
    expect(
      isComparisonWith({ sources: [hydrated], destination }, desired),
    ).toBe(true);
  });

  it('is none with another branch', () => {
    const other = { ...hydrated, targetRevision: 'hydrated/dev' };
    expect(isComparisonWith({ sources: [other], destination }, desired)).toBe(
      false,
    );
  });
});
