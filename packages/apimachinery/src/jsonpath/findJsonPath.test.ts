import { findJsonPath } from './findJsonPath';

const APPLICATION = {
  metadata: {
    name: 'app',
    annotations: { 'argocd.argoproj.io/refresh': 'hard' },
  },
  status: {
    health: { status: 'Healthy' },
    empty: [],
    count: 3,
    conditions: [
      { type: 'SyncError', message: 'forbidden' },
      { type: 'Other', message: 'else', weight: 2 },
    ],
    history: [{ id: 0 }, { id: 1 }, { id: 2 }],
    resources: [
      { name: 'a', health: { status: 'Degraded' } },
      { name: 'b' },
      { name: 'c', health: { status: 'Healthy' } },
    ],
  },
};

describe('findJsonPath', () => {
  it.each<[string, unknown[]]>([
    ['.status.health.status', ['Healthy']],
    ['$.status.health.status', ['Healthy']],
    ['.status.missing.deeper', []],
    ['.status.health.status.tooDeep', []],
    [".metadata.annotations['argocd.argoproj.io/refresh']", ['hard']],
    ['.metadata.annotations.argocd\\.argoproj\\.io/refresh', ['hard']],
    ['.status.conditions[?(@.type=="SyncError")].message', ['forbidden']],
    ['.status.conditions[?(@.type!="SyncError")].message', ['else']],
    ['.status.conditions[?(@.weight>1)].type', ['Other']],
    ['.status.conditions[?(@.weight)].type', ['Other']],
    ['.status.resources[?(@.health.status=="Degraded")].name', ['a']],
    ['.status.history[0].id', [0]],
    ['.status.history[-1].id', [2]],
    ['.status.history[-1:].id', [2]],
    ['.status.history[0:2].id', [0, 1]],
    ['.status.history[0,2].id', [0, 2]],
    ['.status.history[*].id', [0, 1, 2]],
    ['.status.empty[*].id', []],
    ['.status.empty[:].id', []],
    ['..type', ['SyncError', 'Other']],
    ['.status.resources[*].health.status', ['Degraded', 'Healthy']],
  ])('finds %s', (path, expected) => {
    expect(findJsonPath(path, APPLICATION)).toEqual(expected);
  });

  it.each([
    ['.status.empty[0]', 'array index out of bounds: index 0, length 0'],
    ['.status.history[7]', 'array index out of bounds: index 7, length 3'],
    ['.status.empty[-1:]', 'array index out of bounds: index -1, length 0'],
    ['.status.health[0]', 'map[string]interface {} is not array or slice'],
    [
      '.status.count[?(@.a)]',
      'int64 is not array or slice and cannot be filtered',
    ],
    [
      '.status.conditions[?(@.weight=="2")]',
      'incompatible types for comparison',
    ],
    ['.status.conditions[abc]', 'invalid array index abc'],
    ['.status.conditions[0', 'unterminated array'],
  ])('rejects %s: %s', (path, message) => {
    expect(() => findJsonPath(path, APPLICATION)).toThrow(message);
  });
});
