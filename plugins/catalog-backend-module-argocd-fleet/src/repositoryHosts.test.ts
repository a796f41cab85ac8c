import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import {
  createRepositoryHostsProcessor,
  REPOSITORY_HOSTS_ANNOTATION,
} from './repositoryHosts';

const template = (
  annotations: Record<string, string> = {
    [REPOSITORY_HOSTS_ANNOTATION]: 'configured',
  },
  options?: object,
): Entity => ({
  apiVersion: 'scaffolder.backstage.io/v1beta3',
  kind: 'Template',
  metadata: { name: 'new', annotations },
  spec: {
    parameters: [
      {
        properties: {
          name: { type: 'string' },
          repoUrl: {
            type: 'string',
            'ui:field': 'RepoUrlPicker',
            ...(options && { 'ui:options': options }),
          },
        },
      },
    ],
  } as Entity['spec'],
});

async function optionsOf(entity: Entity, integrations?: object) {
  const data = integrations ? { integrations } : {};
  const processor = createRepositoryHostsProcessor(
    mockServices.rootConfig({ data: data as {} }),
  );
  const before = JSON.stringify(entity);
  const after = await processor.preProcessEntity!(
    entity,
    ...([] as unknown as [never, never, never, never]),
  );
  expect(JSON.stringify(entity)).toBe(before);
  const { parameters } = after.spec as unknown as {
    parameters: { properties: { repoUrl: Record<string, unknown> } }[];
  };
  return parameters[0].properties.repoUrl['ui:options'];
}

describe('the hosts that a template offers', () => {
  it('are those that the portal has configured', async () => {
    expect(
      await optionsOf(template(), {
        github: [{ host: 'ghe.example.com' }, { token: 'x' }],
        gitea: [{ host: 'gitea.example.com' }],
        bitbucketCloud: [{ username: 'x' }],
        azure: [{ host: 'dev.azure.com' }],
      }),
    ).toEqual({
      allowedHosts: [
        'ghe.example.com',
        'github.com',
        'gitea.example.com',
        'bitbucket.org',
      ],
    });
  });

  it('are the public ones without configuration', async () => {
    expect(await optionsOf(template())).toEqual({
      allowedHosts: ['github.com', 'gitlab.com', 'bitbucket.org'],
    });
  });

  it('are its own where it names some, and nothing where it does not ask', async () => {
    const own = { allowedHosts: ['git.example.com'], allowedOwners: ['a'] };
    expect(await optionsOf(template(undefined, own))).toEqual(own);
    expect(await optionsOf(template({}))).toBeUndefined();
  });
});
