import { REMEDY } from '../__testUtils__/pullModelWorks';
import { createClusterStore } from '../cluster/clusterStore';
import { Application } from '../kubernetes/argocdTypes';
import { KubeObject } from '../kubernetes/objects';
import { parseScenario } from '../scenario/loadScenario';
import {
  nextStep,
  settledApplication,
  ApplicationStep,
  SyncTimings,
} from './nextStep';
import { resolveRevision } from '../cluster/resolveRevision';
import { createScenarioEnvironment } from '../cluster/scenarioEnvironment';

const NOW = new Date('2026-01-01T10:00:00Z');
const TIMINGS: SyncTimings = {
  outOfSyncMs: 800,
  syncMs: 900,
  progressingMs: 9000,
  pruneMs: 500,
  retryMs: 200,
};
const scenario = parseScenario(
  `
  workloads:
    - path: guestbook
      resources:
        - { kind: Service, name: guestbook-ui }
        - { group: apps, kind: Deployment, name: guestbook-ui, images: ['img:v5'] }
  repositories: { unknownRevisions: [nowhere], unknownPaths: [no/path] }
  faults:
    - { type: forbidden, clusters: [cluster1], kinds: [Service, Deployment] }
    - { type: degraded, clusters: [sick], kind: Deployment, message: it crashes }
    - { type: suspended, clusters: [paused], kind: Deployment, message: waiting }
    - { type: repositoryUnreachable, clusters: [cut-off], message: no such host }
  `,
  'test',
);

const source = {
  repoURL: 'https://example.com/repo.git',
  path: 'guestbook',
  targetRevision: 'main',
};
const REVISION = resolveRevision(source);

const application = (overrides: Partial<Application> = {}): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'app', namespace: 'openshift-gitops' },
  spec: {
    project: 'default',
    source,
    destination: { server: 's', namespace: 'guestbook' },
    syncPolicy: { automated: { prune: true, selfHeal: true } },
  },
  ...overrides,
});

function cluster(name = 'pcluster1') {
  const store = createClusterStore(name, ['openshift-gitops']);
  const environment = createScenarioEnvironment(scenario, store);
  const step = (subject: Application, elapsedMs = Infinity) =>
    nextStep(subject, environment, TIMINGS, elapsedMs, NOW);
  const apply = (subject: Application, next: ApplicationStep): Application => ({
    ...subject,
    ...(next.removeOperation && { operation: undefined }),
    status: next.status ?? subject.status,
  });
  /** Applies steps until there is none; `path` has the sync status, health and phase after each. */
  const settle = (subject: Application) => {
    let current = subject;
    const path: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const next = step(current);
      if (!next.status) {
        return { application: current, path };
      }
      current = apply(current, next);
      const { sync, health, operationState } = next.status;
      path.push(
        `${sync?.status}/${health?.status}/${operationState?.phase ?? '-'}`,
      );
    }
    throw new Error(`not settled after 20 steps: ${path.join(' ')}`);
  };
  return { store, environment, step, settle };
}

const [BINDING] = REMEDY.spec.workload.manifests;

describe('the steps of an Application', () => {
  it('lead from missing to healthy', () => {
    const { settle } = cluster();
    const { application: settled, path } = settle(application());

    expect(path).toEqual([
      'OutOfSync/Missing/-',
      'OutOfSync/Missing/Running',
      'Synced/Progressing/Succeeded',
      'Synced/Healthy/Succeeded',
    ]);
    expect(settled.status).toMatchObject({
      sync: {
        revision: REVISION,
        comparedTo: { source, destination: { namespace: 'guestbook' } },
      },
      operationState: {
        message: 'successfully synced (all tasks run)',
        startedAt: '2026-01-01T10:00:00Z',
        finishedAt: '2026-01-01T10:00:00Z',
        syncResult: { revision: REVISION },
      },
      resources: [
        {
          version: 'v1',
          kind: 'Service',
          namespace: 'guestbook',
          name: 'guestbook-ui',
          status: 'Synced',
          health: { status: 'Healthy' },
        },
        { group: 'apps', kind: 'Deployment', health: { status: 'Healthy' } },
      ],
      summary: { images: ['img:v5'] },
      history: [{ id: 0, revision: REVISION, source }],
    });
    expect(settled.status?.conditions).toBeUndefined();
  });

  it('take the configured time', () => {
    const { step } = cluster();
    const compared = application({ status: step(application()).status });

    expect(step(compared, 100)).toEqual({ requeueAfterMs: 700 });
    const running = application({ status: step(compared).status });
    expect(step(running, 0)).toEqual({ requeueAfterMs: 900 });
    const progressing = application({ status: step(running).status });
    expect(step(progressing, 4000)).toEqual({ requeueAfterMs: 5000 });
  });

  it('sync a new revision while the resources stay healthy', () => {
    const { settle } = cluster();
    const before = settle(application()).application;
    const spec = {
      ...before.spec,
      source: { ...source, targetRevision: 'v2' },
    };
    const { application: after, path } = settle({ ...before, spec });

    expect(path).toEqual([
      'OutOfSync/Healthy/Succeeded',
      'OutOfSync/Healthy/Running',
      'Synced/Progressing/Succeeded',
      'Synced/Healthy/Succeeded',
    ]);
    expect(after.status?.sync?.revision).toBe(resolveRevision(spec.source));
    expect(after.status?.history?.map(({ id }) => id)).toEqual([0, 1]);
  });

  it('wait for a requested sync without automated sync', () => {
    const { settle } = cluster();
    const spec = { ...application().spec, syncPolicy: undefined };
    const { application: waiting, path } = settle(application({ spec }));
    expect(path).toEqual(['OutOfSync/Missing/-']);

    const operation = { sync: {}, initiatedBy: { username: 'jane' } };
    const { application: done } = settle({ ...waiting, operation });
    expect(done.operation).toBeUndefined();
    expect(done.status).toMatchObject({
      sync: { status: 'Synced' },
      health: { status: 'Healthy' },
      operationState: { operation: { initiatedBy: { username: 'jane' } } },
    });
  });

  it('compare again after a refresh', () => {
    const { settle, step } = cluster();
    const settled = settle(application()).application;
    const next = step({
      ...settled,
      metadata: {
        ...settled.metadata,
        annotations: { 'argocd.argoproj.io/refresh': 'normal' },
      },
    });
    expect(next.removeRefresh).toBe(true);
    expect(next.status?.sync).toEqual(settled.status?.sync);
  });

  it('remove the finalizers after the time for pruning', () => {
    const { step } = cluster();
    const deleted = application({
      metadata: {
        ...application().metadata,
        deletionTimestamp: '2026-01-01T10:00:00Z',
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      },
    });
    expect(step(deleted, 0)).toEqual({ requeueAfterMs: 500 });
    expect(step(deleted)).toEqual({ removeFinalizers: true });
  });

  it.each(['normal', 'hard'])(
    'takes a %s refresh off when it is done',
    kind => {
      const { settle, step } = cluster();
      const settled = settle(application()).application;
      const annotations = { 'argocd.argoproj.io/refresh': kind };
      const next = step({
        ...settled,
        metadata: { ...settled.metadata, annotations },
      });
      expect(next).toMatchObject({
        removeRefresh: true,
        status: { health: { status: 'Healthy' } },
      });
    },
  );

  it('sync an earlier revision on request, and are OutOfSync then', () => {
    const { settle } = cluster();
    const spec = {
      ...application().spec,
      syncPolicy: undefined,
      source: { ...source, targetRevision: 'v2' },
    };
    const sync = (subject: Application, revision?: string) =>
      settle({ ...subject, operation: { sync: { revision } } }).application;
    const first = sync(application({ spec: { ...spec, source } }));
    const second = sync({ ...first, spec });
    const back = sync(second, REVISION);

    expect(back.status?.sync).toMatchObject({
      status: 'OutOfSync',
      revision: resolveRevision(spec.source),
    });
    expect(
      back.status?.history?.map(({ id, revision }) => [id, revision]),
    ).toEqual([
      [0, REVISION],
      [1, resolveRevision(spec.source)],
      [2, REVISION],
    ]);
    expect(back.status?.operationState?.syncResult?.revision).toBe(REVISION);
  });

  it('fail to sync a revision that the repository does not have', () => {
    const { settle } = cluster();
    const { application: failed } = settle({
      ...application({
        spec: { ...application().spec, syncPolicy: undefined },
      }),
      operation: { sync: { revision: 'nowhere' } },
    });
    expect(failed.status?.operationState).toMatchObject({
      phase: 'Error',
      message: "unable to resolve 'nowhere' to a commit SHA",
      finishedAt: '2026-01-01T10:00:00Z',
    });
    expect(failed.status?.history).toBeUndefined();
  });

  it('end a terminated operation, and do not sync again', () => {
    const { step, settle } = cluster();
    const compared = application({ status: step(application()).status });
    const running = step(compared).status;
    const operationState = {
      ...running!.operationState!,
      phase: 'Terminating',
    };
    const { application: ended, path } = settle(
      application({ status: { ...running, operationState } }),
    );
    expect(path).toEqual(['OutOfSync/Missing/Failed']);
    expect(ended.status?.operationState).toMatchObject({
      message: 'operation terminated',
      finishedAt: '2026-01-01T10:00:00Z',
    });
    expect(ended.status?.conditions).toMatchObject([{ type: 'SyncError' }]);
  });

  it('are none for a restored Application', () => {
    const { environment, step } = cluster();
    const restored = settledApplication(application(), environment, NOW);
    expect(restored.status?.health?.status).toBe('Healthy');
    expect(step(restored)).toEqual({});
  });
});

describe('a cluster with the fault forbidden', () => {
  it("fails the sync with Kubernetes' message after all retries", () => {
    const { settle } = cluster('cluster1');
    const { application: failed, path } = settle(application());

    expect(path.at(-1)).toBe('OutOfSync/Missing/Failed');
    const user =
      'User "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller"';
    const reason = `one or more objects failed to apply, reason: services is forbidden: ${user} cannot create resource "services" in API group "" in the namespace "guestbook",deployments.apps is forbidden: ${user} cannot create resource "deployments" in API group "apps" in the namespace "guestbook" (retried 5 times).`;
    expect(failed.status).toMatchObject({
      conditions: [
        {
          type: 'SyncError',
          message: `Failed last sync attempt to [${REVISION}]: ${reason}`,
        },
      ],
      operationState: {
        phase: 'Failed',
        message: reason,
        retryCount: 5,
        syncResult: {
          revision: REVISION,
          resources: [
            { kind: 'Service', status: 'SyncFailed', hookPhase: 'Failed' },
            { kind: 'Deployment', status: 'SyncFailed' },
          ],
        },
      },
      resources: [
        { kind: 'Service', status: 'OutOfSync', health: { status: 'Missing' } },
        { kind: 'Deployment', health: { status: 'Missing' } },
      ],
    });
  });

  it('counts the attempts, and waits between them', () => {
    const { step } = cluster('cluster1');
    const compared = application({ status: step(application()).status });
    const running = application({ status: step(compared).status });
    const again = application({ status: step(running).status });
    expect(again.status?.operationState).toMatchObject({
      phase: 'Running',
      retryCount: 1,
      message: expect.stringMatching(/Retrying attempt #1 at 10:00AM\.$/),
      syncResult: { resources: [{ status: 'SyncFailed' }, {}] },
    });
    expect(step(again, 50)).toEqual({ requeueAfterMs: 150 });
  });

  it("is retried up to the Application's limit with its own backoff", () => {
    const { step } = cluster('cluster1');
    const retry = {
      limit: 2,
      backoff: { duration: '1m', factor: 3, maxDuration: '2m' },
    };
    const spec = {
      ...application().spec,
      syncPolicy: { automated: {}, retry },
    };
    let current = application({ spec });
    const waits: (number | undefined)[] = [];
    for (let count = 0; count < 5; count += 1) {
      waits.push(step(current, 0).requeueAfterMs);
      current = { ...current, status: step(current).status };
    }
    expect(waits).toEqual([undefined, 800, 900, 60_000, 120_000]);
    expect(current.status?.operationState).toMatchObject({
      phase: 'Failed',
      retryCount: 2,
      message: expect.stringMatching(/\(retried 2 times\)\.$/),
    });
  });

  it('allows the sync while the service account is bound, and fails it again without the binding', () => {
    const { settle, store } = cluster('cluster1');
    const failed = settle(application()).application;
    store.put(BINDING);
    const healed = settle(failed).application;
    expect(healed.status).toMatchObject({
      health: { status: 'Healthy' },
      sync: { status: 'Synced' },
    });
    expect(healed.status?.conditions).toBeUndefined();

    store.delete({
      group: 'rbac.authorization.k8s.io',
      resource: 'clusterrolebindings',
      namespace: '',
      name: 'argo-admin',
    });
    expect(settle(healed).path).toEqual([]);
    const spec = {
      ...healed.spec,
      source: { ...source, targetRevision: 'v2' },
    };
    expect(settle({ ...healed, spec }).path.at(-1)).toBe(
      'OutOfSync/Healthy/Failed',
    );
  });

  it.each([
    ['of the namespace', 'guestbook', 'Synced/Healthy/Succeeded'],
    ['of another namespace', 'shop', 'OutOfSync/Missing/Failed'],
  ])('with everything permitted by a Role %s', (_, namespace, end) => {
    const { settle, store } = cluster('cluster1');
    const metadata = { name: 'argo-admin', namespace };
    const all = ['*'];
    store.put({
      ...BINDING,
      kind: 'Role',
      metadata,
      rules: [{ apiGroups: all, resources: all, verbs: all }],
    } as KubeObject);
    expect(settle(application()).path.at(-1)).toBe('OutOfSync/Missing/Failed');
    store.put({
      ...BINDING,
      kind: 'RoleBinding',
      metadata,
      roleRef: { ...BINDING.roleRef, kind: 'Role', name: 'argo-admin' },
    } as KubeObject);
    expect(settle(application()).path.at(-1)).toBe(end);
  });

  it.each([
    ['another role', { roleRef: { ...BINDING.roleRef, name: 'view' } }],
    [
      'another service account',
      { subjects: [{ ...BINDING.subjects[0], name: 'somebody' }] },
    ],
  ])('still fails with a binding of %s', (_, change) => {
    const { settle, store } = cluster('cluster1');
    store.put({ ...BINDING, ...change });
    expect(settle(application()).path.at(-1)).toBe('OutOfSync/Missing/Failed');
  });
});

describe('other faults', () => {
  it.each([
    ['sick', 'Synced/Degraded/Succeeded', 'it crashes'],
    ['paused', 'Synced/Suspended/Succeeded', 'waiting'],
  ])('on cluster %s end as %s', (name, end, message) => {
    const { application: settled, path } = cluster(name).settle(application());
    expect(path.at(-1)).toBe(end);
    expect(settled.status?.resources?.[1].health?.message).toBe(message);
  });

  it.each([
    ['cut-off', {}, 'no such host'],
    [
      'any',
      { targetRevision: 'nowhere' },
      "unable to resolve 'nowhere' to a commit SHA",
    ],
    ['any', { path: 'no/path' }, 'no/path: app path does not exist'],
  ])(
    'in Git, on cluster %s with %j, are a ComparisonError',
    (name, change, cause) => {
      const spec = { ...application().spec, source: { ...source, ...change } };
      const { application: failed, path } = cluster(name).settle(
        application({ spec }),
      );
      expect(path).toEqual(['Unknown/Healthy/-']);
      expect(failed.status?.conditions).toMatchObject([
        {
          type: 'ComparisonError',
          message: `Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = ${cause}`,
        },
      ]);
    },
  );

  it('of the project are an InvalidSpecError until the project exists', () => {
    const { settle, store } = cluster();
    const spec = { ...application().spec, project: 'shop' };
    const failed = settle(application({ spec }));
    expect(failed.path).toEqual(['Unknown/Unknown/-']);
    store.put({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'shop', namespace: 'openshift-gitops' },
    });
    expect(settle(failed.application).path.at(-1)).toBe(
      'Synced/Healthy/Succeeded',
    );
  });

  it('end when the revision is corrected', () => {
    const { settle } = cluster();
    const broken = { ...source, targetRevision: 'nowhere' };
    const failed = settle(
      application({ spec: { ...application().spec, source: broken } }),
    ).application;
    const { path } = settle({ ...failed, spec: application().spec });
    expect(path.at(-1)).toBe('Synced/Healthy/Succeeded');
  });
});
