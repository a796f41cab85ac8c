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
import {
  hasOneShotFields,
  readOneShotMark,
  oneShotFieldsRemoved,
  oneShotFields,
  withOneShotFields,
  type OneShotFields,
} from './oneShotFields';

const NOW = Date.parse('2026-11-21T12:00:00.300Z');
const MINUTE = 60_000;
const operation = { sync: { revision: 'v2' }, initiatedBy: { username: 'me' } };
const quiet = application();

/** An operation as it travels: with a stamp that tells it from the next one. */
const stamped = (asked: object) => ({
  ...asked,
  info: [{ name: 'argocd-fleet', value: expect.any(String) }],
});

function asking(parts: {
  operation?: object;
  refresh?: string;
}): ArgoApplication {
  return deepFreeze({
    ...quiet,
    ...(parts.operation && { operation: parts.operation }),
    metadata: {
      ...quiet.metadata,
      annotations: {
        ...quiet.metadata.annotations,
        ...(parts.refresh && { [REFRESH_ANNOTATION]: parts.refresh }),
      },
    },
  } as ArgoApplication);
}

/** The work as propagation stores it. */
function carrying(travelling: OneShotFields, work = workOf()): ManifestWork {
  const [payload] = work.spec.workload!.manifests as ArgoApplication[];
  return deepFreeze({
    ...work,
    metadata: {
      ...work.metadata,
      annotations: { ...work.metadata.annotations, ...travelling.marks },
    },
    spec: {
      ...work.spec,
      workload: { manifests: [withOneShotFields(payload, travelling)] },
    },
  });
}

const reported = (startedAt: string, work = workOf()) =>
  reportedWork({
    work,
    feedback: { syncStatus: 'Synced', operationStateStartedAt: startedAt },
  });

describe('an operation', () => {
  const asked = oneShotFields(asking({ operation }), undefined, NOW);
  const sent = carrying(asked);

  it('travels with a note of when it was written, in whole seconds, and of what was known then', () => {
    expect(asked.operation).toEqual(stamped(operation));
    expect(readOneShotMark(sent, OPERATION_ANNOTATION)).toEqual({
      writtenAt: '2026-11-21T12:00:01Z',
      before: '',
    });
    const later = oneShotFields(
      asking({ operation }),
      reported('2026-11-21T11:00:00Z'),
      NOW,
    );
    expect(JSON.parse(later.marks[OPERATION_ANNOTATION]).before).toBe(
      '2026-11-21T11:00:00Z',
    );
  });

  it('is taken off the hub with a patch that touches nothing else', () => {
    expect(oneShotFieldsRemoved(asking({ operation }))).toEqual({
      operation: null,
    });
    expect(oneShotFieldsRemoved(quiet)).toBeUndefined();
  });

  it('stays in the work until the cluster reports another operation than before', () => {
    expect(hasOneShotFields(sent)).toBe(true);
    expect(oneShotFields(quiet, sent, NOW + MINUTE).operation).toEqual(
      stamped(operation),
    );
    const before = '2026-11-21T11:00:00Z';
    const again = carrying(
      oneShotFields(asking({ operation }), reported(before), NOW),
    );
    const waiting = oneShotFields(quiet, reported(before, again), NOW + MINUTE);
    expect(waiting.operation).toEqual(stamped(operation));
    expect(manifestWorkPatch(again, workOf(), waiting)).toBeUndefined();
  });

  it.each([
    ['by a clock that is right', '2026-11-21T12:00:05Z'],
    ['by a clock that is five minutes late', '2026-11-21T11:55:05Z'],
    ['by a clock that is five minutes early', '2026-11-21T12:05:05Z'],
  ])('is dropped in one write once it has begun %s', (_, startedAt) => {
    const done = reported(startedAt, sent);
    const next = oneShotFields(quiet, done, NOW + MINUTE);
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
        oneShotFields(quiet, dropped, NOW + 2 * MINUTE),
      ),
    ).toBeUndefined();
  });

  it('is dropped after ten minutes for which nobody acted on it', () => {
    const at = (minutes: number) =>
      oneShotFields(quiet, sent, NOW + minutes * MINUTE).operation;
    expect(at(9.9)).toEqual(stamped(operation));
    expect(at(10.1)).toBeUndefined();
  });

  it('that is found on the hub again, because it could not be taken off, is no second one', () => {
    const again = oneShotFields(asking({ operation }), sent, NOW + MINUTE);
    expect(again.marks).toEqual(asked.marks);
    expect(manifestWorkPatch(sent, workOf(), again)).toBeUndefined();
  });

  it('gives way to another one', () => {
    const other = { sync: { revision: 'v3' } };
    const next = oneShotFields(
      asking({ operation: other }),
      sent,
      NOW + MINUTE,
    );
    expect(next.operation).toEqual(stamped(other));
    expect(next.marks).not.toEqual(asked.marks);
  });

  it('is another one for the agent when it is asked for again, once the first has begun', () => {
    const done = reported('2026-11-21T12:00:05Z', sent);
    const second = oneShotFields(asking({ operation }), done, NOW + 2 * MINUTE);
    expect(second.operation).toEqual(stamped(operation));
    expect(second.operation).not.toEqual(asked.operation);
  });

  it.each<[string, object, object, number, boolean]>([
    ['the hub was not told that it began', {}, {}, 0.5, false],
    ['the hub was told long ago', {}, {}, 1.5, true],
    ['the hub was told', { startedAt: '2026-11-21T12:00:05Z' }, {}, 0.5, true],
    [
      'it runs',
      { startedAt: '2026-11-21T12:00:05Z' },
      { operationStatePhase: 'Running' },
      0.5,
      false,
    ],
    [
      'the hub says that it runs',
      { startedAt: '2026-11-21T12:00:05Z', phase: 'Running' },
      {},
      0.5,
      false,
    ],
    [
      'it seems to run for longer than operations travel',
      {},
      { operationStatePhase: 'Running' },
      11,
      true,
    ],
  ])('asked for again while %s', (_, known, feedback, minutes, isSent) => {
    const again = deepFreeze({
      ...asking({ operation }),
      status: { operationState: known },
    });
    const work = reportedWork({
      work: carrying({ ...asked, operation: undefined }),
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
    ['a progressive sync that has it already', {}, {}, false],
    ['a progressive sync that it failed', { phase: 'Failed' }, {}, true],
    [
      'a progressive sync to which it is out of sync',
      {},
      { status: 'OutOfSync' },
      true,
    ],
    ['somebody who wants it once more', {}, {}, true, 'me'],
  ])(
    'asked for again by %s, once the hub was told',
    (_, state, sync, isSent, username = 'applicationset-controller') => {
      const startedAt = '2026-11-21T12:00:05Z';
      const again = deepFreeze({
        ...asking({ operation: { ...operation, initiatedBy: { username } } }),
        status: {
          sync: { status: 'Synced', ...sync },
          operationState: { startedAt, phase: 'Succeeded', ...state },
        },
      }) as ArgoApplication;
      const done = reported(
        startedAt,
        carrying({ ...asked, operation: undefined }),
      );
      const at = (minutes: number) =>
        oneShotFields(again, done, NOW + minutes * MINUTE).operation;
      expect(at(0.5) !== undefined).toBe(isSent);
      expect(at(1.5)).toBeDefined();
    },
  );

  it('goes with the spec that it was for', () => {
    const changed = application({
      spec: { source: { repoURL: 'https://other' } },
    });
    expect(
      oneShotFields(changed, sent, NOW + MINUTE).operation,
    ).toBeUndefined();
  });

  it('of another controller goes with the next change, and is no reason for one', () => {
    const foreign = carrying({ operation, marks: {} });
    const next = oneShotFields(quiet, foreign, NOW);
    expect(manifestWorkPatch(foreign, workOf(), next)).toBeUndefined();
    const changed = workOf(application({ spec: { project: 'other' } }));
    expect(manifestWorkPatch(foreign, changed, next)).toEqual({
      spec: { workload: changed.spec.workload },
    });
  });

  it.each(['', 'nonsense', '{}', '{"writtenAt":"yesterday","before":""}'])(
    'whose note is unreadable (%j) counts as another controller’s',
    text => {
      const work = carrying({
        operation,
        marks: { [OPERATION_ANNOTATION]: text },
      });
      expect(oneShotFields(quiet, work, NOW).operation).toBeUndefined();
    },
  );
});

describe('a refresh', () => {
  const asked = oneShotFields(
    asking({ refresh: 'hard' }),
    reported('2026-11-21T11:00:00Z'),
    NOW,
  );
  const sent = carrying(asked, reported('2026-11-21T11:00:00Z'));

  it('travels and is taken off the hub', () => {
    expect(asked.refresh).toBe('hard');
    expect(oneShotFieldsRemoved(asking({ refresh: 'hard' }))).toEqual({
      metadata: { annotations: { [REFRESH_ANNOTATION]: null } },
    });
    expect(oneShotFields(quiet, sent, NOW + MINUTE).refresh).toBe('hard');
  });

  it('is dropped with its note once the cluster reports something newer', () => {
    const done = reported('2026-11-21T12:00:05Z', sent);
    const next = oneShotFields(quiet, done, NOW + MINUTE);
    expect(manifestWorkPatch(done, workOf(), next)).toEqual({
      metadata: { annotations: { [REFRESH_MARK_ANNOTATION]: null } },
      spec: { workload: workOf().spec.workload },
    });
  });

  it('is dropped after ten minutes where nothing is new', () => {
    expect(
      oneShotFields(quiet, sent, NOW + 10.1 * MINUTE).refresh,
    ).toBeUndefined();
  });
});
