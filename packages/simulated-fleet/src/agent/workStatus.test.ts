import { createClusterStore } from '../cluster/clusterStore';
import { KubeObject } from '../kubernetes/objects';
import { ManifestConfig, ManifestWork } from '../kubernetes/workTypes';
import { workStatus } from './workStatus';

const NOW = new Date('2026-01-01T10:00:00Z');
const LATER = new Date('2026-01-01T10:05:00Z');

const application: KubeObject = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'app', namespace: 'argocd' },
  status: { health: { status: 'Healthy' }, sync: { status: 'Synced' } },
};
const config: ManifestConfig = {
  resourceIdentifier: {
    group: 'argoproj.io',
    resource: 'applications',
    namespace: 'argocd',
    name: 'app',
  },
  feedbackRules: [
    {
      type: 'JSONPaths',
      jsonPaths: [
        { name: 'healthStatus', path: '.status.health.status' },
        { name: 'syncRevision', path: '.status.sync.revision' },
      ],
    },
  ],
  conditionRules: [
    {
      type: 'CEL',
      condition: 'ApplicationReady',
      celExpressions: ['object.status.health.status == "Healthy"'],
      messageExpression: '"v1\\t" + object.status.health.status',
    },
  ],
};

const work = (overrides: Partial<ManifestWork> = {}): ManifestWork => ({
  apiVersion: 'work.open-cluster-management.io/v1',
  kind: 'ManifestWork',
  metadata: { name: 'w', namespace: 'c', generation: 4 },
  spec: {
    workload: { manifests: [application] },
    manifestConfigs: [config],
  },
  ...overrides,
});

function clusterWith(...objects: KubeObject[]) {
  const store = createClusterStore('c', ['argocd']);
  objects.forEach(object => store.put(object));
  return store;
}

const condition = (
  conditions: readonly { type: string }[] | undefined,
  type: string,
) => conditions?.find(entry => entry.type === type);

describe('workStatus', () => {
  const status = workStatus(work(), clusterWith(application), new Map(), NOW);
  const [manifest] = status.resourceStatus?.manifests ?? [];

  it('identifies the resource of a manifest', () => {
    expect(manifest.resourceMeta).toEqual({
      ordinal: 0,
      group: 'argoproj.io',
      version: 'v1alpha1',
      kind: 'Application',
      resource: 'applications',
      namespace: 'argocd',
      name: 'app',
    });
  });

  it('has the values of the feedback rules, and none for a missing path', () => {
    expect(manifest.statusFeedback?.values).toEqual([
      {
        name: 'healthStatus',
        fieldValue: { type: 'String', string: 'Healthy' },
      },
    ]);
    expect(
      condition(manifest.conditions, 'StatusFeedbackSynced'),
    ).toMatchObject({ status: 'True', reason: 'StatusFeedbackSynced' });
  });

  it("has a rule's result on the manifest and, aggregated, on the work", () => {
    const common = {
      status: 'True',
      message: 'v1\tHealthy',
      observedGeneration: 4,
    };
    expect(condition(manifest.conditions, 'ApplicationReady')).toMatchObject({
      ...common,
      reason: 'ConditionRuleEvaluated',
    });
    expect(condition(status.conditions, 'ApplicationReady')).toMatchObject({
      ...common,
      reason: 'ConditionRulesAggregated',
    });
  });

  it('is applied and available', () => {
    expect(condition(status.conditions, 'Applied')).toMatchObject({
      status: 'True',
      reason: 'AppliedManifestWorkComplete',
      observedGeneration: 4,
    });
    expect(condition(status.conditions, 'Available')).toMatchObject({
      status: 'True',
      reason: 'ResourcesAvailable',
    });
  });

  it('does not change while nothing changes', () => {
    const again = workStatus(
      work({ status }),
      clusterWith(application),
      new Map(),
      LATER,
    );
    expect(again).toEqual(status);
  });

  it('drops the results of rules that are gone', () => {
    const without = work({
      metadata: { name: 'w', namespace: 'c', generation: 5 },
      spec: { workload: { manifests: [application] } },
      status,
    });
    const next = workStatus(
      without,
      clusterWith(application),
      new Map(),
      LATER,
    );
    expect(condition(next.conditions, 'ApplicationReady')).toBeUndefined();
    expect(next.resourceStatus?.manifests?.[0].statusFeedback).toEqual({});
  });

  it('reports a path that fails, and still has the values of the others', () => {
    const [{ jsonPaths = [] }] = config.feedbackRules ?? [];
    const rules = [
      {
        type: 'JSONPaths',
        jsonPaths: [{ name: 'bad', path: '.status.health[0]' }, ...jsonPaths],
      },
    ];
    const spec = {
      workload: { manifests: [application] },
      manifestConfigs: [{ ...config, feedbackRules: rules }],
    };
    const next = workStatus(
      work({ spec }),
      clusterWith(application),
      new Map(),
      NOW,
    );
    const [failed] = next.resourceStatus?.manifests ?? [];
    expect(failed.statusFeedback?.values).toHaveLength(1);
    expect(condition(failed.conditions, 'StatusFeedbackSynced')).toMatchObject({
      status: 'False',
      message:
        'Sync status feedback failed with error failed to find value for bad with error: map[string]interface {} is not array or slice',
    });
  });

  it('reports a manifest that could not be applied and does not exist', () => {
    const next = workStatus(
      work(),
      clusterWith(),
      new Map([[0, 'namespaces "x" not found']]),
      NOW,
    );
    expect(condition(next.conditions, 'Applied')).toMatchObject({
      status: 'False',
      reason: 'AppliedManifestWorkFailed',
    });
    expect(condition(next.conditions, 'Available')).toMatchObject({
      status: 'False',
      message: '1 of 1 resources are not available',
    });
    expect(
      condition(next.resourceStatus?.manifests?.[0].conditions, 'Applied'),
    ).toMatchObject({
      message: 'Failed to apply manifest: namespaces "x" not found',
    });
  });
});
