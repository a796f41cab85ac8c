import {
  OPERATION_ANNOTATION,
  REFRESH_ANNOTATION,
  REFRESH_MARK_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { application, deepFreeze } from '../__testUtils__/applications';
import { reportedWork, workOf } from '../__testUtils__/works';
import { manifestWorkPatch } from './manifestWorkPatch';
import { oneShotFields } from './oneShotFields';
import {
  hasOneShotFields,
  oneShotFieldsRemoved,
  readOneShotMark,
  withOneShotFields,
  type OneShotFields,
} from './oneShotFieldsOfWork';

const NOW = Date.parse('2026-11-21T12:00:00.300Z');
const MINUTE = 60_000;
const operation = { sync: { revision: 'v2' }, initiatedBy: { username: 'me' } };
const withoutRequest = application();

/** An operation as the work contains it: with a stamp that distinguishes it from the next one. */
const stamped = (requested: object) => ({
  ...requested,
  info: [{ name: 'argocd-fleet', value: expect.any(String) }],
});

function requesting(parts: {
  operation?: object;
  refresh?: string;
}): ArgoApplication {
  return deepFreeze({
    ...withoutRequest,
    ...(parts.operation && { operation: parts.operation }),
    metadata: {
      ...withoutRequest.metadata,
      annotations: {
        ...withoutRequest.metadata.annotations,
        ...(parts.refresh && { [REFRESH_ANNOTATION]: parts.refresh }),
      },
    },
  } as ArgoApplication);
}

/** The work as propagation stores it. */
function carrying(oneShot: OneShotFields, work = workOf()): ManifestWork {
  const [payload] = work.spec.workload!.manifests as ArgoApplication[];
  return deepFreeze({
    ...work,
    metadata: {
      ...work.metadata,
      annotations: { ...work.metadata.annotations, ...oneShot.marks },
    },
    spec: {
      ...work.spec,
      workload: { manifests: [withOneShotFields(payload, oneShot)] },
    },
  });
}

const reported = (startedAt: string, work = workOf()) =>
  reportedWork({
    work,
    feedback: { syncStatus: 'Synced', operationStateStartedAt: startedAt },
  });

describe('an operation', () => {
  const first = oneShotFields(requesting({ operation }), undefined, NOW);
  const sent = carrying(first);

  it('has a mark with the time of writing, in whole seconds, and the start that was known then', () => {
    expect(first.operation).toEqual(stamped(operation));
    expect(readOneShotMark(sent, OPERATION_ANNOTATION)).toEqual({
      writtenAt: '2026-11-21T12:00:01Z',
      before: '',
    });
    const later = oneShotFields(
      requesting({ operation }),
      reported('2026-11-21T11:00:00Z'),
      NOW,
    );
    expect(JSON.parse(later.marks[OPERATION_ANNOTATION]).before).toBe(
      '2026-11-21T11:00:00Z',
    );
  });

  it('is removed from the hub Application with a patch of nothing else', () => {
    expect(oneShotFieldsRemoved(requesting({ operation }))).toEqual({
      operation: null,
    });
    expect(oneShotFieldsRemoved(withoutRequest)).toBeUndefined();
  });

  it('stays in the work until the cluster reports another start than before', () => {
    expect(hasOneShotFields(sent)).toBe(true);
    expect(oneShotFields(withoutRequest, sent, NOW + MINUTE).operation).toEqual(
      stamped(operation),
    );
    const before = '2026-11-21T11:00:00Z';
    const again = carrying(
      oneShotFields(requesting({ operation }), reported(before), NOW),
    );
    const waiting = oneShotFields(
      withoutRequest,
      reported(before, again),
      NOW + MINUTE,
    );
    expect(waiting.operation).toEqual(stamped(operation));
    expect(manifestWorkPatch(again, workOf(), waiting)).toBeUndefined();
  });

  it.each([
    ['by a clock that is correct', '2026-11-21T12:00:05Z'],
    ['by a clock that is five minutes slow', '2026-11-21T11:55:05Z'],
    ['by a clock that is five minutes fast', '2026-11-21T12:05:05Z'],
  ])('is dropped in one write once it has started %s', (_, startedAt) => {
    const done = reported(startedAt, sent);
    const next = oneShotFields(withoutRequest, done, NOW + MINUTE);
    expect(next.operation).toBeUndefined();
    expect(manifestWorkPatch(done, workOf(), next)).toEqual({
      spec: { workload: workOf().spec.workload },
    });
    const dropped = carrying(next, reported(startedAt));
    expect(dropped.metadata.annotations).toHaveProperty([OPERATION_ANNOTATION]);
    expect(
      manifestWorkPatch(
        dropped,
        workOf(),
        oneShotFields(withoutRequest, dropped, NOW + 2 * MINUTE),
      ),
    ).toBeUndefined();
  });

  it('is dropped after ten minutes without a reaction of the cluster', () => {
    const at = (minutes: number) =>
      oneShotFields(withoutRequest, sent, NOW + minutes * MINUTE).operation;
    expect(at(9.9)).toEqual(stamped(operation));
    expect(at(10.1)).toBeUndefined();
  });

  it('that is still on the hub, because removing it failed, is no second one', () => {
    const again = oneShotFields(requesting({ operation }), sent, NOW + MINUTE);
    expect(again.marks).toEqual(first.marks);
    expect(manifestWorkPatch(sent, workOf(), again)).toBeUndefined();
  });

  it('is replaced by another one', () => {
    const other = { sync: { revision: 'v3' } };
    const next = oneShotFields(
      requesting({ operation: other }),
      sent,
      NOW + MINUTE,
    );
    expect(next.operation).toEqual(stamped(other));
    expect(next.marks).not.toEqual(first.marks);
  });

  it('differs for the agent when it is requested again after the first has started', () => {
    const done = reported('2026-11-21T12:00:05Z', sent);
    const second = oneShotFields(
      requesting({ operation }),
      done,
      NOW + 2 * MINUTE,
    );
    expect(second.operation).toEqual(stamped(operation));
    expect(second.operation).not.toEqual(first.operation);
  });

  it.each<[string, object, object, number, boolean]>([
    ['the hub status does not show its start', {}, {}, 0.5, false],
    ['the hub status should have shown its start long ago', {}, {}, 1.5, true],
    [
      'the hub status shows its start',
      { startedAt: '2026-11-21T12:00:05Z' },
      {},
      0.5,
      true,
    ],
    [
      'it runs',
      { startedAt: '2026-11-21T12:00:05Z' },
      { operationStatePhase: 'Running' },
      0.5,
      false,
    ],
    [
      'the hub status shows it running',
      { startedAt: '2026-11-21T12:00:05Z', phase: 'Running' },
      {},
      0.5,
      false,
    ],
    [
      'it runs for longer than the expiry',
      {},
      { operationStatePhase: 'Running' },
      11,
      true,
    ],
  ])('requested again while %s', (_, known, feedback, minutes, isSent) => {
    const again = deepFreeze({
      ...requesting({ operation }),
      status: { operationState: known },
    });
    const work = reportedWork({
      work: carrying({ ...first, operation: undefined }),
      feedback: {
        syncStatus: 'OutOfSync',
        operationStateStartedAt: '2026-11-21T12:00:05Z',
        ...feedback,
      },
    });
    const next = oneShotFields(again, work, NOW + minutes * MINUTE);
    expect(next.operation !== undefined).toBe(isSent);
  });

  it.each([
    ['a progressive sync after it succeeded', {}, {}, false],
    ['a progressive sync after it failed', { phase: 'Failed' }, {}, true],
    ['a progressive sync while OutOfSync', {}, { status: 'OutOfSync' }, true],
    ['a user', {}, {}, true, 'me'],
  ])(
    'requested again by %s, once the hub status shows its start',
    (_, state, sync, isSent, username = 'applicationset-controller') => {
      const startedAt = '2026-11-21T12:00:05Z';
      const again = deepFreeze({
        ...requesting({
          operation: { ...operation, initiatedBy: { username } },
        }),
        status: {
          sync: { status: 'Synced', ...sync },
          operationState: { startedAt, phase: 'Succeeded', ...state },
        },
      }) as ArgoApplication;
      const done = reported(
        startedAt,
        carrying({ ...first, operation: undefined }),
      );
      const at = (minutes: number) =>
        oneShotFields(again, done, NOW + minutes * MINUTE).operation;
      expect(at(0.5) !== undefined).toBe(isSent);
      expect(at(1.5)).toBeDefined();
    },
  );

  it('is dropped together with the spec that it was for', () => {
    const changed = application({
      spec: { source: { repoURL: 'https://other' } },
    });
    expect(
      oneShotFields(changed, sent, NOW + MINUTE).operation,
    ).toBeUndefined();
  });

  it('of another controller is dropped with the next change, and is no reason to write', () => {
    const foreign = carrying({ operation, marks: {} });
    const next = oneShotFields(withoutRequest, foreign, NOW);
    expect(manifestWorkPatch(foreign, workOf(), next)).toBeUndefined();
    const changed = workOf(application({ spec: { project: 'other' } }));
    expect(manifestWorkPatch(foreign, changed, next)).toEqual({
      spec: { workload: changed.spec.workload },
    });
  });

  it.each(['', 'nonsense', '{}', '{"writtenAt":"yesterday","before":""}'])(
    'with an unreadable mark (%j) counts as that of another controller',
    text => {
      const work = carrying({
        operation,
        marks: { [OPERATION_ANNOTATION]: text },
      });
      expect(
        oneShotFields(withoutRequest, work, NOW).operation,
      ).toBeUndefined();
    },
  );
});

describe('a refresh', () => {
  const first = oneShotFields(
    requesting({ refresh: 'hard' }),
    reported('2026-11-21T11:00:00Z'),
    NOW,
  );
  const sent = carrying(first, reported('2026-11-21T11:00:00Z'));

  it('is added to the work and removed from the hub Application', () => {
    expect(first.refresh).toBe('hard');
    expect(oneShotFieldsRemoved(requesting({ refresh: 'hard' }))).toEqual({
      metadata: { annotations: { [REFRESH_ANNOTATION]: null } },
    });
    expect(oneShotFields(withoutRequest, sent, NOW + MINUTE).refresh).toBe(
      'hard',
    );
  });

  it('is dropped with its mark once the cluster reports another status', () => {
    const done = reported('2026-11-21T12:00:05Z', sent);
    const next = oneShotFields(withoutRequest, done, NOW + MINUTE);
    expect(manifestWorkPatch(done, workOf(), next)).toEqual({
      metadata: { annotations: { [REFRESH_MARK_ANNOTATION]: null } },
      spec: { workload: workOf().spec.workload },
    });
  });

  it('is dropped after ten minutes without another status', () => {
    expect(
      oneShotFields(withoutRequest, sent, NOW + 10.1 * MINUTE).refresh,
    ).toBeUndefined();
  });
});
