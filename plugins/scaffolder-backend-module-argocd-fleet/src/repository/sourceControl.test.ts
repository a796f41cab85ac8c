import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { startFakeHost, type FakeHost } from '../__testUtils__/fakeHost';
import { hostedRepository } from './sourceControl';

const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];

describe('a repository as the integrations of the portal reach it', () => {
  let fake: FakeHost;
  let integrations: ScmIntegrations;

  beforeEach(async () => {
    fake = await startFakeHost();
    const api = `http://${fake.host}`;
    integrations = ScmIntegrations.fromConfig(
      new ConfigReader({
        integrations: {
          github: [{ host: 'github.com', apiBaseUrl: api, token: 'gh' }],
          gitlab: [
            {
              host: 'gitlab.example.com',
              baseUrl: 'https://gitlab.example.com/git',
              apiBaseUrl: api,
              token: 'gl',
            },
          ],
          gitea: [
            { host: fake.host, baseUrl: api, username: 'u', password: 'p' },
          ],
          bitbucketCloud: [{ username: 'u', appPassword: 'p' }],
          azure: [{ host: 'dev.azure.com' }],
        },
      }),
    );
    // Its API has one address, which no configuration changes.
    Object.assign(integrations.bitbucketCloud.byHost('bitbucket.org')!.config, {
      apiBaseUrl: api,
    });
  });
  afterEach(() => fake.stop());

  const compared = (...shas: string[]) => ({
    commits: shas.map(sha => ({
      sha,
      commit: { message: `Make ${sha[0]}\n\nMore.`, author: { name: 'Ada' } },
    })),
  });
  const newest = [
    { revision: NEW, author: 'Ada', subject: 'Make b' },
    { revision: OLD, author: 'Ada', subject: 'Make a' },
  ];
  const gitlabCommit = (id: string) => ({
    ...{ id, author_name: 'Ada', message: `Make ${id[0]}` },
  });
  const bitbucketCommit = (hash: string) => ({
    ...{ hash, author: { raw: 'Ada' }, message: `Make ${hash[0]}\n` },
  });

  it.each<
    [
      string,
      () => string,
      { type: string; repoUrl: string; tree: string; authorization: RegExp },
      Record<string, unknown>,
    ]
  >([
    [
      'GitHub',
      () => 'git@github.com:retail/shop.git',
      {
        type: 'github',
        repoUrl: 'github.com?owner=retail&repo=shop',
        tree: 'https://github.com/retail/shop/tree/release/1/deploy',
        authorization: /^Bearer gh$/,
      },
      {
        'GET /repos/retail/shop/commits?path=deploy&sha=release%2F1&per_page=1':
          compared('x').commits,
        'GET /repos/retail/shop/compare/x...y': compared(OLD, NEW),
      },
    ],
    [
      'GitLab',
      () => 'https://gitlab.example.com/git/retail/web/shop',
      {
        type: 'gitlab',
        repoUrl: 'gitlab.example.com?owner=retail%2Fweb&repo=shop',
        tree: 'https://gitlab.example.com/git/retail/web/shop/-/tree/release/1/deploy',
        authorization: /^Bearer gl$/,
      },
      {
        'GET /projects/retail%2Fweb%2Fshop/repository/commits?path=deploy&ref_name=release%2F1&per_page=1':
          [gitlabCommit('x')],
        'GET /projects/retail%2Fweb%2Fshop/repository/compare?from=x&to=y': {
          commits: [gitlabCommit(OLD), gitlabCommit(NEW)],
        },
      },
    ],
    [
      'Gitea',
      () => `http://${fake.host}/retail/shop.git`,
      {
        type: 'gitea',
        repoUrl: 'HOST?owner=retail&repo=shop',
        tree: 'http://HOST/retail/shop/src/branch/release/1/deploy',
        authorization: /^basic dTpw$/,
      },
      {
        'GET /api/v1/repos/retail/shop/commits?path=deploy&sha=release%2F1&limit=1':
          compared('x').commits,
        'GET /api/v1/repos/retail/shop/compare/x...y': compared(NEW, OLD),
      },
    ],
    [
      'Bitbucket Cloud',
      () => 'ssh://git@bitbucket.org:22/acme/shop.git',
      {
        type: 'bitbucketCloud',
        repoUrl: 'bitbucket.org?workspace=acme&repo=shop',
        tree: 'https://bitbucket.org/acme/shop/src/release/1/deploy',
        authorization: /^Basic dTpw$/,
      },
      {
        'GET /repositories/acme/shop/commits/release/1?path=deploy&pagelen=1': {
          values: [bitbucketCommit('x')],
        },
        'GET /repositories/acme/shop/commits?include=y&exclude=x&pagelen=100': {
          values: [bitbucketCommit(NEW), bitbucketCommit(OLD)],
        },
      },
    ],
  ])(
    'is named, read and compared on %s',
    async (_, address, expected, answers) => {
      fake.answers = answers;
      const repository = hostedRepository(integrations, address());
      const here = (text: string) => text.replace(fake.host, 'HOST');
      expect({
        type: repository.type,
        repoUrl: here(decodeURIComponent(repository.repoUrl)),
        tree: here(repository.treeUrl('release/1', 'deploy')),
        odd: repository.treeUrl('main', 'a/b c?d#e').split('/a/')[1],
      }).toEqual({
        odd: 'b%20c%3Fd%23e',
        type: expected.type,
        repoUrl: decodeURIComponent(expected.repoUrl),
        tree: expected.tree,
      });
      const folder = { path: 'deploy', branch: 'release/1' };
      expect(await repository.commitsSince(folder, 'y')).toEqual(newest);
      const authorized = expect.objectContaining({
        authorization: expect.stringMatching(expected.authorization),
      });
      expect(fake.requests).toEqual([authorized, authorized]);
      fake.answers = {};
      await expect(repository.commitsSince(folder, 'y')).rejects.toThrow(/404/);
    },
  );

  it.each([
    [
      'https://dev.azure.com/a/b/_git/c',
      /pull request on dev.azure.com \(azure\)/,
    ],
    [
      'https://git.example.com/a/b',
      /no entry in `integrations` for git.example.com/,
    ],
    ['shop', /shop is no address of a Git repository/],
  ])('is refused at %s', (address, message) => {
    expect(() => hostedRepository(integrations, address)).toThrow(message);
  });
});
