import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createMockDirectory,
  mockCredentials,
  mockServices,
} from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { ConfigReader } from '@backstage/config';
import { ScmIntegrations } from '@backstage/integration';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import { createMockActionContext } from '@backstage/plugin-scaffolder-node-test-utils';
import { createLinkComponentAction } from './linkComponentAction';

const FILE = 'https://github.com/retail/shop/blob/main/catalog/shop.yaml';
const SET = 'hub:argocd/shop-production';
const LINKED = 'argocd-fleet/applicationset';

function shop(annotations: Record<string, string>, owner = 'retail'): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'shop', namespace: 'default', annotations },
    relations: owner
      ? [{ type: 'ownedBy', targetRef: `group:default/${owner}` }]
      : [],
  };
}

describe('the action that links a component', () => {
  const workspace = createMockDirectory();
  beforeEach(() => workspace.clear());

  async function link(
    entity: Entity | undefined,
    {
      text = 'kind: Component\nmetadata:\n  name: shop\n',
      isDryRun = false,
    } = {},
  ) {
    const reads: string[] = [];
    const action = createLinkComponentAction({
      catalog: catalogServiceMock({ entities: entity ? [entity] : [] }),
      integrations: ScmIntegrations.fromConfig(new ConfigReader({})),
      reader: mockServices.urlReader.mock({
        readUrl: async url => {
          reads.push(url);
          return { buffer: async () => Buffer.from(text) };
        },
      }),
      userInfo: mockServices.userInfo.mock({
        getUserInfo: async () => ({
          userEntityRef: 'user:default/rita',
          ownershipEntityRefs: ['user:default/rita', 'group:default/retail'],
        }),
      }),
    });
    const context = createMockActionContext({
      input: { entityRef: 'shop', applicationSet: SET },
      workspacePath: workspace.path,
    });
    await action.handler({
      ...context,
      isDryRun,
      getInitiatorCredentials: async () => mockCredentials.user(),
    });
    return {
      reads,
      output: Object.fromEntries(
        jest
          .mocked(context.output)
          .mock.calls.filter(([, value]) => value !== undefined),
      ),
    };
  }

  const at = (location: string) => ({
    'backstage.io/managed-by-location': location,
  });

  it('writes the catalog file with the annotation', async () => {
    const { reads, output } = await link(shop(at(`url:${FILE}`)));
    expect(reads).toEqual([FILE]);
    expect(output).toEqual({
      owner: 'group:default/retail',
      cloneUrl: 'https://github.com/retail/shop.git',
      changed: true,
      type: 'github',
      repoUrl: 'github.com?owner=retail&repo=shop',
      branchName: 'link-argocd-shop-production',
      targetBranchName: 'main',
      title: 'Link shop to the ApplicationSet shop-production',
      summary: `Links component:default/shop to the ApplicationSet \`${SET}\`: its Fleet tab shows it when this is merged.`,
    });
    expect(
      await readFile(join(workspace.path, 'catalog/shop.yaml'), 'utf8'),
    ).toBe(
      `kind: Component\nmetadata:\n  annotations:\n    ${LINKED}: ${SET}\n  name: shop\n`,
    );
  });

  it.each<[string, Entity, object, RegExp]>([
    [
      'is linked already',
      shop({ ...at(`url:${FILE}`), [LINKED]: `x:a/b,${SET}` }),
      {
        cloneUrl: 'https://github.com/retail/shop.git',
        type: 'github',
        repoUrl: 'github.com?owner=retail&repo=shop',
        branchName: 'link-argocd-shop-production',
        targetBranchName: 'main',
      },
      /is linked to hub:argocd\/shop-production already/,
    ],
    [
      'has its file in no repository',
      shop(at('file:/shop.yaml')),
      {},
      /Add `hub:argocd\/shop-production` to .* yourself: its catalog file, file:\/shop.yaml,/,
    ],
    [
      'has no location at all',
      shop({}),
      {},
      /its catalog file, whose place is not known,/,
    ],
    [
      'is on a host that no integration knows',
      shop(at('url:https://git.example.com/a/b/blob/main/c.yaml')),
      { cloneUrl: 'https://git.example.com/a/b.git' },
      /yourself. The portal's configuration has no entry in `integrations` for git.example.com/,
    ],
  ])('leaves one that %s, and says so', async (_, entity, more, summary) => {
    const { reads, output } = await link(entity);
    expect(reads).toEqual([]);
    expect(output).toEqual({
      owner: 'group:default/retail',
      changed: false,
      ...more,
      summary: expect.stringMatching(summary),
    });
  });

  it('leaves a file of a form that it does not change', async () => {
    const { output } = await link(shop(at(`url:${FILE}`)), {
      text: 'kind: Component\nmetadata: { name: shop }\n',
    });
    expect(output).toMatchObject({
      changed: false,
      summary: expect.stringContaining('in a form that the portal does not'),
    });
  });

  it.each<[string, Entity | undefined, string, RegExp]>([
    [
      "another team's component",
      shop(at(`url:${FILE}`), 'other'),
      'NotAllowedError',
      /belongs to group:default\/other, which is neither you/,
    ],
    [
      'one without an owner',
      shop(at(`url:${FILE}`), ''),
      'NotAllowedError',
      /has no owner in the catalog/,
    ],
    [
      'one that is not there, or not to be seen',
      undefined,
      'InputError',
      /There is no component:default\/shop in the catalog/,
    ],
  ])('refuses %s', async (_, entity, name, message) => {
    await expect(link(entity)).rejects.toMatchObject({
      name,
      message: expect.stringMatching(message),
    });
  });

  it('asks nobody in a dry run', async () => {
    const { reads, output } = await link(undefined, { isDryRun: true });
    expect([reads, output]).toEqual([
      [],
      expect.objectContaining({ changed: false }),
    ]);
  });
});
