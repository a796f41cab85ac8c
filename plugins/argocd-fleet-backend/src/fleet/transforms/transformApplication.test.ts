import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { application } from '../../model/__testUtils__/applications';
import { readApplicationStatus } from '../../model/feedback/applicationState';
import { clusterApplication } from '../../model/views/clusterApplication';
import { transformApplication } from './transformApplication';

it('keeps only the failed resources of a sync', () => {
  const failed = [
    {
      kind: 'Deployment',
      name: 'web',
      status: 'SyncFailed',
      message: 'deployments.apps is forbidden',
    },
    { kind: 'Job', name: 'migrate', status: 'Synced', hookPhase: 'Failed' },
    { kind: 'Job', name: 'seed', status: 'Synced', hookPhase: 'Error' },
  ];
  const whole = {
    ...application(),
    status: {
      operationState: {
        phase: 'Failed',
        operation: { sync: { revision: 'abc' } },
        syncResult: {
          revision: 'abc',
          resources: [
            { kind: 'Service', name: 'web', status: 'Synced' },
            { kind: 'Job', name: 'done', hookPhase: 'Succeeded' },
            ...failed,
          ],
        },
      },
    },
  };
  const stored = transformApplication(whole);
  expect(stored.status?.operationState).toEqual({
    phase: 'Failed',
    syncResult: { resources: failed },
  });
  expect(readApplicationStatus(stored)).toEqual(readApplicationStatus(whole));
  expect(readApplicationStatus(stored).failedResources).toHaveLength(3);
});

it.each([{ revision: 'a1b2c3' }, { revisions: ['a1b2c3', '1.2.0'] }])(
  'keeps %j of a running operation, and nothing else of its input',
  sync => {
    const source = { repoURL: 'https://example.com/r.git' };
    const whole = {
      ...application(),
      status: {
        operationState: {
          phase: 'Running',
          retryCount: 2,
          operation: { sync: { ...sync, source }, retry: { limit: 5 } },
        },
      },
    };
    const stored = transformApplication(whole);
    expect(stored.status?.operationState).toEqual({
      phase: 'Running',
      retryCount: 2,
      operation: { sync },
    });
    expect(readApplicationStatus(stored)).toEqual(readApplicationStatus(whole));
    expect(readApplicationStatus(stored).operationRevisions).toEqual(
      'revisions' in sync ? sync.revisions : [sync.revision],
    );
  },
);

it('keeps who started an operation and why, what the source hydrator did, and how resources would be deleted', () => {
  const sourceHydrator = {
    drySource: { repoURL: 'https://git.example/a.git' },
    syncSource: { targetBranch: 'env/prod', path: 'a' },
  };
  const own = application({ metadata: { labels: {}, annotations: {} } });
  const whole: ArgoApplication = {
    ...own,
    spec: { ...own.spec, sourceHydrator },
    status: {
      operationState: {
        phase: 'Succeeded',
        operation: {
          sync: { revision: 'abc' },
          initiatedBy: { username: 'alice', automated: true },
          info: [{ name: 'Reason', value: 'the window was missed' }],
        },
      },
      resources: [
        {
          kind: 'Service',
          name: 'web',
          requiresPruning: true,
          requiresDeletionConfirmation: true,
        },
      ],
      sourceHydrator: {
        currentOperation: {
          phase: 'Failed',
          startedAt: '2026-11-21T10:00:00Z',
          message: 'Failed to hydrate: push declined',
          drySHA: 'd2',
          ...{ sourceHydrator },
        },
        lastSuccessfulOperation: {
          drySHA: 'd1',
          hydratedSHA: 'h1',
          sourceHydrator,
        },
      },
    },
  };
  const stored = transformApplication(whole);
  expect(JSON.stringify(stored.status)).not.toContain('abc');
  expect(stored.status?.sourceHydrator?.currentOperation).not.toHaveProperty(
    'sourceHydrator',
  );
  const state = readApplicationStatus(stored);
  expect(state).toEqual(readApplicationStatus(whole));
  expect(state).toMatchObject({
    operationStartedBy: 'alice',
    operationAutomated: true,
    operationInformation: [{ name: 'Reason', value: 'the window was missed' }],
    resources: [{ requiresPruning: true, requiresDeletionConfirmation: true }],
    hydration: {
      phase: 'Failed',
      startedAt: '2026-11-21T10:00:00Z',
      message: 'Failed to hydrate: push declined',
      wantedDryRevision: 'd2',
      dryRevision: 'd1',
      hydratedRevision: 'h1',
      equalsSpec: true,
    },
  });
});

it('keeps what was compared with only where that is not the present spec, and the status then counts as old', () => {
  const { spec } = application();
  const metadata = { labels: {}, annotations: {} };
  const stored = (source: typeof spec.source) =>
    transformApplication({
      ...application({ metadata }),
      status: {
        health: { status: 'Healthy' },
        sync: {
          status: 'Synced',
          revision: 'abc',
          comparedTo: { source, destination: spec.destination },
        },
      },
    });
  const same = stored(spec.source);
  expect(same.status?.sync).toEqual({ status: 'Synced', revision: 'abc' });
  const older = stored({ ...spec.source!, targetRevision: '1.8' });
  expect(older.status?.sync?.comparedTo?.source?.targetRevision).toBe('1.8');
  expect(
    [same, older].map(each => {
      const row = clusterApplication({ application: each });
      const { sync, reportedSync, compared, running, state } = row;
      return { sync, reportedSync, compared, running, state };
    }),
  ).toEqual([
    {
      sync: 'Synced',
      reportedSync: undefined,
      compared: ['main'],
      running: { revision: 'abc' },
      state: 'ok',
    },
    {
      sync: 'OutOfSync',
      reportedSync: 'Synced',
      compared: ['1.8'],
      running: { revision: 'abc' },
      state: 'running',
    },
  ]);
});

it('keeps the last syncs, with the fields that are shown', () => {
  const whole = {
    ...application(),
    status: {
      history: Array.from({ length: 8 }, (_, id) => ({
        id,
        deployedAt: '2026-11-21T10:00:00Z',
        ...(id === 7 ? { revisions: ['1', '2'] } : { revision: `r${id}` }),
        source: { repoURL: 'https://example.com/r.git' },
        initiatedBy: { automated: true },
      })),
    },
  };
  const stored = transformApplication(whole);
  expect(stored.status?.history).toHaveLength(5);
  expect(stored.status?.history?.[4]).toEqual({
    id: 7,
    deployedAt: '2026-11-21T10:00:00Z',
    revisions: ['1', '2'],
  });
  expect(readApplicationStatus(stored)).toEqual(readApplicationStatus(whole));
  expect(readApplicationStatus(stored).history.map(({ id }) => id)).toEqual([
    7, 6, 5, 4, 3,
  ]);
});

it('cuts the texts of a status, except in the pull model, where those of others are written back', () => {
  const message = `${'x'.repeat(200_000)} \u202E`;
  const status = {
    conditions: [{ type: 'SyncError', message }],
    operationState: { phase: 'Failed', message },
    summary: { externalURLs: ['https://shop.example/?page=1'] },
  };
  const push = { ...application({ metadata: { labels: {} } }), status };
  const state = readApplicationStatus(transformApplication(push));
  expect(state.conditions[0].message).toMatch(/x… \[cut\]$/);
  expect(JSON.stringify(state).length).toBeLessThan(20_000);
  expect(state.externalUrls).toEqual(['https://shop.example/?page=1']);
  const pull = { ...application(), status };
  expect(transformApplication(pull).status?.conditions?.[0].message).toBe(
    message,
  );
});
