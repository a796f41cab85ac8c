import { transition } from '../../__testUtils__/transitions';
import { changesOf, errorChangeOf } from './changesOf';

const BEFORE = { health: 'Healthy', sync: 'Synced', revision: 'a' } as const;

const asRecorded = (revisions: string[]) =>
  revisions.length > 1
    ? { revision: revisions[0], revisions }
    : { revision: revisions[0] };

describe('changesOf', () => {
  it('returns the fields that differ from the state before', () => {
    expect(
      changesOf(
        transition(2, {
          health: 'Degraded',
          sync: 'Synced',
          phase: 'Failed',
          revision: undefined,
          previous: BEFORE,
        }),
      ),
    ).toEqual([
      { field: 'health', from: 'Healthy', to: 'Degraded' },
      { field: 'phase', from: undefined, to: 'Failed' },
      { field: 'revision', source: 0, from: 'a', to: undefined },
    ]);
  });

  it.each([
    ['the second changed', ['a', '1'], ['a', '2'], [[1, '1', '2']]],
    [
      'both changed',
      ['a', '1'],
      ['b', '2'],
      [
        [0, 'a', 'b'],
        [1, '1', '2'],
      ],
    ],
    ['a source was added', ['a'], ['a', '1'], [[1, undefined, '1']]],
    ['a source was removed', ['a', '1'], ['a'], [[1, '1', undefined]]],
    ['none changed', ['a', '1'], ['a', '1'], []],
  ])(
    'returns the revisions of several sources if %s',
    (_case, from, to, expected) => {
      const state = {
        health: 'Healthy',
        sync: 'Synced',
        phase: 'Succeeded',
      } as const;
      const changes = changesOf(
        transition(2, {
          ...state,
          ...asRecorded(to),
          previous: { ...state, ...asRecorded(from) },
        }),
      );
      expect(changes).toEqual(
        expected.map(([source, before, after]) => ({
          field: 'revision',
          source,
          from: before,
          to: after,
        })),
      );
    },
  );

  it('says that the cluster fell silent, and that it reports again', () => {
    const silent = { ...BEFORE, stale: true };
    const state = { ...BEFORE, phase: undefined };
    expect(
      changesOf(transition(2, { ...state, stale: true, previous: BEFORE })),
    ).toEqual([{ field: 'reporting', from: 'reporting', to: 'silent' }]);
    expect(changesOf(transition(2, { ...state, previous: silent }))).toEqual([
      { field: 'reporting', from: 'silent', to: 'reporting' },
    ]);
  });

  it('returns all fields if the state before is not known', () => {
    expect(
      changesOf(transition(1, { phase: undefined })).map(({ field }) => field),
    ).toEqual(['health', 'sync', 'revision']);
  });
});

describe('errorChangeOf', () => {
  it.each([
    ['is new', 'boom', BEFORE, { to: 'boom' }],
    ['changed', 'boom', { ...BEFORE, error: 'bang' }, { to: 'boom' }],
    ['is gone', undefined, { ...BEFORE, error: 'bang' }, { to: undefined }],
    ['did not change', 'boom', { ...BEFORE, error: 'boom' }, undefined],
    ['never existed', undefined, BEFORE, undefined],
    ['existed at the first transition', 'boom', undefined, { to: 'boom' }],
  ])(
    'returns the change of an error that %s',
    (_case, error, previous, expected) => {
      expect(errorChangeOf(transition(2, { error, previous }))).toEqual(
        expected,
      );
    },
  );
});
