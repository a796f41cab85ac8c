import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { readFeedback as readAsAgent } from 'simulated-fleet';
import {
  application,
  forbidden,
  revision,
  spokeStatus,
} from '../__testUtils__/applications';
import { reportedWork } from '../__testUtils__/works';
import { buildManifestWork } from '../manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../manifestwork/workPlan';
import { readFeedback } from './feedback';

const failed = application({
  status: {
    ...spokeStatus({ health: 'Degraded', sync: 'OutOfSync' }),
    conditions: [
      { type: 'OrphanedResourceWarning', message: 'of another owner' },
      { type: 'SyncError', message: `Failed sync attempt: ${forbidden}` },
    ],
    operationState: {
      phase: 'Failed',
      retryCount: 5,
      startedAt: '2026-11-21T10:02:00Z',
      message: 'one or more objects failed to apply',
      syncResult: {
        resources: [
          { kind: 'Service', name: 'ui', status: 'Synced' },
          {
            group: 'apps',
            kind: 'Deployment',
            name: 'ui',
            status: 'SyncFailed',
            message: forbidden,
          },
          { kind: 'Job', name: 'later', status: 'SyncFailed', message: 'no' },
        ],
      },
    },
    resources: [
      { kind: 'Service', name: 'ui', status: 'Synced' },
      { kind: 'Job', name: 'seed', health: { status: 'Degraded' } },
    ],
    history: [
      { id: 0, revision: 'old', deployedAt: '2026-11-20T10:00:00Z' },
      { id: 1, revision, deployedAt: '2026-11-21T10:00:00Z' },
    ],
  },
});

/** The work of an Application on a hub without condition rules, after an agent has reported. */
function reported(
  onCluster: ArgoApplication,
  options: { errorFeedback?: boolean } = {},
): { work: ManifestWork; errors: readonly string[] } {
  const work = buildManifestWork(
    application(),
    { cluster: 'cluster1', name: 'work' },
    { ...DEFAULT_PROPAGATION, conditionRules: false, ...options },
  );
  const rules = work.spec.manifestConfigs?.[0].feedbackRules ?? [];
  const { values, errors } = readAsAgent(
    onCluster as Parameters<typeof readAsAgent>[0],
    rules as Parameters<typeof readAsAgent>[1],
  );
  return { work: withValues(reportedWork({ work }), values), errors };
}

function withValues(work: ManifestWork, values: object[]): ManifestWork {
  const manifests = work.status?.resourceStatus?.manifests?.map(manifest =>
    manifest.resourceMeta?.kind === 'Application'
      ? { ...manifest, statusFeedback: { values } }
      : manifest,
  );
  return {
    ...work,
    status: { ...work.status, resourceStatus: { manifests } },
  } as ManifestWork;
}

describe('on a hub without condition rules', () => {
  it('feedback reports the first errors', () => {
    const { work, errors } = reported(failed);
    expect(errors).toEqual([]);
    expect(readFeedback(work)).toMatchObject({
      health: 'Degraded',
      sync: 'OutOfSync',
      phase: 'Failed',
      operationMessage: 'one or more objects failed to apply',
      operationRetries: 5,
      conditions: [
        { type: 'SyncError', message: `Failed sync attempt: ${forbidden}` },
        {
          type: 'OperationError',
          message: 'one or more objects failed to apply',
        },
      ],
      failedResources: [{ kind: 'Deployment', name: 'ui', message: forbidden }],
      resources: [{ kind: 'Job', name: 'seed', health: 'Degraded' }],
      history: [{ id: 1, revision, deployedAt: '2026-11-21T10:00:00Z' }],
    });
    // Complete details of another source must not be hidden by these.
    expect(readFeedback(work).detailsFrom).toBeUndefined();
  });

  it.each<[string, object]>([
    ['that is healthy', spokeStatus({})],
    ['without a status', {}],
  ])('no path fails for an Application %s', (_, status) => {
    const { work, errors } = reported(application({ status }));
    expect(errors).toEqual([]);
    expect(readFeedback(work)).toMatchObject({
      conditions: [],
      failedResources: [],
      resources: [],
      history: [],
    });
  });

  it('a path that fails does not affect the others', () => {
    // An empty list, which Argo CD never writes, has no last element.
    const { work, errors } = reported({
      ...failed,
      status: { ...failed.status, history: [] },
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('lastSyncId');
    expect(readFeedback(work)).toMatchObject({
      operationRetries: 5,
      failedResources: [{ name: 'ui' }],
      history: [],
    });
  });

  it('an agent that sends every match sends all failed resources', () => {
    const { work } = reported(failed);
    const json = (name: string, values: string[]) => ({
      name,
      fieldValue: { type: 'JsonRaw', jsonRaw: JSON.stringify(values) },
    });
    const all = withValues(work, [
      json('failedResourceKind', ['Deployment', 'Job']),
      json('failedResourceName', ['ui', 'later']),
      json('failedResourceMessage', [forbidden, 'no']),
      {
        name: 'operationMessage',
        fieldValue: { type: 'JsonRaw', jsonRaw: '["cut' },
      },
    ]);
    expect(readFeedback(all).failedResources).toEqual([
      { kind: 'Deployment', name: 'ui', message: forbidden },
      { kind: 'Job', name: 'later', message: 'no' },
    ]);
    expect(readFeedback(all).operationMessage).toBeUndefined();
  });

  it('no paths are added if the configuration turns them off, or there is a digest', () => {
    const paths = (options: object) =>
      buildManifestWork(
        application(),
        { cluster: 'cluster1', name: 'work' },
        { ...DEFAULT_PROPAGATION, ...options },
      ).spec.manifestConfigs?.[0].feedbackRules?.[0].jsonPaths;
    expect(paths({})).toHaveLength(5);
    expect(paths({ conditionRules: false, errorFeedback: false })).toHaveLength(
      5,
    );
    expect(paths({ conditionRules: false })).toHaveLength(20);
  });
});
