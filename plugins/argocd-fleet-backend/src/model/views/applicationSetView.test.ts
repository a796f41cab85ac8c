import {
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  type ArgoApplicationSet,
  type ArgoSource,
  type HubState,
} from 'backstage-plugin-argocd-fleet-common';
import {
  application,
  applicationSet,
  noComponents,
  deepFreeze,
  managedCluster,
} from '../__testUtils__/applications';
import { objectKey } from '../../kubernetes/client/client';
import { reportedWork, workOf } from '../__testUtils__/works';
import {
  applicationSetRows,
  detailRow,
  placementNameOf,
  placementNamesOf,
} from './applicationSetView';
import type { FleetApplication } from './fleetApplication';
import type { FleetApplicationSet } from './fleetApplicationSet';

const ready: HubState = { name: 'hub', state: 'ready' };

function on(
  cluster: string,
  health: string,
  sync: string,
  available = 'True',
): FleetApplication {
  const app = application({ cluster });
  const feedback = { healthStatus: health, syncStatus: sync };
  return {
    application: app,
    managedCluster: managedCluster(cluster, { available }),
    decided: true,
    work: reportedWork({ work: workOf(app), feedback }),
  };
}

/** An ApplicationSet and its Applications. */
interface Input extends FleetApplicationSet {
  readonly applications: readonly FleetApplication[];
}

function set(parts: Partial<Input> = {}): Input {
  return deepFreeze({
    hub: 'hub',
    applicationSet: applicationSet(),
    components: noComponents,
    applications: [
      on('cluster1', 'Missing', 'OutOfSync'),
      on('pcluster1', 'Progressing', 'Synced'),
      on('pcluster2', 'Progressing', 'Synced', 'Unknown'),
      {
        application: application({ cluster: 'local-cluster' }),
        plan: { kind: 'excluded', reason: 'it is the hub itself' },
      },
    ],
    placement: {
      name: 'aws-app-placement',
      found: true,
      decisions: 4,
      others: 4,
    },
    ...parts,
  });
}

function viewOf({ applications, ...input }: Input) {
  return applicationSetRows(
    { ...input, firstApplication: applications[0]?.application },
    new Map(
      applications.map(each => [
        objectKey(each.application.metadata),
        detailRow(each),
      ]),
    ),
    ready,
  );
}

describe('an ApplicationSet', () => {
  it('has the health that Argo CD 3.3 reports, and how far its rolling sync is', () => {
    const own = applicationSet();
    const rolling = {
      ...own,
      spec: {
        ...own.spec,
        strategy: { type: 'RollingSync', rollingSync: { steps: [{}] } },
      },
      status: { health: { status: 'Progressing', message: 'in step 1' } },
    };
    expect(viewOf(set({ applicationSet: rolling }))).toMatchObject({
      health: { status: 'Progressing', message: 'in step 1' },
      rollingSync: { steps: 1, reported: false },
    });
    const plain = viewOf(set());
    expect(plain).not.toHaveProperty('health');
    expect(plain).not.toHaveProperty('rollingSync');
  });

  it('shows what the list needs', () => {
    expect(viewOf(set())).toMatchObject({
      ref: {
        hub: 'hub',
        namespace: 'openshift-gitops',
        name: 'guestbook-allclusters-app-set',
      },
      deliveryModel: 'pull',
      sources: [
        {
          repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
          path: 'guestbook',
          targetRevision: 'main',
        },
      ],
      placement: { name: 'aws-app-placement', decisions: 4 },
      summary: {
        clusters: 3,
        applications: 3,
        stale: 1,
        health: { Missing: 1, Progressing: 2, Healthy: 0 },
        sync: { Synced: 2, OutOfSync: 1 },
      },
      findings: [],
      worst: { cluster: 'pcluster2', message: expect.any(String) },
    });
  });

  it('says how many of its Applications are of each delivery model, where they are of several', () => {
    const pushed = (cluster: string) => ({
      application: application({
        cluster,
        metadata: { name: cluster, labels: {} },
      }),
    });
    const modelsOf = (applications: readonly FleetApplication[]) => {
      const { deliveryModel, deliveryModels } = viewOf(set({ applications }));
      return [deliveryModel, deliveryModels];
    };
    const pulled = on('cluster1', 'Healthy', 'Synced');
    expect(modelsOf([pulled, pushed('cluster2'), pushed('cluster3')])).toEqual([
      'push',
      [
        { model: 'push', applications: 2 },
        { model: 'pull', applications: 1 },
      ],
    ]);
    expect(modelsOf([pulled])).toEqual(['pull', undefined]);
    // As its template says.
    expect(modelsOf([])).toEqual(['pull', undefined]);
  });

  it('does not count it as a change when Argo CD on the hub reconciles an Application every few minutes', () => {
    const pushed = (health: object) => ({
      application: application({
        metadata: { labels: {}, annotations: {} },
        status: {
          health,
          sync: { status: 'Synced' },
          operationState: { startedAt: '2026-11-20T08:00:00Z' },
          reconciledAt: '2026-11-22T12:00:00Z',
        },
      }),
    });
    const lastChange = (health: object) =>
      viewOf(set({ applications: [pushed(health)] })).lastChange;
    expect(lastChange({ status: 'Healthy' })).toBe('2026-11-20T08:00:00Z');
    expect(
      lastChange({
        status: 'Healthy',
        lastTransitionTime: '2026-11-21T09:00:00Z',
      }),
    ).toBe('2026-11-21T09:00:00Z');
  });

  it.each([
    ['https://user:secret@git.example/x.git', 'https://git.example/x.git'],
    ['https://token@git.example/x.git', 'https://git.example/x.git'],
    ['https://u:p@ss@git.example/x.git', 'https://git.example/x.git'],
    ['HTTPS://user:secret@git.example/x', 'HTTPS://git.example/x'],
    ['ssh://git:secret@git.example/x.git', 'ssh://git@git.example/x.git'],
    ['ssh://git@git.example/x.git', 'ssh://git@git.example/x.git'],
    ['git@git.example:x/y.git', 'git@git.example:x/y.git'],
    ['https://git.example/a@b/x.git', 'https://git.example/a@b/x.git'],
    [
      'https://git.example/x.git?private_token=secret',
      'https://git.example/x.git',
    ],
    ['https://git.example/x.git#token=secret', 'https://git.example/x.git'],
    ['https:user:secret@git.example/x.git', 'https:git.example/x.git'],
    [' https:\\\\u:secret@git.example/x', ' https:\\\\git.example/x'],
    ['oci://u:sec ret@git.example/x', 'oci://git.example/x'],
    ['https://git.example/\u202Egpj.x', 'https://git.example/\uFFFDgpj.x'],
  ])('shows the repository %s without secrets', (repoURL, shown) => {
    const template = { spec: { project: 'default', source: { repoURL } } };
    const withSource = applicationSet({ spec: { template } } as never);
    expect(viewOf(set({ applicationSet: withSource })).sources).toEqual([
      { repoURL: shown },
    ]);
  });

  it('shows only annotations of our own', () => {
    const own = { 'argocd-fleet/component': 'guestbook' };
    const { metadata } = applicationSet();
    const annotated = applicationSet({
      metadata: { ...metadata, annotations: { ...own, other: 'x' } },
    });
    expect(viewOf(set({ applicationSet: annotated })).annotations).toEqual(own);
  });

  it('lists excluded Applications apart from its rows', () => {
    const detail = viewOf(set());
    expect(detail.applications.map(({ cluster }) => cluster.name)).toEqual([
      'cluster1',
      'pcluster1',
      'pcluster2',
    ]);
    expect(detail.excluded).toEqual([
      {
        application: {
          namespace: 'openshift-gitops',
          name: 'local-cluster-guestbook-app',
        },
        cluster: 'local-cluster',
        reason: 'it is the hub itself',
      },
    ]);
    expect(detail.hubState).toBe(ready);
  });

  it('shows rows as they are in JSON', () => {
    const detail = viewOf(set());
    expect(JSON.parse(JSON.stringify(detail))).toStrictEqual(detail);
  });

  it('takes the sources of an Application where the template has placeholders', () => {
    const templated = applicationSet({
      spec: {
        template: {
          spec: { source: { repoURL: 'https://git/{{path}}' } },
        },
      },
    });
    expect(viewOf(set({ applicationSet: templated })).sources[0].path).toBe(
      'guestbook',
    );
  });
});

describe('findings of an ApplicationSet', () => {
  const codes = (input: Input) =>
    viewOf(input).findings.map(({ code }) => code);

  it('say that it cannot generate', () => {
    const broken = applicationSet({
      status: {
        conditions: [
          {
            type: 'ErrorOccurred',
            status: 'True',
            message: 'no such ConfigMap',
          },
        ],
      },
    });
    expect(viewOf(set({ applicationSet: broken })).findings).toEqual([
      expect.objectContaining({
        code: 'AFC-301',
        evidence: 'no such ConfigMap',
      }),
    ]);
  });

  const onHub = (annotations: Record<string, string> = {}) =>
    applicationSet({
      spec: {
        template: {
          metadata: { annotations },
          spec: { destination: { server: 'https://kubernetes.default.svc' } },
        },
      },
    });

  it('say once that its Placement is missing, with the error of the controller as evidence', () => {
    const message = 'no decisions of Placement p';
    const failed = applicationSet({
      status: {
        conditions: [{ type: 'ErrorOccurred', status: 'True', message }],
      },
    });
    const placement = { name: 'p', found: false, decisions: 0, others: 0 };
    expect(viewOf(set({ applicationSet: failed, placement })).findings).toEqual(
      [expect.objectContaining({ code: 'AFC-302', evidence: message })],
    );
  });

  it.each<[string, string[], Partial<Input>]>([
    [
      'its Placement does not exist',
      ['AFC-302'],
      { placement: { name: 'p', found: false, decisions: 0, others: 0 } },
    ],
    [
      'its Placement selects no cluster',
      ['AFC-303'],
      { placement: { name: 'p', found: true, decisions: 0, others: 0 } },
    ],
    [
      'the hub’s Argo CD reconciles it too',
      ['AFC-107'],
      {
        applications: [
          { application: application({ metadata: { annotations: {} } }) },
        ],
      },
    ],
    [
      'all of its Applications go to the hub',
      ['AFC-309'],
      { applicationSet: onHub() },
    ],
    [
      'nothing is wrong where its Placement selects the hub only',
      [],
      {
        applicationSet: onHub(),
        placement: { name: 'p', found: true, decisions: 1, others: 0 },
      },
    ],
    [
      'nothing more where each Application says that its label is missing',
      [],
      { applicationSet: onHub({ [MANAGED_CLUSTER_ANNOTATION]: '{{name}}' }) },
    ],
    [
      'a placeholder is left',
      ['AFC-310'],
      {
        applications: [
          {
            application: application({
              spec: { destination: { namespace: '{{.team}}' } },
            }),
          },
        ],
      },
    ],
    [
      'nothing is wrong with the placeholders of a chart’s values',
      [],
      {
        applications: [
          {
            application: application({
              spec: {
                source: {
                  repoURL: 'https://charts.example.com',
                  helm: { values: 'summary: "{{ $labels.pod }} restarts"' },
                } as ArgoSource,
              },
            }),
          },
        ],
      },
    ],
    [
      'its controller deletes no Application, and one is left',
      ['AFC-311'],
      {
        applicationSet: applicationSet({
          spec: {
            ...applicationSet().spec,
            syncPolicy: { applicationsSync: 'create-only' },
          },
        }),
        placement: { name: 'p', found: true, decisions: 3, others: 3 },
      },
    ],
    [
      'there is no decision, so that nothing is changed',
      ['AFC-312'],
      {
        applicationSet: applicationSet({
          status: {
            conditions: [
              {
                type: 'ErrorOccurred',
                status: 'True',
                message: 'no clusterDecisionResources found',
              },
            ],
          },
        }),
        placement: { name: 'p', found: true, decisions: 0, others: 0 },
      },
    ],
    [
      'it is deleted in the foreground',
      ['AFC-315'],
      {
        applicationSet: applicationSet({
          metadata: {
            ...applicationSet().metadata,
            deletionTimestamp: '2026-11-21T10:30:00Z',
          },
        }),
      },
    ],
    [
      'it is deleted step by step',
      ['AFC-313'],
      {
        applicationSet: applicationSet({
          metadata: {
            ...applicationSet().metadata,
            deletionTimestamp: '2026-11-21T10:30:00Z',
          },
          spec: {
            ...applicationSet().spec,
            strategy: { type: 'RollingSync', deletionOrder: 'Reverse' },
          },
        }),
      },
    ],
    [
      'Applications are missing where decisions have scores',
      ['AFC-314'],
      {
        placement: {
          name: 'p',
          found: true,
          decisions: 5,
          others: 5,
          scored: true,
        },
      },
    ],
    ['nothing is wrong', [], {}],
  ])('say that %s: %j', (_, expected, parts) => {
    expect(codes(set(parts))).toEqual(expected);
  });
});

describe('the Placement of an ApplicationSet', () => {
  const [generator] = applicationSet().spec.generators!;
  const generated = (...generators: Record<string, unknown>[]) =>
    applicationSet({ spec: { generators } });

  it.each<[string, string | undefined, ArgoApplicationSet]>([
    ['a generator', 'aws-app-placement', generated(generator)],
    [
      'a nested generator',
      'aws-app-placement',
      generated(
        { list: { elements: [] } },
        { matrix: { generators: [{ git: {} }, generator] } },
      ),
    ],
    [
      'an expression',
      'p',
      generated({
        clusterDecisionResource: {
          labelSelector: {
            matchExpressions: [
              { key: 'team', operator: 'In', values: ['q'] },
              { key: PLACEMENT_LABEL, operator: 'In', values: ['p'] },
            ],
          },
        },
      }),
    ],
    [
      'the name of a decision',
      'p-decision',
      generated({
        clusterDecisionResource: { name: 'p-decision-decision-12' },
      }),
    ],
    [
      'no name of a decision',
      undefined,
      generated({ clusterDecisionResource: { name: 'p' } }),
    ],
    ['no generator', undefined, generated({ list: { elements: [] } })],
    ['no generators at all', undefined, applicationSet({ spec: {} })],
  ])('is named by %s', (_, expected, own) => {
    expect(placementNameOf(own)).toBe(expected);
  });

  it('are named by several generators', () => {
    const second = {
      clusterDecisionResource: {
        labelSelector: { matchLabels: { [PLACEMENT_LABEL]: 'second' } },
      },
    };
    const own = generated({ matrix: { generators: [generator, {}] } }, second);
    expect(placementNamesOf(own)).toEqual(['aws-app-placement', 'second']);
  });
});
