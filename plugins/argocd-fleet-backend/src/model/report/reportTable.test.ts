import type {
  ApplicationResource,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  application,
  forbidden,
  revision,
} from '../__testUtils__/applications';
import { reportedWork, workOf } from '../__testUtils__/works';
import { UNREPORTED, type ReportedState } from '../feedback/applicationState';
import { readFeedback, readReportedState } from '../feedback/feedback';
import { withSourcedDetails } from '../status/sourcedDetails';
import { aggregateReport, reportRow } from './aggregateReport';

const SET = { namespace: 'openshift-gitops', name: 'guestbook' };
const STARTED = '2026-11-21T10:02:00Z';

type WorkParts = Omit<NonNullable<Parameters<typeof reportedWork>[0]>, 'work'>;

/** The report of works with the agents' feedback; `none` for an Application without a work. */
function reportOf(
  rows: readonly {
    readonly cluster: string;
    readonly name?: string;
    readonly reported?: WorkParts;
    readonly work?: ManifestWork | 'none';
  }[],
) {
  return aggregateReport(
    SET,
    rows.map(({ cluster, name = `${cluster}-guestbook`, reported, work }) => {
      const app = application({ cluster, metadata: { name } });
      const made =
        work ?? reportedWork({ work: workOf(app), ...(reported ?? {}) });
      const row = (state: ReportedState) =>
        reportRow({
          application: { namespace: SET.namespace, name },
          cluster,
          ...(made !== 'none' && {
            work: { namespace: cluster, name: made.metadata.name },
          }),
          state,
        });
      if (made === 'none') {
        return row(UNREPORTED);
      }
      const briefly = row(readReportedState(made));
      // Reading a part of the feedback gives the same row.
      expect(briefly).toEqual(row(readFeedback(made)));
      return briefly;
    }),
  ).report.statuses;
}

/** `Health/Sync` of each Application, by its cluster. */
function summaryOf(rows: string) {
  const { summary } = reportOf(
    rows.split(', ').map((row, index) => {
      const [cluster, status] = row.split(' ');
      const [healthStatus, syncStatus] = status.split('/');
      return {
        cluster,
        name: `app-${index}`,
        reported: { feedback: { healthStatus, syncStatus } },
      };
    }),
  );
  const { clusters, synced, notSynced, healthy, notHealthy, inProgress } =
    summary;
  return `${clusters}: ${synced}+${notSynced} ${healthy}+${notHealthy} ${inProgress}`;
}

describe('the summary counts clusters: synced+notSynced, healthy+notHealthy, inProgress', () => {
  it.each([
    ['a Healthy/Synced', '1: 1+0 1+0 0'],
    ['a Healthy/OutOfSync', '1: 0+1 1+0 0'],
    ['a Healthy/Unknown', '1: 0+1 1+0 0'],
    ['a Progressing/Synced', '1: 1+0 0+1 1'],
    ['a Progressing/OutOfSync', '1: 0+1 0+1 1'],
    ['a Degraded/Synced', '1: 1+0 0+1 0'],
    ['a Suspended/Synced', '1: 1+0 0+1 0'],
    ['a Missing/OutOfSync', '1: 0+1 0+1 0'],
    ['a Unknown/Unknown', '1: 0+1 0+1 0'],
    ['a healthy/synced', '1: 0+1 0+1 0'],
    [
      'a Missing/OutOfSync, b Progressing/Synced, c Progressing/Synced',
      '3: 2+1 0+3 2',
    ],
    ['a Healthy/Synced, b Healthy/Synced, c Degraded/Synced', '3: 3+0 2+1 0'],
    ['a Healthy/Synced, b Suspended/Unknown', '2: 1+1 1+1 0'],
    // Two Applications on one cluster: the worst counts, in Argo CD's own order.
    ['a Healthy/Synced, a Healthy/Synced', '1: 1+0 1+0 0'],
    ['a Healthy/OutOfSync, a Healthy/Synced', '1: 0+1 1+0 0'],
    ['a Healthy/Unknown, a Degraded/Synced', '1: 0+1 0+1 0'],
    ['a Healthy/Synced, a Progressing/Synced', '1: 1+0 0+1 1'],
    ['a Suspended/Synced, a Progressing/Synced', '1: 1+0 0+1 1'],
    ['a Progressing/Synced, a Missing/Synced', '1: 1+0 0+1 0'],
    ['a Progressing/Synced, a Degraded/Synced', '1: 1+0 0+1 0'],
    ['a Progressing/Synced, a Unknown/Synced', '1: 1+0 0+1 0'],
    [
      'a Progressing/Synced, b Healthy/Synced, a Healthy/Synced',
      '2: 2+0 1+1 1',
    ],
  ])('%s → %s', (rows, expected) => {
    expect(summaryOf(rows)).toBe(expected);
  });

  it('counts nothing without pulled Applications', () => {
    expect(reportOf([]).summary).toEqual({
      clusters: '0',
      synced: '0',
      notSynced: '0',
      healthy: '0',
      notHealthy: '0',
      inProgress: '0',
    });
  });
});

describe('the row of a cluster', () => {
  const unknown = {
    cluster: 'a',
    healthStatus: 'Unknown',
    syncStatus: 'Unknown',
    app: 'openshift-gitops/a-guestbook/a/a-guestbook-2fc44',
  };
  const healthy = {
    ...unknown,
    healthStatus: 'Healthy',
    syncStatus: 'Synced',
  };
  const broken = {
    ...unknown,
    healthStatus: 'Missing',
    syncStatus: 'OutOfSync',
  };
  const allRight = { healthStatus: 'Healthy', syncStatus: 'Synced' };
  const notRight = { healthStatus: 'Missing', syncStatus: 'OutOfSync' };
  const failed = `failed to apply: ${forbidden}`;

  it.each<[string, WorkParts, object]>([
    ['says Unknown before any feedback', {}, unknown],
    [
      'shows the known part of an incomplete status',
      { feedback: { healthStatus: 'Healthy' } },
      { ...unknown, healthStatus: 'Healthy' },
    ],
    [
      'shows status values that Argo CD does not have as Unknown',
      { feedback: { healthStatus: 'Fine', syncStatus: 'Yes' } },
      unknown,
    ],
    [
      'has only health and sync where all is well',
      { feedback: allRight },
      healthy,
    ],
    [
      'has phase and start of the last operation',
      {
        feedback: {
          ...allRight,
          operationStatePhase: 'Succeeded',
          operationStateStartedAt: STARTED,
        },
      },
      {
        ...healthy,
        operationStatePhase: 'Succeeded',
        operationStateStartedAt: STARTED,
      },
    ],
    [
      'has the revision that the cluster compared with',
      { feedback: { ...allRight, syncRevision: revision } },
      { ...healthy, syncRevision: revision },
    ],
    [
      'leaves out a phase that Argo CD does not have',
      { feedback: { ...allRight, operationStatePhase: 'Thinking' } },
      healthy,
    ],
    [
      'has everything from the digest where feedback is missing',
      {
        digest: [
          ['s', 'Healthy', 'Synced', revision],
          ['o', 'Succeeded', '0', STARTED, ''],
        ],
      },
      {
        ...healthy,
        operationStatePhase: 'Succeeded',
        operationStateStartedAt: STARTED,
        syncRevision: revision,
      },
    ],
    [
      'names errors of a cluster that is out of sync',
      {
        feedback: { healthStatus: 'Healthy', syncStatus: 'OutOfSync' },
        digest: [['c', 'SyncError', failed]],
      },
      {
        ...healthy,
        syncStatus: 'OutOfSync',
        conditions: [{ type: 'SyncError', message: failed }],
      },
    ],
    [
      'names errors of a cluster that is not healthy',
      {
        feedback: { healthStatus: 'Degraded', syncStatus: 'Synced' },
        digest: [['c', 'ComparisonError', 'no such host']],
      },
      {
        ...healthy,
        healthStatus: 'Degraded',
        conditions: [{ type: 'ComparisonError', message: 'no such host' }],
      },
    ],
    [
      'names no error of a cluster where all is well',
      { feedback: allRight, digest: [['c', 'SyncError', 'long ago']] },
      healthy,
    ],
    [
      'names warnings too, but no other conditions',
      {
        feedback: notRight,
        digest: [
          ['c', 'SharedResourceWarning', 'shared'],
          ['c', 'OrphanedResource', 'orphan'],
        ],
      },
      {
        ...broken,
        conditions: [{ type: 'SharedResourceWarning', message: 'shared' }],
      },
    ],
    [
      'names the reason of a failed operation where no condition does',
      {
        feedback: notRight,
        digest: [['o', 'Failed', '0', STARTED, 'one or more objects failed']],
      },
      {
        ...broken,
        operationStatePhase: 'Failed',
        operationStateStartedAt: STARTED,
        conditions: [
          { type: 'OperationError', message: 'one or more objects failed' },
        ],
      },
    ],
    [
      'names it once where a condition does',
      {
        feedback: notRight,
        digest: [
          ['o', 'Failed', '5', STARTED, forbidden],
          ['c', 'SyncError', failed],
        ],
      },
      {
        ...broken,
        operationStatePhase: 'Failed',
        operationStateStartedAt: STARTED,
        conditions: [{ type: 'SyncError', message: failed }],
      },
    ],
    [
      'never takes the error of a rule for a status',
      {
        feedback: notRight,
        ready: {
          reason: 'ConditionRuleExpressionError',
          message: 'argocd-fleet-digest/1\t0\nc\tSyncError\tnot so\n.',
        },
      },
      broken,
    ],
  ])('%s', (_, reported, expected) => {
    expect(reportOf([{ cluster: 'a', reported }]).clusterConditions).toEqual([
      expected,
    ]);
  });

  it('names only the Application where it has no work', () => {
    expect(
      reportOf([{ cluster: 'a', work: 'none' }]).clusterConditions,
    ).toEqual([{ ...unknown, app: 'openshift-gitops/a-guestbook' }]);
  });

  it('is one of two where two Applications share a cluster, sorted by cluster and then by name', () => {
    const apps = reportOf(
      ['b/2', 'a/2', 'b/1', 'a/1'].map(key => {
        const [cluster, name] = key.split('/');
        return { cluster, name };
      }),
    ).clusterConditions?.map(({ cluster, app }) => [
      cluster,
      app?.split('/')[1],
    ]);
    expect(apps).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b', '1'],
      ['b', '2'],
    ]);
  });
});

describe('the resources of a report', () => {
  const resource = (...fields: readonly string[]) => ['r', ...fields];
  const identity = ['apps', 'v1', 'Deployment', 'g', 'ui'];
  const ui = resource(...identity, 'Synced');
  const refused = ['f', ...identity, forbidden];

  it.each<[string, readonly (readonly (readonly string[])[])[], string[]]>([
    ['are none before any digest', [], []],
    ['are named once where two clusters have them', [[ui], [ui]], ['apps/v1']],
    [
      'are all that any cluster has',
      [[ui], [resource('', 'v1', 'Service', 'g', 'ui')]],
      ['apps/v1', 'v1'],
    ],
    [
      'have the version as apiVersion in the core group',
      [[resource('', 'v1', 'ConfigMap', 'g', 'settings')]],
      ['v1'],
    ],
    [
      'have the group as apiVersion where Argo CD left the version out',
      [[resource('batch', '', 'Job', 'g', 'migrate')]],
      ['batch'],
    ],
    [
      'are two where clusters have two versions',
      [[ui], [resource('apps', 'v1beta2', 'Deployment', 'g', 'ui')]],
      ['apps/v1', 'apps/v1beta2'],
    ],
    ['are not what a cluster misses', [[[...ui, 'Missing']]], []],
    [
      'include those that one cluster has and another lacks',
      [[[...ui, 'Missing']], [ui]],
      ['apps/v1'],
    ],
    [
      'leave out those that could not be applied',
      [[resource(...identity, 'OutOfSync'), refused]],
      [],
    ],
    [
      'leave out those that could not be applied and have no sync status',
      [[resource(...identity), refused]],
      [],
    ],
    [
      'include those that could not be applied and are Synced all the same',
      [[ui, refused]],
      ['apps/v1'],
    ],
    [
      'leave out those that could not be applied and are missing',
      [[[...ui, 'Missing'], refused]],
      [],
    ],
  ])('%s', (_, digests, expected) => {
    const { resources } = reportOf(
      digests.map((digest, index) => ({
        cluster: `cluster-${index}`,
        reported: { digest },
      })),
    );
    expect(resources?.map(({ apiVersion }) => apiVersion)).toEqual(expected);
  });

  describe('where a hub has no condition rules', () => {
    /** With the details of Search in addition to the agent's feedback. */
    const resourcesOf = (
      feedback: Record<string, string>,
      ...found: readonly ApplicationResource[]
    ) => {
      const state = withSourcedDetails(
        readFeedback(reportedWork({ feedback })),
        [
          {
            source: 'search',
            details: {
              application: SET,
              ...(found.length > 0 && { resources: found }),
            },
          },
        ],
        { stale: false },
      );
      const row = reportRow({ application: SET, cluster: 'a', state });
      return aggregateReport(SET, [row]).report.statuses.resources;
    };
    const deployment = {
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      namespace: 'g',
      name: 'ui',
    };
    const service = { ...deployment, group: '', kind: 'Service' };
    const degraded = {
      degradedResourceKind: 'Deployment',
      degradedResourceName: 'ui',
    };

    it('leave out those reported only by kind and name', () => {
      expect(resourcesOf(degraded)).toEqual([]);
    });

    it('include those whose API group another source knows', () => {
      expect(resourcesOf(degraded, deployment)).toEqual([
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: 'ui',
          namespace: 'g',
        },
      ]);
    });

    it('leave out those that could not be applied, reported by kind and name', () => {
      const failed = {
        failedResourceKind: 'Deployment',
        failedResourceName: 'ui',
        failedResourceMessage: forbidden,
      };
      expect(resourcesOf(failed, deployment, service)).toEqual([
        { apiVersion: 'v1', kind: 'Service', name: 'ui', namespace: 'g' },
      ]);
    });
  });

  it('have no namespace where they have none', () => {
    const { resources } = reportOf([
      {
        cluster: 'a',
        reported: {
          digest: [resource('', 'v1', 'Namespace', '', 'guestbook')],
        },
      },
    ]);
    expect(resources).toEqual([
      { apiVersion: 'v1', kind: 'Namespace', name: 'guestbook' },
    ]);
  });
});
