import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import scaffolderPlugin from '@backstage/plugin-scaffolder-backend';
import { parse } from 'yaml';
import scaffolderModule from '.';

const template = parse(
  readFileSync(
    join(__dirname, '../templates/promote-a-revision/template.yaml'),
    'utf8',
  ),
);

describe('the template Promote a revision', () => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await startTestBackend({
      features: [
        scaffolderPlugin,
        scaffolderModule,
        catalogServiceMock.factory({ entities: [] }),
        mockServices.rootConfig.factory({
          data: { backend: { baseUrl: 'http://localhost' } },
        }),
      ],
    });
  });
  afterAll(() => backend.stop());

  async function dryRun(values: object) {
    const response = await fetch(
      `http://localhost:${backend.server.port()}/api/scaffolder/v2/dry-run`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ template, values, directoryContents: [] }),
      },
    );
    const { log = [], output, errors } = await response.json();
    return {
      status: response.status,
      log: log.map(({ body }: { body: { message: string } }) => body.message),
      output,
      errors: JSON.stringify(errors ?? ''),
    };
  }

  it('says what it would do, without any source control', async () => {
    const { status, log, output } = await dryRun({
      from: 'hub:argocd/staging',
      to: 'hub:argocd/production',
    });
    const would =
      'Would prepare the promotion from argocd/staging on the hub "hub" to argocd/production on the hub "hub"';
    expect(status).toBe(200);
    expect(log.join('\n')).toContain(would);
    expect(log.join('\n')).toContain('Skipping step gitea');
    expect(output).toEqual({
      links: [],
      text: [expect.objectContaining({ content: would })],
    });
  });

  it.each([{ from: 'staging' }, { to: 'a:b/c,d:e/f' }, { to: undefined }])(
    'refuses %j before any step runs',
    async wrong => {
      const { status, log, errors } = await dryRun({
        ...{ from: 'hub:argocd/staging', to: 'hub:argocd/production' },
        ...wrong,
      });
      expect([status, log]).toEqual([400, []]);
      expect(errors).toMatch(/pattern|required/);
    },
  );
});
