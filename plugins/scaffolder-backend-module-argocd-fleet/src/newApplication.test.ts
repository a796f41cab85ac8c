import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import scaffolderPlugin from '@backstage/plugin-scaffolder-backend';
import giteaModule from '@backstage/plugin-scaffolder-backend-module-gitea';
import { parse } from 'yaml';
import scaffolderModule from '.';

const FOLDER = join(__dirname, '../templates/new-pull-model-application');

const template = parse(readFileSync(join(FOLDER, 'template.yaml'), 'utf8'));

const skeletons = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return {
      path: path.slice(FOLDER.length + 1),
      base64Content: readFileSync(path).toString('base64'),
    };
  });

/** Values of the form; texts that are no YAML as they are. */
const VALUES = {
  name: '1e3',
  owner: 'group:default/platform',
  description: 'Shop: "first" #1',
  image: 'registry.example.com:5000/shop:1.0.0',
  port: 8080,
  repoUrl: 'gitea.example.com?owner=retail&repo=shop',
  target: {
    hub: 'hub',
    namespace: 'openshift-gitops',
    clusterSets: ['aws-clusters'],
  },
};

describe('the template New pull-model application', () => {
  let backend: TestBackend;

  beforeAll(async () => {
    backend = await startTestBackend({
      features: [
        scaffolderPlugin,
        scaffolderModule,
        giteaModule,
        catalogServiceMock.factory({ entities: [] }),
        mockServices.rootConfig.factory({
          data: {
            backend: { baseUrl: 'http://localhost' },
            integrations: {
              gitea: [
                { host: 'gitea.example.com', username: 'a', password: 'b' },
              ],
              azure: [{ host: 'dev.azure.com' }],
            },
          },
        }),
      ],
    });
  });
  afterAll(() => backend.stop());

  /** Runs the template without a change anywhere; returns the log and the files that it would publish. */
  async function dryRun(values: object) {
    const response = await fetch(
      `http://localhost:${backend.server.port()}/api/scaffolder/v2/dry-run`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          template,
          values: { ...VALUES, ...values },
          directoryContents: skeletons,
        }),
      },
    );
    const answer = await response.json();
    const log: { body: { message: string } }[] = answer.log ?? [];
    const contents: { path: string; base64Content: string }[] =
      answer.directoryContents ?? [];
    return {
      status: response.status,
      error: JSON.stringify(answer.error ?? answer.errors),
      log: log.map(({ body }) => body.message).join('\n'),
      files: Object.fromEntries(
        contents.map(({ path, base64Content }) => [
          path,
          Buffer.from(base64Content, 'base64').toString(),
        ]),
      ),
    };
  }

  const strategyOf = {
    rolling: [undefined, 'apps/v1', 'Deployment'],
    canary: ['canary', 'argoproj.io/v1alpha1', 'Rollout'],
    blueGreen: ['blueGreen', 'argoproj.io/v1alpha1', 'Rollout'],
  } as const;

  it.each(
    (['plain', 'kustomize'] as const).flatMap(manifests =>
      (['rolling', 'canary', 'blueGreen'] as const).map(
        strategy => [manifests, strategy] as const,
      ),
    ),
  )('writes %s manifests with a %s update', async (manifests, strategy) => {
    const { files, error } = await dryRun({ manifests, strategy });
    expect(error).toBeUndefined();
    const folder = manifests === 'plain' ? 'deploy' : 'base';
    expect(Object.keys(files).sort()).toEqual(
      [
        'README.md',
        'catalog-info.yaml',
        `${folder}/service.yaml`,
        `${folder}/workload.yaml`,
        ...(manifests === 'kustomize'
          ? ['base/kustomization.yaml', 'deploy/kustomization.yaml']
          : []),
      ].sort(),
    );
    const [update, apiVersion, kind] = strategyOf[strategy];
    const workload = parse(files[`${folder}/workload.yaml`]);
    const labels = { 'app.kubernetes.io/name': '1e3' };
    expect(workload).toMatchObject({
      apiVersion,
      kind,
      metadata: { name: '1e3' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                image: `registry.example.com:5000/shop${manifests === 'plain' ? ':1.0.0' : ''}`,
                ports: [{ containerPort: 8080 }],
              },
            ],
          },
        },
      },
    });
    expect(Object.keys(workload.spec.strategy ?? {})).toEqual(
      update ? [update] : [],
    );
    expect(parse(files[`${folder}/service.yaml`])).toMatchObject({
      kind: 'Service',
      metadata: { name: '1e3' },
      spec: { selector: labels },
    });
    expect(parse(files['catalog-info.yaml'])).toEqual({
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'Component',
      metadata: {
        name: '1e3',
        description: 'Shop: "first" #1',
        annotations: {
          'argocd-fleet/applicationset': 'hub:openshift-gitops/1e3',
        },
      },
      spec: {
        type: 'service',
        lifecycle: 'production',
        owner: 'group:default/platform',
      },
    });
  });

  it('writes bases and overlays that name files which exist', async () => {
    const { files } = await dryRun({
      manifests: 'kustomize',
      strategy: 'rolling',
    });
    const overlay = parse(files['deploy/kustomization.yaml']);
    expect(overlay.resources).toEqual(['../base']);
    expect(overlay.images).toEqual([
      { name: 'registry.example.com:5000/shop', newTag: '1.0.0' },
    ]);
    const base = parse(files['base/kustomization.yaml']);
    for (const name of base.resources) {
      expect(files).toHaveProperty([`base/${name}`]);
    }
  });

  it.each([
    ['nginx:1.10', 'nginx', { newTag: '1.10' }],
    [
      `localhost:5000/team/shop@sha256:${'a'.repeat(64)}`,
      'localhost:5000/team/shop',
      { digest: `sha256:${'a'.repeat(64)}` },
    ],
  ])(
    'writes the version of %s into the overlay',
    async (image, name, version) => {
      const { files } = await dryRun({
        ...{ manifests: 'kustomize', strategy: 'rolling', image },
      });
      const workload = parse(files['base/workload.yaml']);
      expect(workload.spec.template.spec.containers[0].image).toBe(name);
      const overlay = parse(files['deploy/kustomization.yaml']);
      expect(overlay.images).toEqual([{ name, ...version }]);
    },
  );

  it.each([
    ['rolling', 'kind: Deployment', undefined],
    ['canary', 'kind: Rollout', 'canary:'],
    ['blueGreen', 'kind: Rollout', 'activeService: {{ .Chart.Name | quote }}'],
  ])('writes a chart with a %s update', async (strategy, kind, update) => {
    const { files } = await dryRun({ manifests: 'helm', strategy });
    expect(Object.keys(files).sort()).toEqual([
      'README.md',
      'catalog-info.yaml',
      'deploy/Chart.yaml',
      'deploy/templates/service.yaml',
      'deploy/templates/workload.yaml',
      'deploy/values.yaml',
    ]);
    expect(parse(files['deploy/Chart.yaml'])).toEqual({
      apiVersion: 'v2',
      name: '1e3',
      description: 'Shop: "first" #1',
      type: 'application',
      version: '0.1.0',
    });
    expect(parse(files['deploy/values.yaml'])).toEqual({
      image: 'registry.example.com:5000/shop:1.0.0',
      replicas: 2,
      port: 8080,
    });
    const workload = files['deploy/templates/workload.yaml'];
    expect(workload).toContain(kind);
    expect(workload).toContain('image: {{ .Values.image | quote }}');
    expect(workload).not.toContain('{%');
    expect(workload.includes('strategy:')).toBe(update !== undefined);
    expect(workload).toContain(update ?? kind);
  });

  it('asks the hub before it publishes, and then deploys what it has published', async () => {
    const { log } = await dryRun({ manifests: 'plain', strategy: 'rolling' });
    const at = (text: string) => {
      expect(log).toContain(text);
      return log.indexOf(text);
    };
    const order = [
      at('Beginning step Select the clusters'),
      at('Beginning step Ask the hub'),
      at('Running publish:gitea'),
      at('Beginning step Create the ApplicationSet'),
      at('Running catalog:register'),
      at('Beginning step Wait until'),
    ];
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(log).toContain(
      '"repoURL":"https://gitea.example.com/retail/shop.git","path":"deploy","targetRevision":"main"',
    );
    expect(log).toContain('Skipping step github');
  });

  it('publishes with a description where nobody has written one', async () => {
    const { log, error } = await dryRun({
      ...{ manifests: 'plain', strategy: 'rolling', description: undefined },
    });
    expect(error).toBeUndefined();
    const [, inputs = ''] = log.split('Running publish:gitea');
    expect(inputs.slice(0, 400)).toContain('"description": "1e3"');
  });

  it('leaves Placement and ApplicationSet to the repository where that keeps them', async () => {
    const { log } = await dryRun({
      ...{ manifests: 'plain', strategy: 'rolling', keptIn: 'repository' },
    });
    expect(log.indexOf('Would write fleet/1e3/placement.yaml')).toBeLessThan(
      log.indexOf('Running publish:gitea'),
    );
    expect(log).toContain(
      '"repoURL":"https://gitea.example.com/retail/shop.git","path":"deploy","targetRevision":"main"',
    );
    for (const step of [
      'placement',
      'validation',
      'applicationset',
      'rollout',
    ]) {
      expect(log).toContain(`Skipping step ${step}`);
    }
  });

  it.each([
    ['a place that nothing is kept in', { keptIn: 'nowhere' }],
    ['an image without a tag', { image: 'registry.example.com:5000/shop' }],
    ['an image with a space', { image: 'shop: 1' }],
    ['a port that is none', { port: 0 }],
    ['manifests of a kind that is none', { manifests: 'jsonnet' }],
  ])('refuses %s before any step runs', async (_, wrong) => {
    const { status, log } = await dryRun({
      ...{ manifests: 'plain', strategy: 'rolling' },
      ...wrong,
    });
    expect([status, log]).toEqual([400, '']);
  });

  it('has no keys that differ in case only, with which the catalog refuses an entity', () => {
    const paths = new Set<string>();
    const visit = (value: unknown, path: string): void => {
      if (Array.isArray(value)) {
        value.forEach(each => visit(each, path));
      } else if (typeof value === 'object' && value !== null) {
        for (const [key, each] of Object.entries(value)) {
          paths.add(`${path}.${key}`);
          visit(each, `${path}.${key}`);
        }
      }
    };
    visit(template, '');
    const folded = new Set([...paths].map(path => path.toLowerCase()));
    expect(folded.size).toBe(paths.size);
    expect(paths.size).toBeGreaterThan(50);
  });
});
