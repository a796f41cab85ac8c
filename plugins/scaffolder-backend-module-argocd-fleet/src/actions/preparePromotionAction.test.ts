import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createMockDirectory,
  mockCredentials,
  mockServices,
} from '@backstage/backend-test-utils';
import type { BackstageCredentials } from '@backstage/backend-plugin-api';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import type { Promotion } from 'backstage-plugin-argocd-fleet-common';
import { startFakeHost, type FakeHost } from '../__testUtils__/fakeHost';
import type { FleetAccess } from '../fleetAccess';
import { createPreparePromotionAction } from './preparePromotionAction';

const [OLD, NEW] = ['a'.repeat(40), 'b'.repeat(40)];
const API = 'GET /api/v1/repos/retail/shop';
const HISTORY = `${API}/commits?path=overlays%2Fproduction&sha=main&limit=1`;
const COMPARE = `${API}/compare/${OLD}...${NEW}`;
const image = (tag: string) => `images:\n  - name: shop\n    newTag: ${tag}\n`;

describe('the action that prepares a promotion', () => {
  const workspace = createMockDirectory();
  let fake: FakeHost;
  let promotion: Promotion;
  let trees: Record<string, Record<string, string>>;

  beforeEach(async () => {
    fake = await startFakeHost();
    workspace.clear();
    const source = (path: string) => ({
      repoURL: `http://${fake.host}/retail/shop.git`,
      path,
      targetRevision: 'main',
    });
    const ref = { hub: 'hub', namespace: 'argocd' };
    promotion = {
      from: {
        ref: { ...ref, name: 'staging' },
        source: source('overlays/staging'),
        ...{ revision: NEW, clusters: 2, ready: 2 },
        images: [{ image: 'shop:2', clusters: 2 }],
      },
      to: {
        ref: { ...ref, name: 'production' },
        source: source('overlays/production'),
        ...{ revision: OLD, clusters: 40, ready: 39 },
        images: [{ image: 'shop:1', clusters: 40 }],
      },
    };
    trees = {
      [`${NEW}/overlays/staging`]: { 'kustomization.yaml': image('v2') },
      'main/overlays/production': {
        'kustomization.yaml': `# Many\n${image('v1')}`,
      },
    };
    fake.answers = {
      [HISTORY]: [{ sha: OLD, commit: { message: 'Sell' } }],
      [COMPARE]: {
        commits: [
          {
            sha: NEW,
            commit: {
              message: 'Sell `more` @all|x\n',
              author: { name: 'Ada' },
            },
          },
        ],
      },
    };
  });
  afterEach(() => fake.stop());

  async function prepare(
    input: { from?: string; to?: string; allowIncomplete?: boolean } = {},
    { isDryRun = false, error }: { isDryRun?: boolean; error?: Error } = {},
  ) {
    const asked: unknown[] = [];
    const reads: string[] = [];
    const action = createPreparePromotionAction({
      integrations: ScmIntegrations.fromConfig(
        new ConfigReader({
          integrations: {
            gitea: [{ host: fake.host, baseUrl: `http://${fake.host}` }],
          },
        }),
      ),
      reader: mockServices.urlReader.mock({
        readTree: async url => {
          const path = url.split('/src/branch/')[1];
          reads.push(path);
          return {
            etag: '',
            archive: async () => Promise.reject(new Error('unused')),
            dir: async () => Promise.reject(new Error('unused')),
            files: async () =>
              Object.entries(trees[path] ?? {}).map(([name, text]) => ({
                path: name,
                content: async () => Buffer.from(text),
              })),
          };
        },
      }),
      fleet: {
        getToken: async (credentials: BackstageCredentials) =>
          `token of ${JSON.stringify(credentials.principal)}`,
        client: {
          preparePromotion: async (...call: unknown[]) => {
            asked.push(call);
            if (error) {
              throw error;
            }
            return promotion;
          },
        },
      } as unknown as FleetAccess,
    });
    const context = createMockActionContext({
      input: {
        from: 'hub:argocd/staging',
        to: 'hub:argocd/production',
        ...input,
      },
      workspacePath: workspace.path,
    });
    const ctx = {
      ...context,
      isDryRun,
      getInitiatorCredentials: async () => mockCredentials.user('user:a/b'),
    };
    const log: string[] = [];
    for (const level of ['info', 'warn'] as const) {
      jest
        .spyOn(ctx.logger, level)
        .mockImplementation((...[message]) => void log.push(message));
    }
    await action.handler(ctx);
    return {
      ...{ asked, reads, log: log.join('\n') },
      output: Object.fromEntries(jest.mocked(ctx.output).mock.calls),
    };
  }

  describe('of the same folder, whose repository keeps the ApplicationSet', () => {
    const FOLDER = 'fleet/production';
    const manifest = (name: string, revision: string) => `# Reviewed by retail
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: ${name} }
spec:
  template:
    spec:
      source: { path: deploy, targetRevision: '${revision}' } # pinned
`;

    beforeEach(() => {
      const { from, to } = promotion;
      promotion = {
        from,
        to: { ...to, source: { ...from.source, targetRevision: OLD } },
        targetRevision: NEW,
      };
      trees = {
        [`HEAD/${FOLDER}`]: {
          'placement.yaml': 'kind: Placement\n',
          'applicationset.yaml': manifest('production', OLD),
        },
      };
    });

    it('changes the revision in its manifest, and says what lies between', async () => {
      const { reads, output } = await prepare();
      expect(reads).toEqual([`HEAD/${FOLDER}`]);
      expect(
        await readFile(
          join(workspace.path, FOLDER, 'applicationset.yaml'),
          'utf8',
        ),
      ).toBe(manifest('production', NEW));
      expect(output).toMatchObject({
        changed: true,
        repoUrl: `${fake.host}?owner=retail&repo=shop`,
        branchName: 'promote-argocd-production-bbbbbbb',
      });
      // For a pull request to the default branch.
      expect(output.targetBranchName).toBeUndefined();
      for (const text of [
        `| \`targetRevision\` in \`${FOLDER}/applicationset.yaml\` | \`${OLD}\` | \`${NEW}\` |`,
        '### Commits between both',
        'Ada',
      ]) {
        expect(output.description).toContain(text);
      }
      expect(fake.requests.map(({ route }) => route)).toEqual([COMPARE]);
    });

    it('promotes nothing twice', async () => {
      trees[`HEAD/${FOLDER}`] = { 'a.yaml': manifest('production', NEW) };
      const { output } = await prepare();
      expect(output).toEqual({
        changed: false,
        summary: expect.stringContaining('has the revision of'),
      });
    });

    it.each<[string, Record<string, string>]>([
      ['no manifest', {}],
      ['that of another one', { 'a.yaml': manifest('other', OLD) }],
      ['none that can be read', { 'a.yaml': 'kind: [' }],
      [
        'one with several sources',
        {
          'a.yaml': manifest('production', OLD).replace('source:', 'sources:'),
        },
      ],
    ])('says where to change it by hand where there is %s', async (_, tree) => {
      trees[`HEAD/${FOLDER}`] = tree;
      await expect(prepare()).rejects.toThrow(
        `no manifest of the ApplicationSet production in ${FOLDER} that names one targetRevision. Change it to ${NEW}`,
      );
    });
  });

  it('asks as the user, and writes the files and the words of the pull request', async () => {
    const { asked, reads, output } = await prepare();
    expect(asked).toEqual([
      [
        promotion.to.ref,
        promotion.from.ref,
        expect.objectContaining({
          token: expect.stringContaining('user:a/b'),
        }),
      ],
    ]);
    expect(reads).toEqual([
      'main/overlays/production',
      `${NEW}/overlays/staging`,
    ]);
    const { description, summary, ...rest } = output;
    expect(summary).toBe(description);
    expect(rest).toEqual({
      changed: true,
      type: 'gitea',
      repoUrl: expect.stringMatching(/\?owner=retail&repo=shop$/),
      branchName: 'promote-argocd-production-bbbbbbb',
      targetBranchName: 'main',
      title: 'Promote bbbbbbb from staging to production',
    });
    expect(description).toBe(
      [
        'Brings what `argocd/staging` on the hub `hub` runs to `argocd/production` on the hub `hub`, which deploys `overlays/production` to 40 clusters.',
        '',
        '| Value | Before | After |',
        '| ----- | ------ | ----- |',
        '| `image shop` in `overlays/production/kustomization.yaml` | `shop:v1` | `shop:v2` |',
        '',
        '### What runs now',
        '',
        '| | Commit | Clusters that run it, synced and healthy | Images |',
        '| - | - | - | - |',
        '| `argocd/staging` on the hub `hub` | bbbbbbb | 2 of 2 | `shop:2` on 2 of 2 |',
        '| `argocd/production` on the hub `hub` | aaaaaaa | 39 of 40 | `shop:1` on 40 of 40 |',
        '',
        '### Commits since `overlays/production` last changed',
        '',
        '- bbbbbbb `Sell more @all x` `Ada`',
      ].join('\n'),
    );
    expect(
      await readFile(
        join(workspace.path, 'overlays/production/kustomization.yaml'),
        'utf8',
      ),
    ).toBe(`# Many\n${image('v2')}`);
  });

  it('says that there is nothing to promote, without an error', async () => {
    trees['main/overlays/production'] = { 'kustomization.yaml': image('v2') };
    const { output, log } = await prepare();
    expect(output.changed).toBe(false);
    expect(log).toContain('Nothing to promote');
    expect(output.summary).toContain('Nothing to promote');
  });

  it('goes on without the commits, and says why', async () => {
    fake.answers = {};
    const { output, log } = await prepare();
    expect(output.description).toContain('last changed\n\nNot known: ');
    expect(log).toContain('The commits that it brings are not known');
    fake.answers = { [HISTORY]: [] };
    expect((await prepare()).output.description).toMatch(/changed\n\nNone.$/);
  });

  it('leaves the branch to the source control where the ApplicationSet follows the default one', async () => {
    trees['HEAD/overlays/production'] = trees['main/overlays/production'];
    promotion.to.source = { ...promotion.to.source, targetRevision: 'HEAD' };
    const { output } = await prepare();
    expect(output).not.toHaveProperty('targetBranchName');
  });

  it('promotes what does not run everywhere only where that is asked for', async () => {
    promotion = { ...promotion, from: { ...promotion.from, ready: 1 } };
    await expect(prepare()).rejects.toThrow(
      /Only 1 of 2 clusters of argocd\/staging on the hub "hub" run bbbbbbb, synced and healthy/,
    );
    expect((await prepare({ allowIncomplete: true })).output.changed).toBe(
      true,
    );
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'an ApplicationSet that is pinned to a commit',
      () => {
        promotion.to.source = { ...promotion.to.source, targetRevision: OLD };
      },
      /production on the hub "hub" deploys the commit aaaaaaa and follows no branch/,
    ],
    ...['main/../../other', 'a b', '/main', 'x?y', '~1^{tree}'].map(
      (branch): [string, () => unknown, RegExp] => [
        `a branch called ${branch}`,
        () => {
          promotion.to.source = {
            ...promotion.to.source,
            targetRevision: branch,
          };
        },
        /production on the hub "hub" follows ".*", which is no name of a branch/,
      ],
    ),
    [
      'folders without a common version',
      () => {
        trees[`${NEW}/overlays/staging`] = { 'a.yaml': 'kind: ConfigMap\n' };
      },
      /overlays\/staging and overlays\/production have no version in common/,
    ],
  ])('refuses %s', async (_, change, message) => {
    change();
    await expect(prepare()).rejects.toThrow(message);
  });

  it.each(['staging', 'argocd/staging', 'hub:a/b,hub:a/c', 'hub:A B/c'])(
    'refuses the name %s',
    async name => {
      await expect(prepare({ from: name })).rejects.toThrow(
        /names no ApplicationSet: write hub:namespace\/name/,
      );
    },
  );

  it('says whose promotion the API refused, and asks nothing in a dry run', async () => {
    await expect(
      prepare({}, { error: new Error('belongs to others') }),
    ).rejects.toThrow(
      'Could not prepare the promotion to argocd/production on the hub "hub": belongs to others',
    );
    const { asked, reads, output } = await prepare({}, { isDryRun: true });
    expect([asked, reads, output]).toEqual([
      [],
      [],
      { changed: false, summary: expect.stringContaining('Would prepare') },
    ]);
  });
});
