import { isComparisonWith, isHydrationOf } from './comparedSpec';

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

  it('is one with the repository of the hydrated manifests, where that is another', () => {
    const repoURL = 'https://git.example.com/hydrated.git';
    const { drySource, syncSource } = desired.sourceHydrator;
    const other = {
      destination,
      sourceHydrator: { drySource, syncSource: { ...syncSource, repoURL } },
    };
    const sources = [{ ...hydrated, repoURL }];
    expect(isComparisonWith({ sources, destination }, other)).toBe(true);
    expect(isComparisonWith({ sources, destination }, desired)).toBe(false);
  });

  it('is one for a digest whose rule compared with a source that the spec does not have', () => {
    const compared = { sources: [hydrated], destination, equalsSpec: false };
    expect(isComparisonWith(compared, desired)).toBe(true);
  });

  it('is none with another branch', () => {
    const other = { ...hydrated, targetRevision: 'hydrated/dev' };
    expect(isComparisonWith({ sources: [other], destination }, desired)).toBe(
      false,
    );
  });

  it.each([
    ['what is wanted', true, desired, true],
    ['something else', false, desired, false],
    [
      'something that Argo CD leaves out because it is empty',
      false,
      {
        destination,
        sourceHydrator: {
          ...desired.sourceHydrator,
          drySource: { ...desired.sourceHydrator.drySource, helm: {} },
        },
      },
      true,
    ],
    [
      'something else, and the spec has no hydrator',
      false,
      { destination },
      true,
    ],
  ])('counts where it rendered %s', (_, equalsSpec, spec, expected) => {
    expect(isHydrationOf({ equalsSpec }, spec)).toBe(expected);
    expect(isHydrationOf(undefined, spec)).toBe(true);
  });
});
