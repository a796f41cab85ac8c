import fc from 'fast-check';
import { JsonObject } from 'apimachinery';
import { StructuralSchema } from '../schema/structuralSchema';
import {
  appliedSet,
  compareFields,
  difference,
  FieldSet,
  intersection,
  isEmptySet,
  pathsOf,
  union,
} from './fieldSet';

const SCHEMA: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            type: 'object',
            properties: {
              type: { type: 'string' },
              status: { type: 'string' },
            },
          },
        },
        tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: {} },
        list: { type: 'array', items: {} },
        selector: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  },
};

describe('appliedSet', () => {
  it.each<[string, JsonObject, FieldSet]>([
    ['scalars', { name: 'x' }, { 'f:name': {} }],
    ['lists as a whole', { list: [1, 2] }, { 'f:list': {} }],
    ['atomic maps as a whole', { selector: { a: 'b' } }, { 'f:selector': {} }],
    ['entries of maps', { labels: { a: 'b' } }, { 'f:labels': { 'f:a': {} } }],
    ['empty maps', { labels: {} }, { 'f:labels': {} }],
    ['members of sets', { tags: ['a'] }, { 'f:tags': { 'v:"a"': {} } }],
    [
      'items of keyed lists',
      { conditions: [{ type: 'A', status: 'x' }] },
      {
        'f:conditions': {
          'k:{"type":"A"}': { '.': {}, 'f:type': {}, 'f:status': {} },
        },
      },
    ],
    [
      'unspecified maps with themselves',
      { other: { a: 1 } },
      { 'f:other': { '.': {}, 'f:a': {} } },
    ],
  ])('names %s', (_what, spec, expected) => {
    expect(appliedSet({ spec }, SCHEMA)).toEqual({ 'f:spec': expected });
  });
});

describe('compareFields', () => {
  const compare = (before: JsonObject, after: JsonObject) => {
    const { changed, removed } = compareFields(
      { spec: before },
      { spec: after },
      SCHEMA,
    );
    return { changed: pathsOf(changed), removed: pathsOf(removed) };
  };

  it.each<[string, JsonObject, JsonObject, string[], string[]]>([
    ['nothing', { name: 'x', list: [1] }, { name: 'x', list: [1] }, [], []],
    ['a scalar', { name: 'x' }, { name: 'y' }, ['.spec.name'], []],
    ['a field that goes', { name: 'x' }, {}, [], ['.spec.name']],
    ['a list', { list: [1] }, { list: [2] }, ['.spec.list'], []],
    [
      'one item of a keyed list',
      {
        conditions: [
          { type: 'A', status: 'x' },
          { type: 'B', status: 'x' },
        ],
      },
      {
        conditions: [
          { type: 'B', status: 'y' },
          { type: 'A', status: 'x' },
        ],
      },
      ['.spec.conditions[type="B"].status'],
      [],
    ],
    [
      'a value that becomes a map',
      { other: 'x' },
      { other: { a: 1 } },
      ['.spec.other', '.spec.other.a'],
      ['.spec.other'],
    ],
  ])('sees %s', (_what, before, after, changed, removed) => {
    expect(compare(before, after)).toEqual({ changed, removed });
  });
});

describe('sets of fields', () => {
  const spec = fc.record(
    {
      name: fc.string(),
      labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.string()),
      tags: fc.uniqueArray(fc.constantFrom('x', 'y')),
      other: fc.dictionary(
        fc.constantFrom('a', 'b'),
        fc.dictionary(fc.constantFrom('a', 'b'), fc.string()),
      ),
    },
    { requiredKeys: [] },
  );
  const set = spec.map(value => appliedSet({ spec: value }, SCHEMA));
  const paths = (value: FieldSet) => pathsOf(value).sort();

  it('behave as sets of paths', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const inA = new Set(pathsOf(a));
        const inB = new Set(pathsOf(b));
        expect(paths(union(a, b))).toEqual(
          [...new Set([...inA, ...inB])].sort(),
        );
        expect(paths(intersection(a, b))).toEqual(
          [...inA].filter(path => inB.has(path)).sort(),
        );
        expect(paths(difference(a, b))).toEqual(
          [...inA].filter(path => !inB.has(path)).sort(),
        );
        expect(isEmptySet(difference(a, a))).toBe(true);
      }),
    );
  });
});
