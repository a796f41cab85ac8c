import { ApplicationSet } from '../kubernetes/argocdTypes';
import { defaultScenario } from '../scenario/loadScenario';
import { generateApplications } from './generateApplications';
import { GeneratorInputs } from './generatorInputs';

const CONFIG_MAP = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'ocm-placement-generator' },
  data: {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'placementdecisions',
    statusListKey: 'decisions',
    matchKey: 'clusterName',
  },
};

const decision = (index: number, placement: string, clusters: string[]) => ({
  apiVersion: 'cluster.open-cluster-management.io/v1beta1',
  kind: 'PlacementDecision',
  metadata: {
    name: `${placement}-decision-${index}`,
    labels: { 'cluster.open-cluster-management.io/placement': placement },
  },
  status: {
    decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
  },
});

const cluster = (name: string) => ({
  name,
  server: `https://${name}-control-plane`,
});

const inputs = (overrides: Partial<GeneratorInputs> = {}): GeneratorInputs => ({
  clusters: ['cluster1', 'pcluster1'].map(cluster),
  configMaps: [CONFIG_MAP],
  placementDecisions: [
    decision(1, 'aws-app-placement', ['cluster1', 'pcluster1', 'unknown']),
  ],
  ...overrides,
});

const guestbook = defaultScenario.objects.find(
  ({ metadata }) => metadata.name === 'guestbook-allclusters-app-set',
) as ApplicationSet;

const withSpec = (spec: Partial<NonNullable<ApplicationSet['spec']>>) => ({
  ...guestbook,
  spec: { ...guestbook.spec, ...spec },
});

describe('generateApplications', () => {
  it('generates one Application for each selected cluster with a cluster Secret', () => {
    const { applications, error } = generateApplications(guestbook, inputs());

    expect(error).toBeUndefined();
    expect(applications.map(({ metadata }) => metadata.name)).toEqual([
      'cluster1-guestbook-app',
      'pcluster1-guestbook-app',
    ]);
    expect(applications[0].metadata).toMatchObject({
      namespace: 'openshift-gitops',
      labels: {
        'apps.open-cluster-management.io/pull-to-ocm-managed-cluster': 'true',
      },
      annotations: {
        'apps.open-cluster-management.io/ocm-managed-cluster': 'cluster1',
        'argocd.argoproj.io/skip-reconcile': 'true',
      },
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    });
    expect(applications[0].spec).toMatchObject({
      project: 'default',
      source: { path: 'guestbook', targetRevision: 'main' },
    });
  });

  it('reads all PlacementDecisions of a Placement', () => {
    const { applications } = generateApplications(
      guestbook,
      inputs({
        placementDecisions: [
          decision(1, 'aws-app-placement', ['cluster1']),
          decision(2, 'aws-app-placement', ['pcluster1']),
          decision(1, 'another', ['cluster1']),
        ],
      }),
    );
    expect(applications).toHaveLength(2);
  });

  it('adds no finalizer if resources are preserved on deletion', () => {
    const { applications } = generateApplications(
      withSpec({ syncPolicy: { preserveResourcesOnDeletion: true } }),
      inputs(),
    );
    expect(applications[0].metadata.finalizers).toBeUndefined();
  });

  it.each([
    [
      'no ConfigMap',
      { configMaps: [] },
      'configmaps "ocm-placement-generator" not found',
    ],
    [
      'no decisions',
      { placementDecisions: [] },
      'no clusterDecisionResources found',
    ],
  ])('reports what is missing: %s', (_, overrides, message) => {
    const { applications, error } = generateApplications(
      guestbook,
      inputs(overrides),
    );
    expect(applications).toEqual([]);
    expect(error?.reason).toBe('ApplicationGenerationFromParamsError');
    expect(error?.message).toContain(message);
  });

  it('reports a generator that is not simulated', () => {
    const { error } = generateApplications(
      withSpec({ generators: [{ git: { repoURL: 'https://example.com' } }] }),
      inputs(),
    );
    expect(error).toEqual({
      reason: 'ApplicationGenerationFromParamsError',
      message: expect.stringContaining('no generator "git"'),
    });
  });

  it('generates from list elements, values and elementsYaml', () => {
    const { applications, error } = generateApplications(
      withSpec({
        generators: [
          {
            list: {
              elements: [{ name: 'a', values: { tier: 'gold' } }],
              elementsYaml: '- name: b\n',
            },
          },
        ],
        template: {
          metadata: { name: '{{name}}-{{values.tier}}' },
          spec: {},
        },
      }),
      inputs(),
    );
    expect(error).toBeUndefined();
    expect(applications.map(({ metadata }) => metadata.name)).toEqual([
      'a-gold',
      'b-{{values.tier}}',
    ]);
  });

  it('lets a generator override the template and select elements', () => {
    const { applications } = generateApplications(
      withSpec({
        generators: [
          {
            list: {
              elements: [
                { name: 'a', env: 'prod' },
                { name: 'b', env: 'test' },
              ],
              template: { metadata: { name: '' }, spec: { project: 'edge' } },
            },
            selector: { matchLabels: { env: 'prod' } },
          },
        ],
      }),
      inputs(),
    );
    expect(applications.map(a => [a.metadata.name, a.spec?.project])).toEqual([
      ['a-guestbook-app', 'edge'],
    ]);
  });

  it('rejects a selector with an unknown operator', () => {
    const { error } = generateApplications(
      withSpec({
        generators: [
          {
            list: { elements: [{ name: 'a' }] },
            selector: { matchExpressions: [{ key: 'name', operator: 'Like' }] },
          },
        ],
      }),
      inputs(),
    );
    expect(error?.message).toBe(
      'error parsing label selector: "Like" is not a valid label selector operator',
    );
  });

  it('applies a templatePatch to the rendered Application, except for its project', () => {
    const { applications } = generateApplications(
      withSpec({
        templatePatch: [
          'metadata: { labels: { cluster: "{{name}}" } }',
          'spec: { project: other, syncPolicy: null }',
        ].join('\n'),
      }),
      inputs(),
    );
    expect(applications[0].metadata.labels).toMatchObject({
      cluster: 'cluster1',
    });
    expect(applications[0].spec?.project).toBe('default');
    expect(applications[0].spec).not.toHaveProperty('syncPolicy');
  });

  it('renders Go field references and rejects other actions', () => {
    const go = (name: string) =>
      generateApplications(
        withSpec({ goTemplate: true, template: { metadata: { name } } }),
        inputs(),
      );
    expect(go('{{.clusterName}}-app').applications[1].metadata.name).toBe(
      'pcluster1-app',
    );
    expect(go('{{.name | upper}}').error?.reason).toBe(
      'RenderTemplateParamsError',
    );
  });
});
