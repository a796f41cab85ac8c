import {
  applicationSetMatcher,
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

describe('applicationSetMatcher', () => {
  const names = applicationSetMatcher('eu:gitops/web, gitops/api');

  it.each([
    ['eu', 'web', true],
    ['us', 'web', false],
    [undefined, 'web', false],
    ['us', 'api', true],
    [undefined, 'api', true],
    ['eu', 'other', false],
  ])('on hub %s, %s: %s', (hub, name, expected) => {
    expect(names({ hub, namespace: 'gitops', name })).toBe(expected);
  });

  it('matches nothing without an annotation', () => {
    const ref = { hub: 'eu', namespace: 'gitops', name: 'web' };
    expect(applicationSetMatcher(undefined)(ref)).toBe(false);
  });
});
