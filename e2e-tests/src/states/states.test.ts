import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplicationRow } from 'backstage-plugin-argocd-fleet-common';
import {
  application,
  managedCluster,
  revision,
} from '../../../plugins/argocd-fleet-backend/src/model/__testUtils__/applications';
import {
  reportedWork,
  workOf,
} from '../../../plugins/argocd-fleet-backend/src/model/__testUtils__/works';
import { removalFindings } from '../../../plugins/argocd-fleet-backend/src/model/findings/removalFindings';
import { apparentDecision } from '../../../plugins/argocd-fleet-backend/src/model/removal/workRemoval';
import { tableRow } from '../../../plugins/argocd-fleet-backend/src/model/views/applicationRow';
import { clusterApplication } from '../../../plugins/argocd-fleet-backend/src/model/views/clusterApplication';
import type { FleetApplication } from '../../../plugins/argocd-fleet-backend/src/model/views/fleetApplication';
import {
  summarise,
  summaryRow,
} from '../../../plugins/argocd-fleet-backend/src/model/views/summaryRow';
import { argocdFleetTranslationRef } from '../../../plugins/argocd-fleet/src/messages';
import { oldSync } from '../../../plugins/argocd-fleet/src/status/oldStatus';
import type { Tone } from '../../../plugins/argocd-fleet/src/status/palette';
import {
  HEALTH_PRESENTATION,
  OLD_PRESENTATION,
  STATE_PRESENTATION,
  SYNC_PRESENTATION,
  type Presentation,
} from '../../../plugins/argocd-fleet/src/status/presentation';

/** The table of docs/states.md; with `UPDATE_DOCS=1` it is written anew. */
const DOCUMENT = join(__dirname, '../../../docs/states.md');
const HEADINGS = [
  'The hub wants',
  'The cluster reported',
  'What holds it',
  'Silent',
  'State',
  'Health',
  'Sync',
  'Version',
];

const COLOURS: Record<Tone, string> = {
  good: 'green',
  busy: 'blue',
  bad: 'red',
  warn: 'orange',
  unknown: 'grey',
  paused: 'purple',
};

const SYMBOLS: Record<Presentation['shape'], string> = {
  check: 'check',
  triangle: 'triangle',
  arc: 'open circle',
  dashed: 'dashed circle',
  question: 'question mark',
  pause: 'pause',
  barred: 'barred circle',
  ring: 'circle',
  notEqual: 'not equal',
};

const messages = (
  argocdFleetTranslationRef as unknown as {
    getDefaultMessages(): Record<string, string>;
  }
).getDefaultMessages();

const OLD = 'a'.repeat(40);
const STATUS = {
  healthStatus: 'Healthy',
  syncStatus: 'Synced',
  operationStatePhase: 'Succeeded',
  operationStateStartedAt: '2026-11-21T10:02:00Z',
  syncRevision: revision,
};
const DEPLOYED = ['h', '1', '2026-11-21T10:02:00Z', revision];
const AUTOMATED = { prune: true, selfHeal: true };

interface Case {
  /** Whether the hub wants something else since the report. */
  readonly changed?: boolean;
  readonly reported: string;
  readonly waits?: string;
  readonly silent?: boolean;
  /** What the cluster reported; undefined where it never did. */
  readonly status?: Partial<typeof STATUS>;
  readonly digest?: readonly (readonly string[])[];
  readonly automated?: object;
  readonly more?: (input: FleetApplication) => Partial<FleetApplication>;
  readonly state: ApplicationRow['state'];
}

const OUT_OF_SYNC = { syncStatus: 'OutOfSync' };
const RUNNING = { ...OUT_OF_SYNC, operationStatePhase: 'Running' };

/** Whoever took the pull label away has not said what becomes of the ManifestWork. */
function withoutLabel({
  application: own,
  work,
}: FleetApplication): Partial<FleetApplication> {
  const left = { ...own, metadata: { ...own.metadata, labels: {} } };
  return {
    application: left,
    // Its destination is that cluster as its own Argo CD sees it.
    clusterName: 'cluster1',
    plan: undefined,
    work: undefined,
    former: [
      {
        work: work!,
        decision: apparentDecision({
          work: work!,
          application: left,
          successor: undefined,
        }),
      },
    ],
  };
}

const CASES: readonly Case[] = [
  { reported: 'Synced, Healthy', status: {}, state: 'ok' },
  {
    reported: 'Synced, Progressing',
    status: { healthStatus: 'Progressing' },
    state: 'running',
  },
  {
    reported: 'OutOfSync, a sync runs',
    status: RUNNING,
    state: 'running',
  },
  {
    reported: 'OutOfSync',
    waits: 'nothing, an automated sync is about to start',
    status: OUT_OF_SYNC,
    state: 'running',
  },
  {
    reported: 'OutOfSync',
    waits: 'its step of a rolling sync',
    status: OUT_OF_SYNC,
    automated: { enabled: false },
    more: () => ({ rollingSync: { steps: 2, step: 1 } }),
    state: 'running',
  },
  {
    reported: 'OutOfSync',
    waits: 'nothing: no step of the rolling sync selects it',
    status: OUT_OF_SYNC,
    automated: { enabled: false },
    more: () => ({ rollingSync: { steps: 2 } }),
    state: 'paused',
  },
  { reported: 'nothing yet', state: 'running' },
  {
    reported: 'Synced, Suspended',
    waits: 'a rollout that is paused',
    status: { healthStatus: 'Suspended' },
    state: 'paused',
  },
  {
    reported: 'OutOfSync',
    waits: 'no automated sync',
    status: OUT_OF_SYNC,
    automated: { enabled: false },
    state: 'paused',
  },
  {
    reported: 'OutOfSync, Degraded',
    waits: 'no automated sync',
    status: { ...OUT_OF_SYNC, healthStatus: 'Degraded' },
    automated: { enabled: false },
    state: 'inTrouble',
  },
  {
    reported: 'OutOfSync, a sync runs',
    waits: 'a deletion to confirm',
    status: RUNNING,
    digest: [
      ['o', 'Running', '0', '', 'Waiting for pruning confirmation of v1/Pod/a'],
    ],
    state: 'paused',
  },
  {
    reported: 'Synced, Healthy',
    waits: 'a deletion that is held',
    status: {},
    more: ({ application: { metadata, ...rest } }) => ({
      application: {
        ...rest,
        metadata: { ...metadata, deletionTimestamp: '2026-11-21T11:00:00Z' },
      },
      held: removalFindings.deletionsHeld({
        hub: 'hub',
        applicationSet: 'openshift-gitops/shop',
        count: 1,
        heldFor: 'set',
      }),
    }),
    state: 'paused',
  },
  {
    reported: 'Synced, Healthy',
    waits: 'a release: it has left the pull model',
    status: {},
    more: withoutLabel,
    state: 'paused',
  },
  {
    reported: 'OutOfSync, a sync runs',
    waits: 'a closed sync window',
    status: RUNNING,
    digest: [
      ['o', 'Running', '0', '', 'Sync operation blocked by sync window'],
    ],
    state: 'blocked',
  },
  {
    reported: 'OutOfSync, the wanted revision is synced',
    waits: 'prune is off',
    status: OUT_OF_SYNC,
    digest: [DEPLOYED],
    automated: { selfHeal: true },
    state: 'blocked',
  },
  {
    reported: 'OutOfSync, all that differs is no longer in the source',
    waits: 'prune is off',
    status: OUT_OF_SYNC,
    digest: [['r', '', 'v1', 'Service', 'shop', 'a', 'OutOfSync', '', '', 'P']],
    automated: { selfHeal: true },
    state: 'blocked',
  },
  {
    reported: 'OutOfSync, the wanted revision is synced',
    waits: 'self-heal is off',
    status: OUT_OF_SYNC,
    digest: [DEPLOYED],
    automated: { prune: true },
    state: 'blocked',
  },
  {
    reported: 'Synced, Degraded',
    status: { healthStatus: 'Degraded' },
    state: 'inTrouble',
  },
  {
    reported: 'OutOfSync, the sync failed',
    status: { ...OUT_OF_SYNC, operationStatePhase: 'Failed' },
    digest: [['h', '1', '2026-11-20T10:02:00Z', OLD]],
    state: 'inTrouble',
  },
  {
    reported: 'sync Unknown, Healthy',
    status: { syncStatus: 'Unknown' },
    digest: [['h', '1', '2026-11-20T10:02:00Z', OLD]],
    state: 'inTrouble',
  },
  {
    reported: 'Synced, Healthy, being deleted there',
    status: {},
    digest: [['e', '2026-11-21T10:30:00Z', 'example.com/finalizer']],
    state: 'running',
  },
  {
    reported: 'Synced, Healthy, and its deletion there fails',
    status: {},
    digest: [
      ['e', '2026-11-21T10:30:00Z', 'example.com/finalizer'],
      ['c', 'DeletionError', 'forbidden'],
    ],
    state: 'inTrouble',
  },
  {
    reported: 'Synced, Healthy',
    status: {},
    silent: true,
    state: 'inTrouble',
  },
  {
    changed: true,
    reported: 'Synced, Healthy',
    status: {},
    state: 'running',
  },
  {
    changed: true,
    reported: 'Synced, Healthy',
    waits: 'a release: it has left the pull model',
    status: {},
    more: withoutLabel,
    state: 'paused',
  },
  {
    changed: true,
    reported: 'Synced, Degraded',
    status: { healthStatus: 'Degraded' },
    state: 'inTrouble',
  },
  {
    changed: true,
    reported: 'Synced, Healthy',
    status: {},
    silent: true,
    state: 'inTrouble',
  },
];

/** The Application as the hub knows it. */
function inputOf(row: Case): FleetApplication {
  const { changed, silent, status, digest = [], automated = AUTOMATED } = row;
  const before = application({ spec: { syncPolicy: { automated } } });
  const wanted = changed
    ? {
        ...before,
        spec: {
          ...before.spec,
          source: { ...before.spec.source!, targetRevision: '1.9' },
        },
      }
    : before;
  const reported = reportedWork({
    work: workOf(before),
    feedback: { ...STATUS, ...status },
    digest: [...digest],
    compared: true,
  });
  const input: FleetApplication = {
    application: wanted,
    managedCluster: managedCluster('cluster1', {
      available: silent ? 'Unknown' : 'True',
      since: '2026-11-21T10:05:00Z',
    }),
    decided: true,
    plan: {
      kind: 'apply',
      target: { namespace: 'cluster1', name: 'work' },
      work: workOf(wanted),
    },
    work: status ? reported : workOf(wanted),
  };
  return { ...input, ...row.more?.(input) };
}

/** A word as the pages show it, with its symbol and colour. */
function shown(word: string, { shape, tone }: Presentation): string {
  return `${word} (${SYMBOLS[shape]}, ${COLOURS[tone]})`;
}

const was = (word: string) => messages['old.was'].replace('{{status}}', word);

function healthOf(row: ApplicationRow): string {
  const word = messages[`health.${row.health}`];
  return row.cluster.stale
    ? shown(was(word), OLD_PRESENTATION)
    : shown(word, HEALTH_PRESENTATION[row.health]);
}

function syncOf(row: ApplicationRow): string {
  const old = oldSync(row);
  return old
    ? shown(was(messages[`sync.${old}`]), OLD_PRESENTATION)
    : shown(messages[`sync.${row.sync}`], SYNC_PRESENTATION[row.sync]);
}

function versionOf({ running, lastRunning, behind }: ApplicationRow): string {
  if (running) {
    return behind ? 'what runs → what is wanted' : 'what runs';
  }
  return lastRunning ? 'not known since it is silent' : 'not known';
}

function cellsOf(each: Case): string[] {
  const { row } = tableRow(clusterApplication(inputOf(each)));
  return [
    each.changed ? 'something else since' : 'the same',
    each.reported,
    each.waits ?? '',
    each.silent ? 'yes' : '',
    shown(messages[`state.${row.state}`], STATE_PRESENTATION[row.state]),
    healthOf(row),
    syncOf(row),
    versionOf(row),
  ];
}

/** Lines of a Markdown table; the formatter pads its cells, which does not count. */
const plain = (line: string) =>
  line.replace(/ +/g, ' ').replace(/-+/g, '-').trim();

function tableOf(rows: readonly (readonly string[])[]): string[] {
  return [HEADINGS, HEADINGS.map(() => '-'), ...rows].map(cells =>
    plain(`| ${cells.join(' | ')} |`),
  );
}

describe('the state of an Application on a cluster', () => {
  it.each(
    CASES.map(each => [
      [
        each.changed ? 'wanted otherwise' : 'wanted',
        each.reported,
        each.waits,
        each.silent && 'silent',
      ]
        .filter(Boolean)
        .join(', '),
      each,
    ]),
  )('is the same in row, drawer and counts: %s', (_, each) => {
    const input = inputOf(each as Case);
    const detail = clusterApplication(input);
    const { row } = tableRow(detail);
    const { state } = each as Case;
    expect([row.state, detail.state]).toEqual([state, state]);
    const summary = summarise([summaryRow(input)]);
    expect(summary.state[state]).toBe(1);
    expect(summary.sync[row.sync]).toBe(1);
    expect(summary.health[row.health]).toBe(1);
    expect(summary.stale).toBe(row.cluster.stale ? 1 : 0);
    expect(row.reportedSync !== undefined).toBe(
      Boolean((each as Case).changed),
    );
    // A problem is told of every one that does not go on by itself.
    const isHeld = ['inTrouble', 'paused', 'blocked'].includes(state);
    expect(!isHeld || row.problem !== undefined).toBe(true);
  });

  it('is documented with its words, symbols and colours in docs/states.md', () => {
    const table = tableOf(CASES.map(cellsOf));
    const text = readFileSync(DOCUMENT, 'utf8');
    const lines = text.split('\n');
    const first = lines.findIndex(line => line.startsWith('|'));
    const end = lines.findIndex(
      (line, index) => index > first && !line.startsWith('|'),
    );
    if (process.env.UPDATE_DOCS) {
      const updated = [...lines.slice(0, first), ...table, ...lines.slice(end)];
      writeFileSync(DOCUMENT, updated.join('\n'));
      return;
    }
    expect(lines.slice(first, end).map(plain)).toEqual(table);
  });
});
