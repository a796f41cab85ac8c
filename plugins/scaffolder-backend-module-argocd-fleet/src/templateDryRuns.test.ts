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

const templateOf = (name: string) =>
  parse(
    readFileSync(join(__dirname, `../templates/${name}/template.yaml`), 'utf8'),
  );

describe('a dry run of a template', () => {
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

  async function dryRun(name: string, values: object) {
    const response = await fetch(
      `http://localhost:${backend.server.port()}/api/scaffolder/v2/dry-run`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          template: templateOf(name),
          values,
          directoryContents: [],
        }),
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

  const STAGES = {
    from: 'hub:argocd/staging',
    to: 'hub:argocd/production',
  };

  it('promote: says what it would do, without any source control', async () => {
    const { status, log, output } = await dryRun('promote-a-revision', STAGES);
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
    'promote: refuses %j before any step runs',
    async wrong => {
      const { status, log, errors } = await dryRun('promote-a-revision', {
        ...STAGES,
        ...wrong,
      });
      expect([status, log]).toEqual([400, []]);
      expect(errors).toMatch(/pattern|required/);
    },
  );

  const RETIRED = {
    applicationSet: 'hub:argocd/shop',
    release: 'hand-over',
  };

  it('retire: says what it would do, and leaves Placements that it does not know', async () => {
    const { status, log, output } = await dryRun(
      'retire-an-application',
      RETIRED,
    );
    expect(status).toBe(200);
    const text = log.join('\n');
    expect(text).toContain(
      'Would delete ApplicationSet argocd/shop on the hub "hub" with the order hand-over',
    );
    expect(text).not.toContain('Would delete Placement');
    expect(output.text[0].content).toMatch(/What it ran is still there/);
  });

  it.each([{ applicationSet: 'shop' }, { release: 'none' }, { release: '' }])(
    'retire: refuses %j before any step runs',
    async wrong => {
      const { status, log } = await dryRun('retire-an-application', {
        ...RETIRED,
        ...wrong,
      });
      expect([status, log]).toEqual([400, []]);
    },
  );

  const MOVED = {
    target: { applicationSet: 'hub:argocd/shop', clusterLabels: ['region=eu'] },
    leaving: 'remove',
  };

  it('change where it runs: says what it would do', async () => {
    const { status, log, output } = await dryRun('change-where-it-runs', MOVED);
    expect(status).toBe(200);
    const would =
      'Would change where argocd/shop on the hub "hub" runs: {"matchLabels":{"region":"eu"}}';
    expect(log.join('\n')).toContain(would);
    expect(output.text[0].content).toBe(would);
    expect(output.links[0].url).toBe('/argocd-fleet/hub/argocd/shop');
  });

  it.each([
    { target: { applicationSet: 'shop' } },
    { target: { ...MOVED.target, clusterLabels: ['region'] } },
    { leaving: 'none' },
  ])('change where it runs: refuses %j before any step runs', async wrong => {
    const { status, log } = await dryRun('change-where-it-runs', {
      ...MOVED,
      ...wrong,
    });
    expect([status, log]).toEqual([400, []]);
  });

  const COMPONENT = {
    component: 'component:default/shop',
    name: 'shop-production',
    path: 'overlays/production',
    targetRevision: 'main',
    target: {
      hub: 'hub',
      namespace: 'argocd',
      clusterSets: ['shops'],
    },
  };

  it.each([
    [{}, 'https://git.example.com/dry/run.git'],
    [
      { repository: 'https://github.com/retail/other.git' },
      'https://github.com/retail/other.git',
    ],
  ])('deploy a component: %j deploys from %s', async (more, repoURL) => {
    const { status, log, output } = await dryRun(
      'deploy-an-existing-component',
      { ...COMPONENT, ...more },
    );
    expect(status).toBe(200);
    const text = log.join('\n');
    expect(text).toContain(
      'Would link component:default/shop to hub:argocd/shop-production',
    );
    expect(text).toContain(
      `"source":{"repoURL":"${repoURL}","path":"overlays/production","targetRevision":"main"},"destinationNamespace":"shop-production"`,
    );
    expect(text).toContain('Skipping step gitea');
    expect(output.links).toEqual([
      expect.objectContaining({
        url: '/argocd-fleet/hub/argocd/shop-production',
      }),
    ]);
  });

  const STEPS = { label: 'environment', values: ['staging', 'production'] };

  it('deploy a component: goes step by step where that is chosen', async () => {
    const rollingSyncIn = async (values: object) => {
      const { status, log } = await dryRun('deploy-an-existing-component', {
        ...COMPONENT,
        ...values,
      });
      expect(status).toBe(200);
      const [, found] = /"rollingSync":({.*?})/.exec(log.join('\n')) ?? [];
      return found && JSON.parse(found);
    };
    expect(
      await rollingSyncIn({
        changes: 'steps',
        rollingSync: { ...STEPS, maxUpdate: '25%' },
      }),
    ).toEqual({ ...STEPS, maxUpdate: '25%' });
    // What a form keeps after another choice counts for nothing.
    expect(
      await rollingSyncIn({ changes: 'atOnce', rollingSync: STEPS }),
    ).toBeUndefined();
  });

  it('deploy a component: proposes Placement and ApplicationSet where the repository keeps them', async () => {
    const { status, log, output } = await dryRun(
      'deploy-an-existing-component',
      { ...COMPONENT, keptIn: 'repository' },
    );
    expect(status).toBe(200);
    const text = log.join('\n');
    expect(text).toContain(
      'Would write fleet/shop-production/placement.yaml and fleet/shop-production/applicationset.yaml: ',
    );
    for (const skipped of ['placement', 'applicationset', 'rollout']) {
      expect(text).toContain(`Skipping step ${skipped}`);
    }
    expect(output.text.map(({ title }: { title: string }) => title)).toEqual([
      'The link of the component',
      'Placement and ApplicationSet',
    ]);
    expect(output.text[1].content).toContain('kind: Application\n');
  });

  it.each([
    { component: undefined },
    { keptIn: 'nowhere' },
    { changes: 'steps' },
    { changes: 'steps', rollingSync: { ...STEPS, values: [] } },
    { changes: 'steps', rollingSync: { ...STEPS, label: 'a b' } },
    { changes: 'steps', rollingSync: { ...STEPS, maxUpdate: '0' } },
    { name: 'Shop' },
    { path: '' },
    { repository: 'not a url' },
  ])('deploy a component: refuses %j before any step runs', async wrong => {
    const { status, log } = await dryRun('deploy-an-existing-component', {
      ...COMPONENT,
      ...wrong,
    });
    expect([status, log]).toEqual([400, []]);
  });
});
