import { serializedSpec } from './serializedSpec';

const usual = { destination: { name: 'a' }, project: 'p' };

describe('serializedSpec', () => {
  it.each<[string, object, object]>([
    ['a project', { project: '' }, { project: 'default' }],
    ['a destination', { destination: undefined }, { destination: {} }],
    [
      'a revisionHistoryLimit of 0',
      { revisionHistoryLimit: 0 },
      { revisionHistoryLimit: 0 },
    ],
    [
      'what is switched off',
      { syncPolicy: { automated: { prune: false, enabled: false } } },
      { syncPolicy: { automated: { enabled: false } } },
    ],
    ['an empty syncPolicy', { syncPolicy: { syncOptions: [] } }, {}],
    [
      'empty options of one source',
      { source: { repoURL: 'r', helm: {}, directory: { recurse: false } } },
      { source: { repoURL: 'r' } },
    ],
    [
      'options of a directory',
      { source: { repoURL: 'r', directory: { recurse: true } } },
      { source: { repoURL: 'r', directory: { recurse: true, jsonnet: {} } } },
    ],
    [
      'empty options of several sources',
      { sources: [{ repoURL: 'r', helm: {} }] },
      { sources: [{ repoURL: 'r', helm: {} }] },
    ],
    [
      'Helm values, whatever they are',
      { source: { repoURL: 'r', helm: { valuesObject: { a: 0, b: '' } } } },
      { source: { repoURL: 'r', helm: { valuesObject: { a: 0, b: '' } } } },
    ],
  ])('writes %s as Argo CD does', (_, given, expected) => {
    expect(serializedSpec({ ...usual, ...given })).toEqual({
      ...usual,
      ...expected,
    });
  });
});
