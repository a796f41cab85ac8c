import {
  PULL_LABEL,
  MANAGED_CLUSTER_ANNOTATION,
  APP_NAMESPACE_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { syncedStatus } from '../../__testUtils__/agentReport';
import { application } from '../__testUtils__/applications';
import { reportedWork } from '../__testUtils__/works';
import { workNames } from '../delivery/workName';
import { buildManifestWork } from '../manifestwork/manifestWork';
import { manifestWorkPatch } from '../manifestwork/manifestWorkPatch';
import { DEFAULT_PROPAGATION } from '../manifestwork/workPlan';
import { freezePatch } from './frozenWork';
import { releasePatch } from './release';
import { REMOVAL_TIMES } from './removalTimes';
import { decideWork, type WorkFacts } from './workRemoval';

const APP = application();
const UID = 'ffffffff-6c4c-4b0e-9a49-2f2d7f9d3c11';

function workOf(app: ArgoApplication, generation = 1): ManifestWork {
  const cluster = app.metadata.annotations?.[MANAGED_CLUSTER_ANNOTATION] ?? '';
  const work = buildManifestWork(
    app,
    { cluster, name: workNames(app)[0] },
    DEFAULT_PROPAGATION,
  );
  return {
    ...work,
    metadata: {
      ...work.metadata,
      uid: `uid-${work.metadata.name}`,
      generation,
    },
  };
}

/** The work after a merge patch of its metadata and spec, as the hub stores it. */
function patched(work: ManifestWork, patch: unknown): ManifestWork {
  const { metadata, spec = {} } = patch as Partial<ManifestWork>;
  return {
    ...work,
    metadata: {
      ...work.metadata,
      annotations: { ...work.metadata.annotations, ...metadata?.annotations },
      generation: (work.metadata.generation ?? 0) + 1,
    },
    spec: { ...work.spec, ...spec },
  };
}

function reported(work: ManifestWork, sync = 'Synced'): ManifestWork {
  const text = JSON.stringify(syncedStatus(work)).replace('Synced', sync);
  return { ...work, status: JSON.parse(text) };
}

/** A work whose digest says what its Application was compared with. */
function comparedWith(work: ManifestWork, repoURL: string): ManifestWork {
  const { generation = 1 } = work.metadata;
  return reportedWork({
    work,
    applied: { observedGeneration: generation },
    ready: { observedGeneration: generation },
    feedback: { healthStatus: 'Healthy', syncStatus: 'Synced' },
    digest: [
      ['s', 'Healthy', 'Synced', 'abc'],
      ['d', 'https://kubernetes.default.svc', '', 'guestbook', '='],
      ['t', repoURL, 'guestbook', '', 'main', ''],
    ],
  });
}

function changed(metadata: Partial<ArgoApplication['metadata']>) {
  return {
    ...APP,
    metadata: {
      ...APP.metadata,
      ...metadata,
      labels: { ...APP.metadata.labels, ...metadata.labels },
      annotations: { ...APP.metadata.annotations, ...metadata.annotations },
    },
  };
}

function decide(facts: Partial<WorkFacts>) {
  return decideWork({
    work: workOf(APP),
    application: APP,
    successor: undefined,
    hasCluster: true,
    order: undefined,
    applicationSet: 'other',
    handsOver: false,
    unwantedMs: 0,
    ...facts,
  });
}

const NO_LABEL = changed({ labels: { [PULL_LABEL]: 'no' } });
const DELETED = changed({ deletionTimestamp: '2026-01-01T00:00:00Z' });
const RECREATED = changed({ uid: UID });
const ELSEWHERE = changed({
  annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'cluster2' },
});
const MOVED = changed({ annotations: { [APP_NAMESPACE_ANNOTATION]: 'other' } });
const BY_RHACM = {
  ...workOf(APP),
  spec: {
    ...workOf(APP).spec,
    ...(freezePatch(workOf(APP), '').spec as object),
  },
};

describe('a work', () => {
  it.each<[string, Partial<WorkFacts>, object]>([
    ['delivers its Application', {}, { kind: 'deliver' }],
    [
      'stays where the pull label is gone',
      { application: NO_LABEL },
      { kind: 'keep', reason: 'notPullModel', freeze: false },
    ],
    [
      'is frozen a minute later',
      { application: NO_LABEL, unwantedMs: REMOVAL_TIMES.freezeMs },
      { kind: 'keep', freeze: true },
    ],
    [
      'stays where the pull label is gone, even if its cluster is',
      { application: NO_LABEL, hasCluster: false },
      { kind: 'keep' },
    ],
    [
      'goes with its Application, and counts',
      { application: undefined },
      { kind: 'delete', reason: 'applicationGone', counted: true },
    ],
    [
      'goes with an Application that is being deleted',
      { application: DELETED },
      { kind: 'delete', reason: 'applicationGone', counted: true },
    ],
    [
      'goes uncounted with its ApplicationSet',
      { application: undefined, applicationSet: 'deleted' },
      { kind: 'delete', reason: 'applicationGone', counted: false },
    ],
    [
      'goes uncounted with its cluster',
      { application: undefined, hasCluster: false },
      { kind: 'delete', reason: 'clusterGone', counted: false },
    ],
    ...(['orphan', 'hand-over'] as const).map(
      (release): [string, Partial<WorkFacts>, object] => [
        `whose release as ${release} has begun ends it, even if its ApplicationSet and the order are gone`,
        {
          work: patched(workOf(APP), releasePatch(workOf(APP), release)),
          application: undefined,
          applicationSet: 'deleted',
        },
        { kind: 'wait', for: 'released' },
      ],
    ),
    [
      'that was given up goes after its ApplicationSet',
      {
        work: reported(
          patched(workOf(APP), releasePatch(workOf(APP), 'orphan')),
        ),
        application: undefined,
        applicationSet: 'deleted',
      },
      { kind: 'delete', reason: 'applicationGone', counted: false },
    ],
    [
      'waits for an Application that its ApplicationSet still makes',
      { application: undefined, applicationSet: 'makes' },
      { kind: 'wait', for: 'successor' },
    ],
    [
      'goes five minutes later',
      {
        application: undefined,
        applicationSet: 'makes',
        unwantedMs: REMOVAL_TIMES.successorMs,
      },
      { kind: 'delete', counted: true },
    ],
    [
      'waits for the work of the new UID',
      { application: RECREATED },
      { kind: 'wait', for: 'applied' },
    ],
    [
      'waits until that is applied',
      { application: RECREATED, successor: workOf(RECREATED) },
      { kind: 'wait', for: 'applied' },
    ],
    [
      'waits until that is applied as it is now',
      {
        application: RECREATED,
        successor: {
          ...reported(workOf(RECREATED)),
          metadata: workOf(RECREATED, 2).metadata,
        },
      },
      { kind: 'wait', for: 'applied' },
    ],
    [
      'goes uncounted when that is applied',
      { application: RECREATED, successor: reported(workOf(RECREATED)) },
      { kind: 'delete', reason: 'recreated', counted: false },
    ],
    [
      'waits for the sync on another cluster',
      {
        application: ELSEWHERE,
        successor: reported(workOf(ELSEWHERE), 'OutOfSync'),
      },
      { kind: 'wait', for: 'synced' },
    ],
    [
      'goes after the sync on another cluster',
      { application: ELSEWHERE, successor: reported(workOf(ELSEWHERE)) },
      { kind: 'delete', reason: 'retargeted', counted: false },
    ],
    [
      'waits for the sync in another namespace',
      { application: MOVED },
      { kind: 'wait', for: 'synced' },
    ],
    [
      'goes after the sync in another namespace',
      { application: MOVED, successor: reported(workOf(MOVED)) },
      { kind: 'delete', reason: 'moved', counted: false },
    ],
    [
      'gives up the workload first in the other namespace, where its agent can report that',
      {
        application: MOVED,
        successor: reported(workOf(MOVED)),
        handsOver: true,
      },
      { kind: 'release', release: 'hand-over' },
    ],
    [
      'of another UID and another cluster waits for the sync',
      {
        application: {
          ...ELSEWHERE,
          metadata: { ...ELSEWHERE.metadata, uid: UID },
        },
        successor: reported(workOf(ELSEWHERE), 'OutOfSync'),
      },
      { kind: 'wait', for: 'synced' },
    ],
    ...Object.entries({
      'without a label': NO_LABEL,
      gone: undefined,
      'being deleted': DELETED,
      recreated: RECREATED,
      'on another cluster': ELSEWHERE,
      'in another namespace': MOVED,
    }).map(([name, app]): [string, Partial<WorkFacts>, object] => [
      `that others froze stays: its Application is ${name}`,
      {
        work: BY_RHACM,
        application: app,
        successor: app && reported(workOf(app)),
        applicationSet: 'deleted',
        unwantedMs: 2 * REMOVAL_TIMES.successorMs,
      },
      { kind: 'keep', reason: 'frozenByOthers', freeze: false },
    ]),
    [
      'that others froze goes when it is ordered',
      { work: BY_RHACM, application: undefined, order: 'remove' },
      { kind: 'delete', reason: 'ordered', counted: false },
    ],
    [
      'is not touched by an order while it delivers',
      { order: 'remove' },
      { kind: 'deliver' },
    ],
    [
      'is released before it goes',
      { application: NO_LABEL, order: 'orphan' },
      { kind: 'release', release: 'orphan' },
    ],
    [
      'is deleted at once on a cluster that is gone',
      { application: NO_LABEL, order: 'orphan', hasCluster: false },
      { kind: 'delete', reason: 'clusterGone', counted: false },
    ],
    ...Object.entries({
      frozen: freezePatch(workOf(RECREATED), 'now'),
      'given up': releasePatch(workOf(RECREATED), 'orphan'),
    }).map(([name, patch]): [string, Partial<WorkFacts>, object] => [
      `waits for a successor that owns the Application, not for one that is ${name}`,
      {
        application: RECREATED,
        successor: reported(patched(workOf(RECREATED), patch)),
      },
      { kind: 'wait', for: 'applied' },
    ]),
    [
      'waits for a successor whose sync was of another source',
      {
        application: ELSEWHERE,
        successor: comparedWith(workOf(ELSEWHERE), 'https://other.example'),
      },
      { kind: 'wait', for: 'synced' },
    ],
  ])('%s', (_, facts, expected) => {
    expect(decide(facts)).toMatchObject(expected);
  });

  it.each(['orphan', 'hand-over'] as const)(
    'that is released as %s goes only after the agent has done it at that generation',
    release => {
      const facts = { application: NO_LABEL, order: release };
      const frozen = patched(workOf(APP), freezePatch(workOf(APP), 'now'));
      const work = patched(frozen, releasePatch(frozen, release));
      expect(releasePatch(work, release)).toBeUndefined();
      const before = { ...work, status: syncedStatus(frozen) };
      expect(decide({ ...facts, work: before })).toEqual({
        kind: 'wait',
        for: 'released',
      });
      const after = reported(work);
      expect(decide({ ...facts, work: after }).kind).toBe(
        release === 'orphan' ? 'delete' : 'wait',
      );
      const [manifest] = after.status!.resourceStatus!.manifests!;
      const [applied] = manifest.conditions!;
      const handedOver = { ...applied, type: 'ApplicationHandedOver' };
      const conditions = [applied, handedOver];
      const done = {
        ...after,
        status: {
          ...after.status,
          resourceStatus: { manifests: [{ ...manifest, conditions }] },
        },
      };
      expect(decide({ ...facts, work: done }).kind).toBe('delete');
      // Another order begins anew.
      const other = release === 'orphan' ? 'hand-over' : 'orphan';
      expect(decide({ ...facts, work: done, order: other })).toEqual({
        kind: 'release',
        release: other,
      });
      const { deleteOption } = patched(done, releasePatch(done, other)).spec;
      expect(deleteOption?.propagationPolicy).toBe(
        other === 'orphan' ? 'Orphan' : undefined,
      );
    },
  );
});

it('is as if nothing had been once it delivers again', () => {
  const before = workOf(APP);
  for (const change of [
    (work: ManifestWork) => freezePatch(work, 'now'),
    (work: ManifestWork) => releasePatch(work, 'orphan'),
    (work: ManifestWork) => releasePatch(work, 'hand-over'),
  ]) {
    const work = patched(before, change(before));
    const patch = manifestWorkPatch(work, before) as {
      metadata: { annotations: object };
      spec: { deleteOption?: null };
    };
    const again = patched(work, patch);
    expect(again.spec.workload).toEqual(before.spec.workload);
    expect(again.spec.manifestConfigs).toEqual(before.spec.manifestConfigs);
    expect(again.spec.deleteOption ?? undefined).toBeUndefined();
    expect(Object.values(patch.metadata.annotations)).toEqual([null]);
  }
});
