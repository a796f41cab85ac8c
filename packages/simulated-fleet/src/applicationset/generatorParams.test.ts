import {
  ApplicationSet,
  ApplicationSetGenerator,
} from '../kubernetes/argocdTypes';
import { generatorParams } from './generatorParams';

const list = (...elements: Record<string, unknown>[]) => ({
  list: { elements },
});

const rows = (generator: ApplicationSetGenerator, goTemplate = false) => {
  const set: ApplicationSet = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'set' },
    spec: { goTemplate },
  };
  return generatorParams(generator, set, {
    clusters: [],
    configMaps: [],
    placementDecisions: [],
  }).flatMap(({ params }) => params);
};

const matrix = (...generators: ApplicationSetGenerator[]) => ({
  matrix: { generators },
});

const merge = (
  mergeKeys: string[],
  ...generators: ApplicationSetGenerator[]
) => ({ merge: { mergeKeys, generators } });

describe('matrix', () => {
  it('joins every row of the first with every row of the second', () => {
    expect(
      rows(matrix(list({ a: '1' }, { a: '2' }), list({ b: 'x' }, { b: 'y' }))),
    ).toEqual([
      { a: '1', b: 'x' },
      { a: '1', b: 'y' },
      { a: '2', b: 'x' },
      { a: '2', b: 'y' },
    ]);
  });

  it("renders the second generator, even a nested one, with the first one's parameters", () => {
    expect(
      rows(
        matrix(
          list({ app: 'web' }),
          matrix(list({ path: '{{app}}/base' }), list({ rev: '{{path}}@1' })),
        ),
      ),
    ).toEqual([{ app: 'web', path: 'web/base', rev: 'web/base@1' }]);
  });

  it('rejects two values of one parameter, but prefers the first with Go templates', () => {
    const contrary = matrix(list({ name: 'a' }), list({ name: 'b' }));
    expect(() => rows(contrary)).toThrow(
      'found duplicate key name with different value, a: a ,b: b',
    );
    expect(rows(contrary, true)).toEqual([{ name: 'a' }]);
  });

  it.each<[string, ApplicationSetGenerator, string]>([
    ['one generator', matrix(list({})), 'found less than two generators'],
    [
      'three generators',
      matrix(list({}), list({}), list({})),
      'found more than two generators',
    ],
    [
      'a child without a generator',
      matrix({}, list({})),
      'child generator generated no parameters',
    ],
    [
      'a child of two generators',
      matrix({ ...list({ a: '1' }), clusters: {} }, list({})),
      'found more than one generator in matrix.Generators',
    ],
    [
      'a third level',
      matrix(list({ a: '1' }), matrix(list({ b: '1' }), matrix())),
      'child generator generated no parameters',
    ],
  ])('rejects %s', (_, generator, message) => {
    expect(() => rows(generator)).toThrow(message);
  });
});

describe('merge', () => {
  it('overrides the base with rows of the same key, in order, and drops the others', () => {
    expect(
      rows(
        merge(
          ['name'],
          list({ name: 'a', v: 'base' }, { name: 'b', v: 'base' }),
          list({ name: 'a', v: 'over' }, { name: 'c', v: 'lost' }),
          list({ name: 'a', more: 'yes' }),
        ),
      ),
    ).toEqual([
      { name: 'a', v: 'over', more: 'yes' },
      { name: 'b', v: 'base' },
    ]);
  });

  it('merges maps with Go templates', () => {
    expect(
      rows(
        merge(
          ['name'],
          list({ name: 'a', values: { x: 1, y: 1 } }),
          list({ name: 'a', values: { y: 2 } }),
        ),
        true,
      ),
    ).toEqual([{ name: 'a', values: { x: 1, y: 2 } }]);
  });

  it.each<[string, ApplicationSetGenerator, string]>([
    ['one generator', merge(['a'], list({})), 'Merge requires two or more'],
    ['no keys', merge([], list({}), list({})), 'no merge keys were specified'],
    [
      'two rows of a key',
      merge(['a'], list({ a: '1' }, { a: '1' }), list({})),
      'Duplicate key was {"a":"1"}',
    ],
  ])('rejects %s', (_, generator, message) => {
    expect(() => rows(generator)).toThrow(message);
  });
});

describe('any generator', () => {
  it('is filtered by its selector, which allows any value', () => {
    const generator = {
      ...list({ url: 'https://a' }, { url: 'https://b' }),
      selector: { matchLabels: { url: 'https://b' } },
    };
    expect(rows(generator)).toEqual([{ url: 'https://b' }]);
  });

  it.each(['git', 'scmProvider', 'pullRequest', 'plugin'])(
    'is rejected by name if it is %s',
    name => {
      expect(() => rows({ [name]: {} })).toThrow(
        `no generator "${name}": use list, clusters, clusterDecisionResource, matrix or merge`,
      );
    },
  );
});
