import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMockDirectory } from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { startFakeHost, type FakeHost } from '../__testUtils__/fakeHost';
import { createGiteaPullRequestAction } from './giteaPullRequestAction';

const API = '/api/v1/repos/retail/shop';
const PAGE = 'http://gitea/retail/shop/pulls/7';

describe('the action that opens a pull request on Gitea', () => {
  const workspace = createMockDirectory();
  let fake: FakeHost;

  beforeEach(async () => {
    fake = await startFakeHost();
    workspace.clear();
    await mkdir(join(workspace.path, 'overlays'));
    await writeFile(join(workspace.path, 'overlays/a b.yaml'), 'größer');
    await writeFile(join(workspace.path, 'new.yaml'), 'new');
  });
  afterEach(() => fake.stop());

  async function open(more: { isDryRun?: boolean; repoUrl?: string } = {}) {
    const action = createGiteaPullRequestAction({
      integrations: ScmIntegrations.fromConfig(
        new ConfigReader({
          integrations: {
            gitea: [
              {
                host: fake.host,
                baseUrl: `http://${fake.host}`,
                username: 'u',
                password: 'p',
              },
            ],
          },
        }),
      ),
    });
    const { repoUrl = `${fake.host}?owner=retail&repo=shop`, isDryRun } = more;
    const ctx = createMockActionContext({
      input: {
        repoUrl,
        branchName: 'promote/it',
        title: 'Promote it',
        description: 'What staging runs',
      },
      workspacePath: workspace.path,
    });
    await action.handler({ ...ctx, isDryRun });
    return Object.fromEntries(jest.mocked(ctx.output).mock.calls);
  }

  const FREE = {
    [`GET ${API}`]: { default_branch: 'main' },
    [`GET ${API}/contents/overlays/a%20b.yaml?ref=main`]: { sha: 's1' },
    [`POST ${API}/contents`]: {},
    [`POST ${API}/pulls`]: { html_url: PAGE, state: 'open' },
  };

  it('commits the files to a new branch, and opens it for the default branch', async () => {
    fake.answers = FREE;
    expect(await open()).toEqual({ pullRequestUrl: PAGE });
    const written = fake.requests.filter(({ body }) => body);
    expect(written).toEqual([
      {
        route: `POST ${API}/contents`,
        authorization: 'basic dTpw',
        body: {
          ...{
            branch: 'main',
            new_branch: 'promote/it',
            message: 'Promote it',
          },
          files: expect.arrayContaining([
            {
              path: 'overlays/a b.yaml',
              content: Buffer.from('größer').toString('base64'),
              ...{ operation: 'update', sha: 's1' },
            },
            {
              path: 'new.yaml',
              content: Buffer.from('new').toString('base64'),
              operation: 'create',
            },
          ]),
        },
      },
      {
        route: `POST ${API}/pulls`,
        authorization: 'basic dTpw',
        body: {
          ...{ base: 'main', head: 'promote/it', title: 'Promote it' },
          body: 'What staging runs',
        },
      },
    ]);
  });

  it('keeps one that is open already, and goes on after its branch', async () => {
    const found = `GET ${API}/pulls/main/promote%2Fit`;
    fake.answers = { ...FREE, [found]: { html_url: PAGE, state: 'open' } };
    expect(await open()).toEqual({ pullRequestUrl: PAGE });
    expect(fake.requests.filter(({ body }) => body)).toEqual([]);

    // The task ended between the branch and the pull request; an earlier one of that name was closed.
    fake.requests.length = 0;
    fake.answers = {
      ...FREE,
      [found]: { html_url: 'old', state: 'closed' },
      [`GET ${API}/git/commits/promote%2Fit`]: { sha: 'x' },
    };
    expect(await open()).toEqual({ pullRequestUrl: PAGE });
    const written = fake.requests.filter(({ body }) => body);
    expect(written.map(({ route }) => route)).toEqual([`POST ${API}/pulls`]);
  });

  it.each([
    [{ [`POST ${API}/contents`]: 403 }, /retail\/shop: .*403.*refused POST/],
    [{ [`POST ${API}/pulls`]: 409 }, /retail\/shop: .*409.*refused POST/],
    [{ [`GET ${API}`]: 500 }, /retail\/shop: .*500.*refused GET/],
    [{ [`GET ${API}`]: 404 }, /There is no repository retail\/shop/],
  ])('says what the server refused: %j', async (answers, message) => {
    fake.answers = { ...FREE, ...answers };
    await expect(open()).rejects.toThrow(message);
  });

  it('changes nothing in a dry run, and refuses another host', async () => {
    expect(await open({ isDryRun: true })).toEqual({
      pullRequestUrl: expect.stringContaining('/retail/shop/pulls/'),
    });
    await expect(
      open({ repoUrl: 'github.com?owner=retail&repo=shop' }),
    ).rejects.toThrow(/github.com.*integrations.gitea/);
    expect(fake.requests).toEqual([]);
  });
});
