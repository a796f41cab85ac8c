import { readManifests } from './readManifests';

const DEPLOYMENT = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  template:
    spec:
      initContainers: [{ name: init, image: registry.example.com:5000/init }]
      containers: [{ name: web, image: registry.example.com:5000/web:1 }]
`;
const SERVICE = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: fixed }
`;

const read = (
  files: Record<string, string>,
  path: string,
  directory?: unknown,
) => readManifests(new Map(Object.entries(files)), path, directory);

describe('what a folder of a repository deploys', () => {
  it('is its manifests, several in a file or as a list, with the images of their pods', () => {
    const job = `
kind: List
items:
  - apiVersion: batch/v1
    kind: CronJob
    metadata: { name: nightly }
    spec: { jobTemplate: { spec: { template: { spec: { containers: [{ image: job:2 }] } } } } }
`;
    const found = read(
      {
        'app/web.yaml': `${DEPLOYMENT}---${SERVICE}---\n`,
        'app/job.yml': job,
        'app/deeper/x.yaml': SERVICE,
        'app/README.md': 'not: [read',
        'other/x.yaml': SERVICE,
      },
      'app/',
    );
    expect(found).toEqual([
      {
        ...{ group: 'apps', version: 'v1', kind: 'Deployment', name: 'web' },
        images: [
          'registry.example.com:5000/init',
          'registry.example.com:5000/web:1',
        ],
      },
      {
        ...{ group: '', version: 'v1', kind: 'Service', name: 'web' },
        ...{ namespace: 'fixed', images: [] },
      },
      {
        ...{ group: 'batch', version: 'v1', kind: 'CronJob', name: 'nightly' },
        images: ['job:2'],
      },
    ]);
  });

  it('is that of folders below it where the source says so', () => {
    const files = { 'app/deeper/x.yaml': SERVICE };
    expect(read(files, 'app')).toEqual([]);
    expect(read(files, '.', { recurse: true })).toHaveLength(1);
  });

  it('has the steps of a Rollout', () => {
    const rollout = (strategy: string) =>
      read(
        {
          'r.yaml': `{apiVersion: argoproj.io/v1alpha1, kind: Rollout, metadata: {name: web}, spec: {replicas: 5, strategy: ${strategy}}}`,
        },
        '.',
      );
    expect(
      rollout('{canary: {steps: [{setWeight: 20}, {pause: {}}]}}'),
    ).toMatchObject([
      {
        rollout: {
          replicas: 5,
          canary: { steps: [{ setWeight: 20 }, { pause: {} }] },
        },
      },
    ]);
    expect(
      rollout('{blueGreen: {activeService: web, autoPromotionEnabled: false}}'),
    ).toMatchObject([
      { rollout: { blueGreen: { autoPromotionEnabled: false } } },
    ]);
    // Analyses are not simulated: such a Rollout has the default steps.
    const [other] = rollout('{canary: {steps: [{analysis: {}}]}}') as object[];
    expect(other).not.toHaveProperty('rollout');
  });

  it('is that of a kustomization with its bases, images and generated ConfigMaps', () => {
    const found = read(
      {
        'base/kustomization.yaml': 'resources: [web.yaml]',
        'base/web.yaml': `${DEPLOYMENT}---${SERVICE}`,
        'overlays/prod/kustomization.yaml': `
resources: [../../base]
namespace: prod
images:
  - { name: 'registry.example.com:5000/web', newTag: '2' }
  - { name: 'registry.example.com:5000/init', newName: init, digest: 'sha256:1' }
configMapGenerator: [{ name: settings }]
`,
      },
      'overlays/prod',
    );
    expect(found).toMatchObject([
      { kind: 'ConfigMap', name: 'settings', namespace: 'prod' },
      {
        kind: 'Deployment',
        namespace: 'prod',
        images: ['init@sha256:1', 'registry.example.com:5000/web:2'],
      },
      { kind: 'Service', namespace: 'prod' },
    ]);
  });

  it('is the Service and the Deployment of a chart, with the image of its values', () => {
    const found = read(
      {
        'chart/Chart.yaml': 'name: web',
        'chart/values.yaml': 'image: { repository: web, tag: "3" }',
        'chart/templates/x.yaml': '{{ not yaml',
      },
      'chart',
    );
    expect(found).toMatchObject([
      { kind: 'Service', name: 'web' },
      { kind: 'Deployment', name: 'web', images: ['web:3'] },
    ]);
  });

  it.each([
    ['image: "web:4"', ['web:4']],
    ['image: { repository: web }', ['web:latest']],
    ['port: 80', []],
  ])('has the image of a chart with the values %s', (values, images) => {
    const found = read(
      { 'Chart.yaml': 'name: web', 'values.yaml': values },
      '.',
    );
    expect(found).toMatchObject([{ kind: 'Service' }, { images }]);
  });

  it.each([
    ['no folder', {}, 'app', 'app: app path does not exist'],
    [
      'no YAML',
      { 'app/x.yaml': 'a: [' },
      'app',
      expect.stringContaining('Failed to unmarshal "app/x.yaml"'),
    ],
    [
      'no manifest',
      { 'app/x.yaml': 'a: 1' },
      'app',
      'Failed to unmarshal "app/x.yaml": Object \'Kind\' is missing',
    ],
    [
      'no base',
      { 'app/kustomization.yaml': 'resources: [../base]' },
      'app',
      expect.stringContaining('kustomize build base: unable to find one of'),
    ],
    [
      'itself as its base',
      { 'app/kustomization.yaml': 'resources: [../app]' },
      'app',
      'kustomize build app: cycle detected',
    ],
  ])('is a reason where it has %s', (_, files, path, reason) => {
    expect(read(files, path)).toEqual(reason);
  });
});
