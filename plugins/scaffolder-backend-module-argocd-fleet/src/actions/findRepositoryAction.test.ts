import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { createFindRepositoryAction } from './findRepositoryAction';

const action = createFindRepositoryAction({
  integrations: ScmIntegrations.fromConfig(
    new ConfigReader({
      integrations: {
        gitlab: [
          {
            host: 'gitlab.example.com',
            baseUrl: 'https://gitlab.example.com/git',
            apiBaseUrl: 'https://gitlab.example.com/git/api/v4',
          },
        ],
        gitea: [{ host: '127.0.0.1:17007', baseUrl: 'http://127.0.0.1:17007' }],
      },
    }),
  ),
});

async function find(repoUrl: string) {
  const ctx = createMockActionContext({
    input: { repoUrl },
    workspacePath: '/nowhere',
  });
  await action.handler(ctx);
  return Object.fromEntries(jest.mocked(ctx.output).mock.calls);
}

describe('the action that finds the source control of a repository', () => {
  it.each([
    [
      'github.com?owner=retail&repo=shop',
      { type: 'github', cloneUrl: 'https://github.com/retail/shop.git' },
    ],
    [
      'gitlab.example.com?owner=retail%2Fweb&repo=shop',
      {
        type: 'gitlab',
        cloneUrl: 'https://gitlab.example.com/git/retail/web/shop.git',
      },
    ],
    [
      '127.0.0.1:17007?owner=retail&repo=shop',
      { type: 'gitea', cloneUrl: 'http://127.0.0.1:17007/retail/shop.git' },
    ],
    [
      'bitbucket.org?workspace=acme&project=retail&repo=shop',
      {
        type: 'bitbucketCloud',
        cloneUrl: 'https://bitbucket.org/acme/shop.git',
      },
    ],
  ])('knows %s', async (repoUrl, found) => {
    expect(await find(repoUrl)).toEqual(found);
  });

  it.each([
    ['git.unknown.com?owner=a&repo=b', 'No matching integration'],
    ['github.com?owner=a', 'missing repo'],
    ['127.0.0.1:17007?repo=shop', 'needs an owner'],
    [
      'dev.azure.com?organization=a&project=b&repo=c',
      'cannot publish to dev.azure.com (azure), only to github, gitlab, gitea, bitbucketCloud',
    ],
  ])('says what is wrong with %s', async (repoUrl, problem) => {
    await expect(find(repoUrl)).rejects.toThrow(problem);
  });
});
