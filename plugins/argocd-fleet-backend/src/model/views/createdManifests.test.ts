import type { PullModelApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { deepFreeze } from '../__testUtils__/applications';
import { crdFile, crdSchema, violations } from '../__testUtils__/publishedCrds';
import { applicationSetDeliveryModel } from '../delivery/deliveryModel';
import { applicationSetManifest } from './applicationSetManifest';
import { placementNameOf } from './applicationSetView';
import { placementManifest } from '../placement';

const ref = { namespace: 'openshift-gitops', name: 'web' };

const request: PullModelApplicationSet = deepFreeze({
  placement: 'web-placement',
  source: {
    repoURL: 'https://git.example/web.git',
    path: 'deploy',
    targetRevision: 'main',
  },
  destinationNamespace: 'web',
  project: 'default',
  automated: true,
  component: {
    name: 'web',
    owner: 'group:default/team-web',
    title: 'Web shop',
    description: 'Sells things',
  },
});

const ROLLING: PullModelApplicationSet = deepFreeze({
  ...request,
  rollingSync: {
    label: 'example.com/env',
    values: ['staging', 'production'],
    maxUpdate: '25%',
  },
});

describe('a new pull-model ApplicationSet', () => {
  it('generates one Application for each cluster of its Placement', () => {
    const prefix = 'apps.open-cluster-management.io';
    expect(applicationSetManifest(ref, request)).toEqual({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: {
        ...ref,
        labels: { 'app.kubernetes.io/managed-by': 'argocd-fleet' },
        annotations: {
          'argocd-fleet/component': 'web',
          'argocd-fleet/component-owner': 'group:default/team-web',
          'argocd-fleet/component-title': 'Web shop',
          'argocd-fleet/component-description': 'Sells things',
        },
      },
      spec: {
        generators: [
          {
            clusterDecisionResource: {
              configMapRef: 'ocm-placement-generator',
              labelSelector: {
                matchLabels: {
                  'cluster.open-cluster-management.io/placement':
                    'web-placement',
                },
              },
              requeueAfterSeconds: 30,
            },
          },
        ],
        template: {
          metadata: {
            name: '{{name}}-web',
            labels: { [`${prefix}/pull-to-ocm-managed-cluster`]: 'true' },
            annotations: {
              [`${prefix}/ocm-managed-cluster`]: '{{name}}',
              [`${prefix}/ocm-managed-cluster-app-namespace`]:
                'openshift-gitops',
              'argocd.argoproj.io/skip-reconcile': 'true',
            },
          },
          spec: {
            project: 'default',
            source: request.source,
            destination: { namespace: 'web', server: '{{server}}' },
            syncPolicy: {
              automated: { prune: true, selfHeal: true },
              syncOptions: ['CreateNamespace=true'],
            },
          },
        },
      },
    });
  });

  it('takes of a source where the manifests are, and nothing that Argo CD would run', () => {
    const source = { ...request.source, helm: { values: 'a: 1' }, plugin: {} };
    const made = applicationSetManifest(ref, { ...request, source });
    expect(made.spec.template?.spec?.source).toEqual(request.source);
  });

  it('is understood by the rest of the model', () => {
    const made = applicationSetManifest(ref, request);
    expect(applicationSetDeliveryModel(made)).toBe('pull');
    expect(placementNameOf(made)).toBe('web-placement');
  });

  it('goes to the clusters by a label of theirs, and leaves none out', () => {
    const made = applicationSetManifest(ref, ROLLING);
    const prefix = 'apps.open-cluster-management.io';
    expect(made.spec).toMatchObject({
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [
        {
          matrix: {
            generators: [
              { clusterDecisionResource: { requeueAfterSeconds: 30 } },
              {
                clusters: {
                  selector: {
                    matchLabels: { [`${prefix}/cluster-name`]: '{{.name}}' },
                  },
                },
              },
            ],
          },
        },
      ],
      strategy: {
        type: 'RollingSync',
        rollingSync: {
          steps: [
            ['In', ['staging']],
            ['In', ['production']],
            ['NotIn', ['staging', 'production']],
          ].map(([operator, values]) => ({
            matchExpressions: [{ key: 'example.com/env', operator, values }],
            maxUpdate: '25%',
          })),
        },
      },
      template: {
        metadata: {
          name: '{{.name}}-web',
          labels: {
            [`${prefix}/pull-to-ocm-managed-cluster`]: 'true',
            'example.com/env': '{{ index .metadata.labels "example.com/env" }}',
          },
          annotations: { [`${prefix}/ocm-managed-cluster`]: '{{.name}}' },
        },
        spec: { destination: { server: '{{.server}}' } },
      },
    });
    expect(applicationSetDeliveryModel(made)).toBe('pull');
    expect(placementNameOf(made)).toBe('web-placement');
    const { rollingSync } = ROLLING;
    const few = {
      ...ROLLING,
      rollingSync: { ...rollingSync!, maxUpdate: '3' },
    };
    expect(JSON.stringify(applicationSetManifest(ref, few))).toContain(
      '"maxUpdate":3',
    );
  });

  it('leaves syncing to people where that is asked for', () => {
    const { component, ...rest } = request;
    expect(component).toBeDefined();
    const made = applicationSetManifest(ref, {
      ...rest,
      automated: false,
      applicationName: 'shop-{{name}}',
    });
    expect(made.spec.template?.spec?.syncPolicy).toEqual({
      syncOptions: ['CreateNamespace=true'],
    });
    expect(made.spec.template?.metadata?.name).toBe('shop-{{name}}');
    expect(made.metadata.annotations).toBeUndefined();
  });
});

describe('a new Placement', () => {
  const tolerations = [
    {
      key: 'cluster.open-cluster-management.io/unreachable',
      operator: 'Exists',
    },
    {
      key: 'cluster.open-cluster-management.io/unavailable',
      operator: 'Exists',
    },
  ];

  it('selects what is asked for, and keeps clusters that fall silent', () => {
    const made = placementManifest(ref, {
      clusterSets: ['prod'],
      matchLabels: { region: 'eu' },
      numberOfClusters: 3,
    });
    expect(made.metadata).toEqual({
      ...ref,
      labels: { 'app.kubernetes.io/managed-by': 'argocd-fleet' },
    });
    expect(made.spec).toEqual({
      clusterSets: ['prod'],
      numberOfClusters: 3,
      predicates: [
        {
          requiredClusterSelector: {
            labelSelector: { matchLabels: { region: 'eu' } },
          },
        },
      ],
      tolerations,
    });
  });

  it('selects by claims, and tolerates what is asked for', () => {
    const { spec } = placementManifest(ref, {
      matchClaims: { 'platform.example.com': 'AWS' },
      tolerations: ['gpu', 'dedicated=search', tolerations[0].key],
    });
    expect(spec).toEqual({
      predicates: [
        {
          requiredClusterSelector: {
            claimSelector: {
              matchExpressions: [
                {
                  key: 'platform.example.com',
                  operator: 'In',
                  values: ['AWS'],
                },
              ],
            },
          },
        },
      ],
      tolerations: [
        ...tolerations,
        { key: 'gpu', operator: 'Exists' },
        { key: 'dedicated', operator: 'Equal', value: 'search' },
      ],
    });
  });

  it('selects everything where nothing is asked for', () => {
    expect(
      placementManifest(ref, { clusterSets: [], matchLabels: {} }).spec,
    ).toEqual({ tolerations });
  });
});

const applicationSets = crdFile('argocd-applicationsets.yaml');
const placements = crdFile('ocm-placements.yaml');
const published = applicationSets && placements;
// The published CRDs belong to other projects and are not in this repository: without them these tests are skipped,
// and the skipped tests are counted.
(published ? describe : describe.skip)('against the published CRDs', () => {
  it('an ApplicationSet has nothing that would be pruned or refused', () => {
    const schema = crdSchema(applicationSets!, 'v1alpha1');
    for (const body of [request, ROLLING]) {
      const made = applicationSetManifest(ref, body);
      expect(violations(made, schema)).toEqual([]);
    }
  });

  it('a Placement has nothing that would be pruned or refused', () => {
    const schema = crdSchema(placements!, 'v1beta1');
    const made = placementManifest(ref, {
      clusterSets: ['prod'],
      matchLabels: { region: 'eu' },
      matchClaims: { platform: 'AWS' },
      tolerations: ['gpu', 'dedicated=search'],
      numberOfClusters: 3,
    });
    expect(violations(made, schema)).toEqual([]);
  });
});
