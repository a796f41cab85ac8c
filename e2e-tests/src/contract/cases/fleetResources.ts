import { RUN } from '../../environment';
import { applicationManifest } from '../../hub/manifests';
import { DeclareCase } from '../contractCase';
import { HubUnderTest, MERGE, NAMESPACE } from '../hubUnderTest';

const WORKS = `/apis/work.open-cluster-management.io/v1/namespaces/${NAMESPACE}/manifestworks`;
const PLACEMENTS = `/apis/cluster.open-cluster-management.io/v1beta1/namespaces/${NAMESPACE}/placements`;
const DECISIONS = `/apis/cluster.open-cluster-management.io/v1beta1/namespaces/${NAMESPACE}/placementdecisions`;
const CLUSTERS = '/apis/cluster.open-cluster-management.io/v1/managedclusters';
const APPLICATIONS = `/apis/argoproj.io/v1alpha1/namespaces/${NAMESPACE}/applications`;

const MANIFEST = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x' },
};

function work(name: string, spec: object) {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { name },
    spec: { workload: { manifests: [MANIFEST] }, ...spec },
  };
}

function placement(name: string, spec: object) {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: { name },
    spec,
  };
}

function application(name: string, more: object = {}) {
  return { ...applicationManifest(name), ...more };
}

const RULE = {
  resourceIdentifier: { resource: 'configmaps', name: 'x', namespace: 'x' },
};

export function fleetResourceCases(
  contractCase: DeclareCase,
  hub: HubUnderTest,
) {
  const expectRefused = async (path: string, body: object, cause: string) => {
    const response = await hub.call('POST', path, body);
    expect(response.status).toBe(422);
    expect(response.body.message).toContain(cause);
  };

  contractCase('keep the fields of a ManifestWork', async () => {
    const { spec } = await hub.create(
      WORKS,
      work('defaults', {
        deleteOption: { propagationPolicy: 'SelectivelyOrphan' },
        manifestConfigs: [
          { ...RULE, updateStrategy: { type: 'ServerSideApply' } },
        ],
      }),
    );
    expect(spec).toMatchObject({
      workload: { manifests: [MANIFEST] },
      manifestConfigs: [
        { ...RULE, updateStrategy: { type: 'ServerSideApply' } },
      ],
    });
  });

  contractCase('refuse an unknown update strategy', () =>
    expectRefused(
      WORKS,
      work('bad-strategy', {
        manifestConfigs: [{ ...RULE, updateStrategy: { type: 'Guess' } }],
      }),
      'spec.manifestConfigs[0].updateStrategy.type: Unsupported value: "Guess"',
    ),
  );

  contractCase('refuse a condition rule without its condition', () =>
    expectRefused(
      WORKS,
      work('bad-rule', {
        manifestConfigs: [
          { ...RULE, conditionRules: [{ type: 'CEL', condition: '' }] },
        ],
      }),
      'Condition is required for CEL rules',
    ),
  );

  contractCase('refuse a manifest that is not an object', () =>
    expectRefused(
      WORKS,
      work('bad-manifest', {
        workload: { manifests: [{ kind: 'ConfigMap' }] },
      }),
      'spec.workload.manifests[0].apiVersion: Required value',
    ),
  );

  contractCase(
    'write the status of a ManifestWork through the subresource',
    async () => {
      await hub.create(WORKS, work('status', {}));
      const condition = {
        type: 'Applied',
        status: 'True',
        reason: 'AppliedManifestWorkComplete',
        message: 'done',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      };
      const { status, body } = await hub.call(
        'PATCH',
        `${WORKS}/status/status`,
        { status: { conditions: [condition] } },
        MERGE,
      );
      expect(status).toBe(200);
      expect(body.status).toEqual({ conditions: [condition] });
      expect(body.metadata.generation).toBe(1);
    },
  );

  contractCase('refuse a condition without a reason', async () => {
    await hub.create(WORKS, work('bad-status', {}));
    const { status, body } = await hub.call(
      'PATCH',
      `${WORKS}/bad-status/status`,
      { status: { conditions: [{ type: 'Applied', status: 'True' }] } },
      MERGE,
    );
    expect(status).toBe(422);
    expect(body.message).toContain(
      'status.conditions[0].reason: Required value',
    );
  });

  contractCase('keep the predicates of a Placement', async () => {
    const predicates = [
      {
        requiredClusterSelector: {
          labelSelector: { matchLabels: { environment: 'Dev' } },
        },
      },
    ];
    const { spec } = await hub.create(
      PLACEMENTS,
      placement('kept', { predicates }),
    );
    expect(spec).toHaveProperty('predicates', predicates);
  });

  contractCase('refuse a Placement without a spec', () =>
    expectRefused(
      PLACEMENTS,
      { ...placement('bad', {}), spec: undefined },
      'spec: Required value',
    ),
  );

  contractCase('refuse a prioritizer weight above ten', () =>
    expectRefused(
      PLACEMENTS,
      placement('heavy', {
        prioritizerPolicy: {
          configurations: [
            {
              weight: 11,
              scoreCoordinate: { type: 'BuiltIn', builtIn: 'Steady' },
            },
          ],
        },
      }),
      'spec.prioritizerPolicy.configurations[0].weight: Invalid value: 11',
    ),
  );

  contractCase('write decisions through the status subresource', async () => {
    await hub.create(DECISIONS, {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'PlacementDecision',
      metadata: {
        name: 'decided',
        labels: { 'cluster.open-cluster-management.io/placement': 'kept' },
      },
    });
    const decisions = [{ clusterName: 'cluster1', reason: '' }];
    const { body } = await hub.call(
      'PATCH',
      `${DECISIONS}/decided/status`,
      { status: { decisions } },
      MERGE,
    );
    expect(body.status).toEqual({ decisions });
  });

  contractCase(
    'store a cluster-scoped ManagedCluster with its defaults',
    async () => {
      const name = `cluster-${RUN}`;
      const { spec } = await hub.create(CLUSTERS, {
        apiVersion: 'cluster.open-cluster-management.io/v1',
        kind: 'ManagedCluster',
        metadata: { name },
        spec: { hubAcceptsClient: true },
      });
      expect(spec).toMatchObject({
        hubAcceptsClient: true,
        leaseDurationSeconds: 60,
      });
      await hub.call('DELETE', `${CLUSTERS}/${name}`);
    },
  );

  contractCase('store an Application with its status', async () => {
    const status = {
      health: { status: 'Healthy' },
      sync: {
        status: 'Synced',
        comparedTo: {
          source: { repoURL: 'https://a.example/repo', path: '.' },
          destination: { namespace: 'x' },
        },
      },
    };
    const body = await hub.create(
      APPLICATIONS,
      application('stored', { status }),
    );
    expect(body.status).toEqual(status);
    expect(body.metadata.generation).toBe(1);
  });

  contractCase(
    'increment the generation when the status of an Application changes',
    async () => {
      await hub.create(APPLICATIONS, application('counted'));
      const body = await hub.merge(`${APPLICATIONS}/counted`, {
        status: { health: { status: 'Progressing' } },
      });
      expect(body.metadata.generation).toBe(2);
    },
  );

  contractCase('refuse an Application without a destination', () =>
    expectRefused(
      APPLICATIONS,
      application('bad', { spec: { project: 'default' } }),
      'spec.destination: Required value',
    ),
  );

  contractCase('set and remove the operation of an Application', async () => {
    const operation = { sync: { revision: 'v1' } };
    const body = await hub.create(
      APPLICATIONS,
      application('operated', { operation }),
    );
    expect(body.operation).toEqual(operation);
    const after = await hub.merge(`${APPLICATIONS}/operated`, {
      operation: null,
    });
    expect(after).not.toHaveProperty('operation');
  });
}
