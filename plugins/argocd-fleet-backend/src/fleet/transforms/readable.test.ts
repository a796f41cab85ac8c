import { fields, list, map, readable } from './readable';
import { readableOf } from './shapes';

const shape = fields({
  spec: fields({
    text: 'string',
    labels: map('string'),
    items: list(fields({ name: 'string', size: 'number' }, 'name')),
  }),
});

const object = (spec: unknown) => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { name: 'it' },
  spec,
});

describe('what is readable of an object', () => {
  it('is the object itself, where everything is', () => {
    const whole = object({ text: 'x', items: [{ name: 'a' }], other: [null] });
    expect(readable(whole, shape)).toBe(whole);
  });

  it.each([
    ['a field of another type', { text: 1 }, {}],
    ['null', { text: null, labels: null }, {}],
    ['values of a map', { labels: { a: 'b', c: {} } }, { labels: { a: 'b' } }],
    ['a map that is a list', { labels: ['x'] }, {}],
    ['a list that is an object', { items: { length: 1 } }, {}],
    [
      'items, and fields of items',
      { items: [null, {}, { name: 1 }, { name: 'a', size: '1' }] },
      { items: [{ name: 'a' }] },
    ],
    [
      'a number that JavaScript cannot hold',
      { items: [{ name: 'a', size: JSON.rawJSON('99999999999999999999') }] },
      { items: [{ name: 'a' }] },
    ],
  ])('is it without %s', (_, spec, left) => {
    expect(readable(object(spec), shape)).toEqual(object(left));
  });

  it('keeps a spec, which every reader expects', () => {
    expect(readableOf('applications', object('text'))).toMatchObject({
      spec: {},
    });
  });

  it('leaves out a repository that is no text', () => {
    const set = object({ template: { spec: { source: { repoURL: {} } } } });
    expect(readableOf('applicationSets', set)).toEqual(
      object({ template: { spec: {} } }),
    );
  });
});

it('keeps only the first addresses that a cluster reports', () => {
  const managedClusterClientConfigs = Array.from(
    { length: 50_000 },
    (_, index) => ({ url: `https://${index}.example.com` }),
  );
  const cluster = object({ managedClusterClientConfigs });
  expect(readableOf('clusters', cluster).spec).toEqual({
    managedClusterClientConfigs: managedClusterClientConfigs.slice(0, 8),
  });
});
