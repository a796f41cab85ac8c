import {
  HEALTH_STATUSES,
  parseGoBool,
  parseHealthStatus,
  parseSyncStatus,
  worseHealth,
  worseSync,
} from '.';

it.each([
  ['Healthy', 'Suspended', 'Suspended'],
  ['Progressing', 'Suspended', 'Progressing'],
  ['Missing', 'Progressing', 'Missing'],
  ['Missing', 'Degraded', 'Degraded'],
  ['Unknown', 'Degraded', 'Unknown'],
] as const)('of %s and %s the worse is %s', (a, b, worse) => {
  expect(worseHealth(a, b)).toBe(worse);
  expect(worseHealth(b, a)).toBe(worse);
});

it('ranks Unknown below OutOfSync', () => {
  expect(worseSync('OutOfSync', 'Unknown')).toBe('Unknown');
  expect(worseSync('Synced', 'OutOfSync')).toBe('OutOfSync');
});

it.each(['healthy', '', undefined, 3, {}])(
  'parses the health and sync %p as Unknown',
  value => {
    expect(parseHealthStatus(value)).toBe('Unknown');
    expect(parseSyncStatus(value)).toBe('Unknown');
  },
);

it('parses every health status of Argo CD', () => {
  expect(HEALTH_STATUSES.map(parseHealthStatus)).toEqual(HEALTH_STATUSES);
});

it.each([
  ['1', true],
  ['t', true],
  ['T', true],
  ['TRUE', true],
  ['true', true],
  ['True', true],
  ['0', false],
  ['f', false],
  ['False', false],
  ['yes', undefined],
  ['tRUE', undefined],
  ['', undefined],
  [undefined, undefined],
])('parses the label value %p as Go does: %p', (value, expected) => {
  expect(parseGoBool(value)).toBe(expected);
});
