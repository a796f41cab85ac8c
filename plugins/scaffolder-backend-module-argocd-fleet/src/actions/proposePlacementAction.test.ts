import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createMockDirectory,
  mockServices,
} from '@backstage/backend-test-utils';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import type {
  ArgocdFleetClient,
  PlacementInUse,
} from 'backstage-plugin-argocd-fleet-common';
import { contextFor, refused } from '../__testUtils__/actionRun';
import type { FleetAccess } from '../fleetAccess';
import { createProposePlacementAction } from './proposePlacementAction';

const HOST = 'git.example.com';
const FILE = 'fleet/shop/placement.yaml';
const PLACEMENT = { hub: 'hub', namespace: 'argocd', name: 'shop' };
const placement = (region: string) =>
  `apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: shop
spec:
  region: ${region}
`;

const clusters = (...names: string[]) => ({ count: names.length, names });

const MOVE: PlacementInUse = {
  placement: PLACEMENT,
  keptInGit: true,
  change: {
    preview: { selected: 2 } as never,
    joining: clusters('c', 'd'),
    leaving: clusters('a'),
    resources: { count: 3, names: ['Service shop', 'Deployment `x`'] },
  },
};

describe('argocd-fleet:placement:propose', () => {
  const workspace = createMockDirectory();
  afterEach(() => workspace.clear());

  async function propose(
    options: {
      readonly used?: PlacementInUse;
      readonly input?: object;
      readonly files?: Record<string, string>;
      readonly more?: object;
      readonly client?: Partial<ArgocdFleetClient>;
    } = {},
  ) {
    const { used = MOVE, input, more, client } = options;
    const { files = { 'placement.yaml': placement('us') } } = options;
    const reads: string[] = [];
    const action = createProposePlacementAction({
      integrations: ScmIntegrations.fromConfig(
        new ConfigReader({
          integrations: {
            gitea: [{ host: HOST, baseUrl: `https://${HOST}` }],
          },
        }),
      ),
      reader: mockServices.urlReader.mock({
        readTree: async url => {
          reads.push(url);
          return {
            files: async () =>
              Object.entries(files).map(([path, text]) => ({
                path,
                content: async () => Buffer.from(text),
              })),
          } as never;
        },
      }),
      fleet: {
        getToken: async () => 'token',
        client: {
          getPlacementInUse: async () => used,
          proposePlacement: async () => ({
            placement: PLACEMENT,
            repoURL: `https://${HOST}/retail/shop.git`,
            spec: { region: 'eu' },
          }),
          ...client,
        },
      } as unknown as FleetAccess,
    });
    const { ctx, outputs, log } = contextFor(
      {
        applicationSet: 'hub:argocd/shop',
        matchLabels: ['region=eu'],
        leaving: 'remove',
        ...input,
      },
      { workspacePath: workspace.path, ...more },
    );
    await action.handler(ctx);
    return { outputs: outputs(), reads, log: log() };
  }

  it('writes the changed manifest, and says what comes of it', async () => {
    const { outputs, reads } = await propose();
    expect(reads).toEqual([
      `https://${HOST}/retail/shop/src/branch/HEAD/fleet/shop`,
    ]);
    expect(await readFile(join(workspace.path, FILE), 'utf8')).toBe(
      placement('eu'),
    );
    expect(outputs).toEqual({
      keptInGit: true,
      changed: true,
      type: 'gitea',
      repoUrl: `${HOST}?owner=retail&repo=shop`,
      branchName: expect.stringMatching(/^move-argocd-shop-[0-9a-f]{7}$/),
      title: 'Change where shop runs',
      summary: [
        '**shop** comes to 2 clusters: c, d.',
        '**shop** leaves one cluster: a. What it runs there is removed: `Service shop`, `Deployment x`, 1 more.',
        "The hub's own Argo CD applies the Placement when this is merged.",
      ].join('\n\n'),
    });
  });

  it('has one branch for each change, however often it is made', async () => {
    const branchOf = async (files?: Record<string, string>) =>
      (await propose({ files })).outputs.branchName;
    const first = await branchOf();
    expect(await branchOf()).toBe(first);
    expect(
      await branchOf({ 'placement.yaml': `# x\n${placement('us')}` }),
    ).not.toBe(first);
  });

  it('leaves to others what no repository keeps', async () => {
    const { outputs, reads } = await propose({
      used: { ...MOVE, keptInGit: undefined },
    });
    expect([outputs, reads]).toEqual([{ keptInGit: false }, []]);
  });

  it('changes nothing where the repository says so already', async () => {
    const { outputs } = await propose({
      files: { 'placement.yaml': placement('eu') },
    });
    expect(outputs).toEqual({
      keptInGit: true,
      changed: false,
      summary: expect.any(String),
    });
    await expect(readFile(join(workspace.path, FILE))).rejects.toThrow(
      /ENOENT/,
    );
  });

  it('asks nobody in a dry run', async () => {
    const { outputs, log } = await propose({
      more: { isDryRun: true },
      client: { getPlacementInUse: async () => Promise.reject(new Error('x')) },
    });
    expect(outputs).toEqual({ keptInGit: false });
    expect(log).toEqual([
      'Would look whether a repository keeps the Placement of argocd/shop on the hub "hub"',
    ]);
  });

  it.each<[string, Parameters<typeof propose>[0], RegExp]>([
    [
      'without a word on what is left',
      { input: { leaving: undefined } },
      /would leave one cluster: a: say what becomes/,
    ],
    [
      'to keep running what is left',
      { input: { leaving: 'orphan' } },
      /argocd-fleet\/release: orphan into its manifest in Git before/,
    ],
    [
      'without a manifest',
      { files: { 'other.yaml': 'kind: Placement\n' } },
      /no manifest of the Placement shop in fleet\/shop\. Change it where/,
    ],
    [
      'to no cluster',
      {
        used: {
          ...MOVE,
          change: { ...MOVE.change!, preview: { selected: 0 } as never },
        },
      },
      /No cluster matches/,
    ],
    [
      'of what nobody can change',
      { used: { ...MOVE, fixed: 'Its Placement is shared' } },
      /cannot be changed by the portal\. Its Placement is shared/,
    ],
  ])('refuses a change %s', async (_, options, reason) => {
    await expect(propose(options)).rejects.toThrow(reason);
  });

  it.each([
    ['getPlacementInUse', 503, 'The hub is away'],
    ['proposePlacement', 403, 'may not be changed by you'],
  ] as const)('fails where %s answers %d', async (call, status, message) => {
    await expect(
      propose({
        client: {
          [call]: async () => {
            throw await refused(status, message);
          },
        },
      }),
    ).rejects.toThrow(
      `Could not change where argocd/shop on the hub "hub" runs: ${message}`,
    );
  });
});
