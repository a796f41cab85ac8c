import { createClusterStore } from '../cluster/clusterStore';
import { Application } from '../kubernetes/argocdTypes';
import { UpdateStrategy } from '../kubernetes/workTypes';
import { applyManifest } from './applyManifest';

const REF = {
  group: 'argoproj.io',
  resource: 'applications',
  namespace: 'argocd',
  name: 'app',
};
const manifest: Application = {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: {
    name: 'app',
    namespace: 'argocd',
    annotations: { 'argocd.argoproj.io/refresh': 'normal' },
  },
  spec: { project: 'default' },
  operation: { sync: { revision: 'one' } },
};
const strategy: UpdateStrategy = {
  type: 'ServerSideApply',
  serverSideApply: {
    force: true,
    ignoreFields: [
      {
        condition: 'OnSpokeChange',
        jsonPaths: [
          '.operation',
          '.metadata.annotations["argocd.argoproj.io/refresh"]',
        ],
      },
    ],
  },
};

function spoke() {
  const store = createClusterStore('c', ['argocd']);
  const get = () => store.get(REF) as Application | undefined;
  const consume = () => {
    const { operation: _done, ...rest } = get() as Application;
    store.put({ ...rest, status: { health: { status: 'Healthy' } } });
  };
  return { store, get, consume };
}

describe('applyManifest', () => {
  it('does not apply an operation again that the cluster has consumed', () => {
    const { store, get, consume } = spoke();
    applyManifest(store, manifest, strategy);
    expect(get()?.operation).toBeDefined();

    consume();
    applyManifest(store, manifest, strategy);
    expect(get()?.operation).toBeUndefined();
    expect(get()?.status).toEqual({ health: { status: 'Healthy' } });
  });

  it('applies the operation again with the next change of the manifest', () => {
    const { store, get, consume } = spoke();
    applyManifest(store, manifest, strategy);
    consume();
    applyManifest(store, { ...manifest, spec: { project: 'other' } }, strategy);
    expect(get()?.spec?.project).toBe('other');
    expect(get()?.operation).toBeDefined();
  });

  it('never sends fields ignored OnSpokePresent to an object that exists', () => {
    const { store, get, consume } = spoke();
    const onPresent: UpdateStrategy = {
      ...strategy,
      serverSideApply: {
        ignoreFields: [
          { condition: 'OnSpokePresent', jsonPaths: ['.operation'] },
        ],
      },
    };
    applyManifest(store, manifest, onPresent);
    consume();
    applyManifest(store, { ...manifest, spec: { project: 'x' } }, onPresent);
    expect(get()?.spec?.project).toBe('x');
    expect(get()?.operation).toBeUndefined();
  });

  it('removes fields that the manifest no longer has, unless the cluster changed them', () => {
    const { store, get } = spoke();
    const withAnnotations = (annotations: Record<string, string>) => ({
      ...manifest,
      metadata: { ...manifest.metadata, annotations },
    });
    applyManifest(store, withAnnotations({ a: '1', b: '1' }), strategy);
    const live = get()!;
    store.put({
      ...live,
      metadata: {
        ...live.metadata,
        annotations: { ...live.metadata.annotations, b: 'theirs', c: 'theirs' },
      },
    });
    applyManifest(store, withAnnotations({}), strategy);
    expect(get()?.metadata.annotations).toEqual({
      b: 'theirs',
      c: 'theirs',
      'open-cluster-management.io/config-spec-hash': expect.any(String),
    });
  });

  it('ignores single fields in a list of named elements', () => {
    const { store } = spoke();
    const container = (name: string, image: string) => ({ name, image });
    const deployment = (...containers: object[]) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'api', namespace: 'argocd' },
      spec: { template: { spec: { containers } } },
    });
    const ignoring: UpdateStrategy = {
      type: 'ServerSideApply',
      serverSideApply: {
        ignoreFields: [
          {
            condition: 'OnSpokePresent',
            jsonPaths: [
              '.spec.template.spec.containers[?(@.name=="app")].image',
            ],
          },
        ],
      },
    };
    const first = deployment(
      container('app', 'a:1'),
      container('proxy', 'p:1'),
    );
    applyManifest(store, first, ignoring);
    store.put(deployment(container('app', 'a:9'), container('proxy', 'p:9')));
    applyManifest(
      store,
      deployment(container('app', 'a:2'), container('proxy', 'p:2')),
      ignoring,
    );
    expect(
      store.get({
        group: 'apps',
        resource: 'deployments',
        namespace: 'argocd',
        name: 'api',
      })?.spec,
    ).toEqual(
      deployment(container('app', 'a:9'), container('proxy', 'p:2')).spec,
    );
  });

  it.each(['ReadOnly', 'CreateOnly'])(
    'does not change an existing object with %s',
    type => {
      const { store, get } = spoke();
      applyManifest(store, manifest, undefined);
      applyManifest(store, { ...manifest, spec: { project: 'x' } }, { type });
      expect(get()?.spec?.project).toBe('default');
    },
  );

  it('creates nothing with ReadOnly', () => {
    const { store, get } = spoke();
    applyManifest(store, manifest, { type: 'ReadOnly' });
    expect(get()).toBeUndefined();
  });

  it.each([
    [
      { ...manifest, metadata: { name: 'app', namespace: 'nowhere' } },
      'namespaces "nowhere" not found',
    ],
    [
      { ...manifest, kind: 'Gadget' },
      `the server doesn't have a resource type "Gadget"`,
    ],
  ])('fails with the error of the API server', (bad, message) => {
    expect(() => applyManifest(spoke().store, bad, undefined)).toThrow(message);
  });

  describe('and the finalizers of the object', () => {
    const UPDATE: UpdateStrategy = { type: 'Update' };
    const CREATE: UpdateStrategy = { type: 'CreateOnly' };
    const APPLY: UpdateStrategy = { type: 'ServerSideApply' };
    const APPLY_AS_OTHER: UpdateStrategy = {
      type: 'ServerSideApply',
      serverSideApply: { fieldManager: 'other' },
    };
    const READ: UpdateStrategy = { type: 'ReadOnly' };
    type Step = [UpdateStrategy, string[] | undefined];

    it.each<[string, Step[], string[]]>([
      ['Update creates them', [[UPDATE, ['a']]], ['a']],
      [
        'Update does not remove them',
        [
          [UPDATE, ['a']],
          [UPDATE, undefined],
        ],
        ['a'],
      ],
      [
        'Update does not add them',
        [
          [UPDATE, undefined],
          [UPDATE, ['a']],
        ],
        [],
      ],
      [
        'Update does not remove what was applied server-side',
        [
          [APPLY, ['a']],
          [UPDATE, undefined],
        ],
        ['a'],
      ],
      [
        'ServerSideApply removes its own',
        [
          [APPLY, ['a', 'b']],
          [APPLY, ['b']],
        ],
        ['b'],
      ],
      [
        'ServerSideApply removes its last one',
        [
          [APPLY, ['a']],
          [APPLY, undefined],
        ],
        [],
      ],
      [
        'ServerSideApply adds its own to those of an update',
        [
          [UPDATE, ['a']],
          [APPLY, ['b']],
        ],
        ['a', 'b'],
      ],
      [
        'ServerSideApply does not remove what an update created',
        [
          [UPDATE, ['a']],
          [APPLY, undefined],
        ],
        ['a'],
      ],
      [
        'ServerSideApply does not remove what it shares with an update',
        [
          [UPDATE, ['a']],
          [APPLY, ['a']],
          [APPLY, undefined],
        ],
        ['a'],
      ],
      [
        'ServerSideApply does not remove what CreateOnly created',
        [
          [CREATE, ['a']],
          [APPLY, undefined],
        ],
        ['a'],
      ],
      [
        'ServerSideApply removes its own after an update and a freeze',
        [
          [APPLY, ['a']],
          [UPDATE, ['a']],
          [READ, undefined],
          [APPLY, undefined],
        ],
        [],
      ],
      [
        'ServerSideApply does not remove those of another field manager',
        [
          [APPLY, ['a']],
          [APPLY_AS_OTHER, undefined],
        ],
        ['a'],
      ],
      [
        'CreateOnly changes none',
        [
          [APPLY, ['a']],
          [CREATE, ['b']],
        ],
        ['a'],
      ],
    ])('%s', (_, steps, finalizers) => {
      const { store, get } = spoke();
      for (const [update, names] of steps) {
        const metadata = { ...manifest.metadata, finalizers: names };
        applyManifest(store, { ...manifest, metadata }, update);
      }
      expect(get()?.metadata.finalizers ?? []).toEqual(finalizers);
    });

    const withFinalizers = (finalizers?: string[]) => ({
      ...manifest,
      metadata: { ...manifest.metadata, finalizers },
    });

    it('ServerSideApply leaves those of other clients', () => {
      const { store, get } = spoke();
      applyManifest(store, withFinalizers(['a']), APPLY);
      const { metadata, ...rest } = get()!;
      store.put({ ...rest, metadata: { ...metadata, finalizers: ['a', 'x'] } });
      applyManifest(store, withFinalizers(), APPLY);
      expect(get()?.metadata.finalizers).toEqual(['x']);
    });

    it('ServerSideApply owns nothing of an object that was made again', () => {
      const { store, get } = spoke();
      applyManifest(store, withFinalizers(['a']), APPLY);
      store.put(withFinalizers([]));
      store.delete(REF);
      store.put(withFinalizers(['a']));
      applyManifest(store, withFinalizers(), APPLY);
      expect(get()?.metadata.finalizers).toEqual(['a']);
    });

    it('ServerSideApply may end a deletion, and may not add one during it', () => {
      const { store, get } = spoke();
      applyManifest(store, withFinalizers(['a']), APPLY);
      store.delete(REF);
      expect(() => applyManifest(store, withFinalizers(['b']), APPLY)).toThrow(
        'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers ["b"]',
      );
      applyManifest(store, withFinalizers(), APPLY);
      expect(get()).toBeUndefined();
    });
  });

  it('merges labels and annotations with Update, and leaves the owners', () => {
    const { store, get } = spoke();
    const owner = (uid: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: uid,
      uid,
    });
    const labelled = (
      labels: Record<string, string>,
      ownerReferences?: ReturnType<typeof owner>[],
    ) => ({
      ...manifest,
      metadata: { ...manifest.metadata, labels, ownerReferences },
    });
    store.put(labelled({ theirs: '1', both: '1', old: '1' }, [owner('u1')]));
    applyManifest(
      store,
      labelled({ both: '2', 'old-': '' }, [owner('u2')]),
      undefined,
    );
    expect(get()?.metadata).toMatchObject({
      labels: { theirs: '1', both: '2' },
      ownerReferences: [owner('u1')],
    });
    expect(Object.keys(get()?.metadata.labels ?? {})).not.toContain('old');
  });
});
