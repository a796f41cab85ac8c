import {
  applicationSetRows,
  clusterApplication,
  forbiddenApplication,
} from '../__testUtils__/fixtures';
import { clusterLabelsOf, labelOf, linesOf } from './rowLabels';

const labelled = (name: string, labels: Record<string, string> | undefined) => {
  const application = clusterApplication(name);
  return { ...application, cluster: { ...application.cluster, labels } };
};

const { applications: ROWS } = applicationSetRows([
  labelled('b', { region: 'eu-10', 'example.com/tier': '' }),
  labelled('a', { region: 'eu-9' }),
  labelled('hub', undefined),
  labelled('c', { region: 'eu-10', env: 'test' }),
]);

const openLines = (key: string | undefined, folded: readonly string[] = []) =>
  linesOf(ROWS, key, id => folded.includes(id)).map(line =>
    'row' in line ? line.row.cluster.name : `[${line.group.value}]`,
  );

it('labels are those of all clusters, those without a prefix first', () => {
  expect(clusterLabelsOf(ROWS)).toEqual([
    { key: 'env', values: 1 },
    { key: 'region', values: 2 },
    { key: 'example.com/tier', values: 1 },
  ]);
});

it.each([
  ['example.com/tier', ''],
  ['env', undefined],
  // Properties of every object.
  ['constructor', undefined],
  ['__proto__', undefined],
])('the value of %s is %p', (key, value) => {
  expect(labelOf(ROWS[0], key)).toBe(value);
});

describe('lines', () => {
  it('are the rows as they are without groups', () => {
    expect(openLines(undefined)).toEqual(['b', 'a', 'hub', 'c']);
  });

  it('are groups in the order of their values, whose rows keep their order', () => {
    expect(openLines('region')).toEqual([
      '[eu-9]',
      'a',
      '[eu-10]',
      'b',
      'c',
      '[undefined]',
      'hub',
    ]);
  });

  it('keep an empty value apart from none', () => {
    expect(openLines('example.com/tier')).toEqual([
      '[]',
      'b',
      '[undefined]',
      'a',
      'hub',
      'c',
    ]);
  });

  it('of a folded group are its heading alone', () => {
    expect(openLines('region', ['["region","eu-10"]'])).toEqual([
      '[eu-9]',
      'a',
      '[eu-10]',
      '[undefined]',
      'hub',
    ]);
  });

  it('of a heading count rows by state, also while the group is folded', () => {
    const { applications } = applicationSetRows([
      clusterApplication('a'),
      forbiddenApplication('b'),
      forbiddenApplication('c'),
    ]);
    expect(linesOf(applications, 'region', () => true)).toMatchObject([
      {
        group: {
          value: 'eu-west',
          folded: true,
          state: { ok: 1, running: 0, inTrouble: 2 },
        },
      },
    ]);
  });
});
