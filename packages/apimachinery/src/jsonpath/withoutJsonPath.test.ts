import { withoutJsonPath } from './withoutJsonPath';

const ROLLOUT = {
  metadata: {
    annotations: { 'argocd.argoproj.io/refresh': 'hard', keep: '1' },
  },
  operation: { sync: {} },
  spec: {
    replicas: 3,
    containers: [
      { name: 'app', image: 'a:1', env: [{ name: 'X' }] },
      { name: 'proxy', image: 'p:1' },
    ],
  },
};
const { containers } = ROLLOUT.spec;
const withContainers = (next: object[]) => ({
  ...ROLLOUT,
  spec: { ...ROLLOUT.spec, containers: next },
});

describe('withoutJsonPath', () => {
  it.each<[string, object]>([
    ['.operation', { metadata: ROLLOUT.metadata, spec: ROLLOUT.spec }],
    [
      '.metadata.annotations["argocd.argoproj.io/refresh"]',
      { ...ROLLOUT, metadata: { annotations: { keep: '1' } } },
    ],
    [
      '.metadata.annotations.argocd\\.argoproj\\.io/refresh',
      { ...ROLLOUT, metadata: { annotations: { keep: '1' } } },
    ],
    [
      '.spec.containers[?(@.name=="app")].image',
      withContainers([{ name: 'app', env: [{ name: 'X' }] }, containers[1]]),
    ],
    ['.spec.containers[0]', withContainers([containers[1]])],
    ['.spec.containers[-1:]', withContainers([containers[0]])],
    [
      '.spec.containers[*].image',
      withContainers([
        { name: 'app', env: [{ name: 'X' }] },
        { name: 'proxy' },
      ]),
    ],
    ["$.spec['replicas']", { ...ROLLOUT, spec: { containers } }],
    ['..name', withContainers([{ image: 'a:1', env: [{}] }, { image: 'p:1' }])],
    ['.spec.containers[7].image', ROLLOUT],
    ['.spec.replicas[0]', ROLLOUT],
    ['.status.nothing', ROLLOUT],
  ])('%s', (path, expected) => {
    const before = structuredClone(ROLLOUT);
    expect(withoutJsonPath(ROLLOUT, path)).toEqual(expected);
    expect(ROLLOUT).toEqual(before);
  });

  it('rejects a path that cannot be parsed', () => {
    expect(() => withoutJsonPath(ROLLOUT, '.spec[abc]')).toThrow(
      'invalid array index abc',
    );
  });
});
