import { transition } from '../../__testUtils__/transitions';
import { changesOf, errorChangeOf } from './changesOf';

const BEFORE = { health: 'Healthy', sync: 'Synced', revision: 'a' } as const;

describe('changesOf', () => {
  it('tells what is not what it was', () => {
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
      { field: 'revision', from: 'a', to: undefined },
    ]);
  });

  it('tells everything that there is where nothing is known of before', () => {
    expect(
      changesOf(transition(1, { phase: undefined })).map(({ field }) => field),
    ).toEqual(['health', 'sync', 'revision']);
  });
});

describe('errorChangeOf', () => {
  it.each([
    ['came', 'boom', BEFORE, { to: 'boom' }],
    ['became another', 'boom', { ...BEFORE, error: 'bang' }, { to: 'boom' }],
    ['went', undefined, { ...BEFORE, error: 'bang' }, { to: undefined }],
    ['stayed', 'boom', { ...BEFORE, error: 'boom' }, undefined],
    ['never was', undefined, BEFORE, undefined],
    ['was there when first seen', 'boom', undefined, { to: 'boom' }],
  ])('tells of an error that %s', (_case, error, previous, expected) => {
    expect(errorChangeOf(transition(2, { error, previous }))).toEqual(expected);
  });
});
