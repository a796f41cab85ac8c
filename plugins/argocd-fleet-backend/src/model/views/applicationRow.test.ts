import type { ArgoApplication } from 'backstage-plugin-argocd-fleet-common';
import { objectKey } from '../../kubernetes/client/client';
import {
  application,
  applicationSet,
  noComponents,
  managedCluster,
  revision,
} from '../__testUtils__/applications';
import { applicationRecord, recordChange } from '../status/applicationRecord';
import { reportedWork, workOf } from '../__testUtils__/works';
import { tableRow } from './applicationRow';
import {
  applicationSetRows,
  applicationSetView,
  detailRow,
} from './applicationSetView';
import { clusterApplication } from './clusterApplication';
import type { FleetApplication } from './fleetApplication';

const WENT_WRONG = '2026-11-21T10:30:00Z';
const LAST_ATTEMPT = '2026-11-21T10:50:00Z';
const NOW = Date.parse('2026-11-21T11:00:00Z');

const OK = {
  healthStatus: 'Healthy',
  syncStatus: 'Synced',
  operationStatePhase: 'Succeeded',
  operationStateStartedAt: '2026-11-21T10:02:00Z',
  syncRevision: revision,
};

/** An Application that its cluster pulls, with what the agent reports of it. */
function pulled(
  feedback: Partial<typeof OK>,
  parts: {
    readonly cluster?: string;
    readonly digest?: readonly (readonly string[])[];
    readonly stale?: boolean;
  } = {},
): FleetApplication {
  const { cluster = 'cluster1', digest, stale = false } = parts;
  const own = application({ cluster });
  return {
    application: own,
    managedCluster: managedCluster(cluster, {
      available: stale ? 'Unknown' : 'True',
      since: WENT_WRONG,
    }),
    decided: true,
    work: reportedWork({
      work: workOf(own),
      feedback: { ...OK, ...feedback },
      compared: true,
      ...(digest && { digest, ready: { lastTransitionTime: WENT_WRONG } }),
    }),
  };
}

/** An Application that the hub's Argo CD delivers. */
function pushed(status: ArgoApplication['status']): FleetApplication {
  return {
    application: application({
      metadata: { labels: {}, annotations: {} },
      status,
    }),
  };
}

const COMPARISON = {
  type: 'ComparisonError',
  message: 'Unable to resolve nope to a commit SHA',
};
const NO_COMMIT = ['c', COMPARISON.type, COMPARISON.message];
const NO_RIGHTS = ['c', 'SyncError', 'no rights'];
const FAILED = {
  syncStatus: 'OutOfSync',
  operationStatePhase: 'Failed',
  operationStateStartedAt: LAST_ATTEMPT,
};

const rowOf = (input: FleetApplication) =>
  tableRow(clusterApplication(input)).row;

/** The ApplicationSet that has this one Application. */
function setOf(input: FleetApplication) {
  const key = objectKey(input.application.metadata);
  return {
    set: {
      hub: 'hub',
      applicationSet: applicationSet(),
      components: noComponents,
    },
    rows: new Map([[key, detailRow(input)]]),
  };
}

describe('since when something is wrong', () => {
  it.each<[string, FleetApplication]>([
    [
      'Argo CD cannot compare, long after its last sync',
      pulled({ syncStatus: 'Unknown' }, { digest: [NO_COMMIT] }),
    ],
    [
      'Argo CD syncs again and again, and fails',
      pulled(FAILED, { digest: [NO_RIGHTS] }),
    ],
    ['the cluster does not report', pulled({}, { stale: true })],
    [
      'resources are degraded',
      pulled(
        { healthStatus: 'Degraded' },
        { digest: [['s', 'Degraded', 'Synced', revision, WENT_WRONG]] },
      ),
    ],
    [
      'the hub’s Argo CD cannot compare',
      pushed({
        health: {
          status: 'Healthy',
          lastTransitionTime: OK.operationStateStartedAt,
        },
        sync: { status: 'Unknown' },
        operationState: { phase: 'Succeeded', startedAt: LAST_ATTEMPT },
        conditions: [
          { ...COMPARISON, status: 'True', lastTransitionTime: WENT_WRONG },
        ],
        reconciledAt: LAST_ATTEMPT,
      }),
    ],
  ])('is one time everywhere where %s', (_, input) => {
    const detail = clusterApplication(input);
    const { set, rows } = setOf(input);
    const table = applicationSetRows(set, rows, {
      name: 'hub',
      state: 'ready',
    });
    const list = applicationSetView(
      set,
      new Map([...rows].map(([key, { summary }]) => [key, summary])),
      () => rowOf(input),
    );
    const step = detail.steps.find(({ state }) => state === 'failed');
    const healthy = clusterApplication(
      pulled({ operationStateStartedAt: '2026-11-21T09:00:00Z' }),
    );
    const timeline = recordChange(
      applicationRecord(detail, 'set'),
      {
        ...{ id: 1, sequence: 1, recordAgainAt: 0 },
        ...recordChange(applicationRecord(healthy, 'set'), undefined, NOW)!
          .fingerprints,
        ...{ changedAt: Date.parse('2026-11-21T09:00:00Z'), reportedAt: 0 },
      },
      NOW,
    );
    expect({
      drawer: detail.since,
      step: step?.at,
      finding: step?.finding?.since,
      row: table.applications[0].since,
      cause: table.causes[0].since,
      card: list.worst?.since,
      list: list.lastChange,
      timeline: new Date(timeline!.changedAt)
        .toISOString()
        .replace('.000Z', 'Z'),
    }).toEqual({
      drawer: WENT_WRONG,
      step: WENT_WRONG,
      finding: WENT_WRONG,
      row: WENT_WRONG,
      cause: WENT_WRONG,
      card: WENT_WRONG,
      list: WENT_WRONG,
      timeline: WENT_WRONG,
    });
  });
});

describe('an Application is in trouble', () => {
  it.each<[boolean, string, FleetApplication]>([
    [false, 'all is well', pulled({})],
    [true, 'sync is unknown', pulled({ syncStatus: 'Unknown' })],
    [
      true,
      'its last operation failed',
      pulled({ operationStatePhase: 'Error' }),
    ],
    [true, 'it is degraded', pulled({ healthStatus: 'Degraded' })],
    [true, 'its cluster does not report', pulled({}, { stale: true })],
    [false, 'it is progressing', pulled({ healthStatus: 'Progressing' })],
    [
      false,
      'it is synced for the first time',
      pulled({
        healthStatus: 'Missing',
        syncStatus: 'OutOfSync',
        operationStatePhase: 'Running',
      }),
    ],
    [
      false,
      'nothing has been reported yet',
      { ...pulled({}), work: workOf(application()) },
    ],
  ])('(%s) where %s', (expected, _, input) => {
    const row = rowOf(input);
    expect(row.state === 'inTrouble').toBe(expected);
    expect(row.problem?.severity === 'error').toBe(expected);
  });

  it('and stays so while a new revision is on its way', () => {
    const input = pulled({
      healthStatus: 'Degraded',
      syncStatus: 'OutOfSync',
      operationStatePhase: 'Running',
    });
    expect(rowOf(input)).toMatchObject({
      state: 'inTrouble',
      problem: { code: 'AFC-210' },
    });
    expect(clusterApplication(input).steps.at(-1)).toMatchObject({
      id: 'healthy',
      state: 'waiting',
      finding: { code: 'AFC-210' },
    });
  });
});

describe('the revision that runs', () => {
  const OLDER = 'f'.repeat(40);
  const history = ['h', '3', '2026-11-20T10:00:00Z', OLDER];

  it('is the wanted one while Argo CD says Synced', () => {
    const row = rowOf(pulled({}));
    expect(row).toMatchObject({ revision, running: revision });
    expect(row.behind).toBeUndefined();
  });

  it('is that of the last successful sync while another one is wanted', () => {
    const input = pulled(FAILED, {
      digest: [NO_RIGHTS, history],
    });
    expect(rowOf(input)).toMatchObject({
      revision,
      running: OLDER,
      behind: true,
    });
    expect(clusterApplication(input).running).toEqual({
      revision: OLDER,
      since: '2026-11-20T10:00:00Z',
    });
  });

  it('is not behind where Argo CD does not know the wanted one', () => {
    const { behind, running } = rowOf(
      pushed({
        health: { status: 'Healthy' },
        sync: { status: 'Unknown' },
        history: [{ id: 1, revision: OLDER }],
      }),
    );
    expect(running).toBe(OLDER);
    expect(behind).toBeUndefined();
  });

  it('is not known where nothing says it', () => {
    const row = rowOf(pulled(FAILED));
    expect(row.running).toBeUndefined();
    expect(row.behind).toBeUndefined();
  });
});

describe('the causes of a set', () => {
  const causesOf = (...inputs: FleetApplication[]) =>
    applicationSetRows(
      {
        hub: 'hub',
        applicationSet: applicationSet(),
        components: noComponents,
      },
      new Map(
        inputs.map(input => [
          objectKey(input.application.metadata),
          detailRow(input),
        ]),
      ),
      { name: 'hub', state: 'ready' },
    );

  it('are one for the same finding, whatever the names of the clusters', () => {
    const { causes, applications } = causesOf(
      pulled({}, { cluster: 'edge1', stale: true }),
      pulled({}, { cluster: 'edge2', stale: true }),
      pulled({ healthStatus: 'Degraded' }, { cluster: 'edge3' }),
      pulled({}, { cluster: 'edge4' }),
    );
    expect(causes).toEqual([
      expect.objectContaining({
        title: '… does not report',
        severity: 'error',
        clusters: 2,
        applications: 2,
        example: 'edge1',
        since: WENT_WRONG,
        finding: expect.objectContaining({ code: 'AFC-201' }),
      }),
      expect.objectContaining({ clusters: 1, example: 'edge3' }),
    ]);
    expect(applications.map(({ problem }) => problem?.cause)).toEqual([
      causes[0].id,
      causes[0].id,
      causes[1].id,
      undefined,
    ]);
    expect(applications[0].problem?.title).toBe('edge1 does not report');
  });

  it('do not take a cluster’s name out of another word', () => {
    const { causes } = causesOf(
      pulled({ healthStatus: 'Degraded' }, { cluster: 'grade' }),
      pulled({ healthStatus: 'Degraded' }, { cluster: 'd' }),
    );
    expect(causes).toHaveLength(1);
    expect(causes[0].title).not.toContain('…');
  });
});
