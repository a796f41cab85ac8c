import {
  commitPage,
  describeSource,
  shortRevision,
  treePage,
} from './repositoryLinks';

const COMMIT = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334';

describe('treePage', () => {
  it.each([
    [
      'https://github.com/argoproj/argocd-example-apps.git',
      'https://github.com/argoproj/argocd-example-apps/tree/main/guestbook',
    ],
    [
      'git@github.com:argoproj/argocd-example-apps.git',
      'https://github.com/argoproj/argocd-example-apps/tree/main/guestbook',
    ],
    [
      'ssh://git@git.gitlab.example.com:2222/team/apps.git',
      'https://git.gitlab.example.com/team/apps/-/tree/main/guestbook',
    ],
    [
      'https://gitlab.example.com:8443/team/apps/',
      'https://gitlab.example.com:8443/team/apps/-/tree/main/guestbook',
    ],
    [
      'https://bitbucket.org/team/apps',
      'https://bitbucket.org/team/apps/src/main/guestbook',
    ],
    ['https://git.example.com/team/apps.git', undefined],
    ['data://github.com/team/apps', undefined],
    ['not a repository', undefined],
  ])('of %s is %s', (repoURL, page) => {
    expect(
      treePage({ repoURL, path: 'guestbook', targetRevision: 'main' }),
    ).toBe(page);
  });

  it('defaults to the default branch and the root', () => {
    expect(treePage({ repoURL: 'https://github.com/a/b', path: '.' })).toBe(
      'https://github.com/a/b/tree/HEAD',
    );
  });

  it('encodes branches with slashes and special characters', () => {
    expect(
      treePage({
        repoURL: 'https://github.com/a/b',
        path: 'x y',
        targetRevision: 'feature/a?b',
      }),
    ).toBe('https://github.com/a/b/tree/feature/a%3Fb/x%20y');
  });

  it('has no page for a chart', () => {
    expect(
      treePage({ repoURL: 'https://github.com/a/b', chart: 'nginx' }),
    ).toBeUndefined();
  });
});

describe('commitPage', () => {
  it.each([
    ['https://github.com/a/b.git', `https://github.com/a/b/commit/${COMMIT}`],
    ['https://gitlab.com/a/b', `https://gitlab.com/a/b/-/commit/${COMMIT}`],
    [
      'https://bitbucket.org/a/b',
      `https://bitbucket.org/a/b/commits/${COMMIT}`,
    ],
  ])('in %s is %s', (repoURL, page) => {
    expect(commitPage({ repoURL }, COMMIT)).toBe(page);
  });

  it('exists for commits only', () => {
    expect(
      commitPage({ repoURL: 'https://github.com/a/b' }, 'v1.2.3'),
    ).toBeUndefined();
  });
});

describe('text for a source', () => {
  it('names repository, path and revision', () => {
    expect(
      describeSource({
        repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
        path: 'guestbook',
        targetRevision: 'main',
      }),
    ).toBe('argocd-example-apps / guestbook @ main');
  });

  it('shortens commits and leaves tags alone', () => {
    expect(shortRevision(COMMIT)).toBe('a1b2c3d');
    expect(shortRevision('release-2026')).toBe('release-2026');
  });
});
