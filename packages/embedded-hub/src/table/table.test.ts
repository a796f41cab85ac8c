import { KubernetesObject } from '../api/kubernetesObject';
import { customColumns } from './columns';
import { age, humanDuration } from './humanDuration';

describe('humanDuration', () => {
  it.each([
    [-5, '<invalid>'],
    [-0.5, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [599, '9m59s'],
    [600, '10m'],
    [3 * 3600 - 1, '179m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [8 * 3600 + 60, '8h'],
    [47 * 3600, '47h'],
    [48 * 3600, '2d'],
    [49 * 3600, '2d1h'],
    [8 * 86400 + 3600, '8d'],
    [729 * 86400, '729d'],
    [730 * 86400, '2y'],
    [731 * 86400, '2y1d'],
    [8 * 365 * 86400 + 86400, '8y'],
  ])('%p seconds are %p', (seconds, text) => {
    expect(humanDuration(seconds * 1000)).toBe(text);
  });

  it('is unknown without a time', () => {
    expect(age(undefined, new Date())).toBe('<unknown>');
  });
});

describe('JSONPaths of printer columns', () => {
  const OBJECT: KubernetesObject = {
    apiVersion: 'example.com/v1',
    kind: 'Example',
    metadata: { name: 'one' },
    spec: { urls: [{ url: 'a' }, { url: 'b' }], 'a.b': 'dotted' },
    status: {
      conditions: [
        { type: 'Ready', status: 'True' },
        { type: 'Other', status: 'False' },
      ],
    },
  };

  const columnOf = (jsonPath: string) =>
    customColumns([{ name: 'Column', type: 'string', jsonPath }])[1];

  it.each([
    ['.spec.urls[0].url', 'a'],
    ['.spec.urls[-1].url', 'b'],
    ['.spec.urls[*].url', 'a b'],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    [".status.conditions[?(@.type!='Ready')].status", 'False'],
    ['.spec.a\\.b', 'dotted'],
    [".spec['a.b']", 'dotted'],
    ['.spec.nothing.there', undefined],
    ['.spec.urls[7].url', undefined],
  ])('%s', (path, cell) => {
    expect(columnOf(path).cell(OBJECT, new Date())).toBe(cell);
  });

  it('are rejected where they cannot be parsed', () => {
    expect(() => columnOf('.a[?(@.b>5]')).toThrow('unterminated filter');
  });
});
