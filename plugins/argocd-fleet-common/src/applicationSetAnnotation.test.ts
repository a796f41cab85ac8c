import {
  formatApplicationSetAnnotation,
  parseApplicationSetAnnotation,
} from './applicationSetAnnotation';

describe('parseApplicationSetAnnotation', () => {
  it.each([
    ['gitops/web', [{ hub: undefined, namespace: 'gitops', name: 'web' }], []],
    ['eu:gitops/web', [{ hub: 'eu', namespace: 'gitops', name: 'web' }], []],
    [
      ' gitops/web , eu:gitops/web.v2,',
      [
        { hub: undefined, namespace: 'gitops', name: 'web' },
        { hub: 'eu', namespace: 'gitops', name: 'web.v2' },
      ],
      [],
    ],
    ['web', [], ['web']],
    ['a/b/c, gitops/web', [{ namespace: 'gitops', name: 'web' }], ['a/b/c']],
    ['Gitops/web', [], ['Gitops/web']],
    ['gitops/-web', [], ['gitops/-web']],
    [`${'n'.repeat(64)}/web`, [], [`${'n'.repeat(64)}/web`]],
    ['', [], []],
  ])('parses %p', (value, refs, malformed) => {
    expect(parseApplicationSetAnnotation(value)).toEqual({ refs, malformed });
  });

  it('parses what formatApplicationSetAnnotation returns', () => {
    const refs = [
      { hub: 'eu', namespace: 'gitops', name: 'web' },
      { hub: 'us', namespace: 'gitops', name: 'api' },
    ];
    expect(
      parseApplicationSetAnnotation(formatApplicationSetAnnotation(refs)),
    ).toEqual({ refs, malformed: [] });
  });
});
