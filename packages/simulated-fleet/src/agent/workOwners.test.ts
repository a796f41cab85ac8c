import { createSimulatedClusters } from '../cluster/simulatedCluster';
import { KubeObject } from '../kubernetes/objects';
import { DeleteOption, ManifestWork } from '../kubernetes/workTypes';
import { parseScenario } from '../scenario/loadScenario';
import { AppliedWork, objectsOf } from './appliedWorks';
import { applyWork } from './applyWork';
import { releaseObjects } from './workOwners';

const OBJECT = {
  group: '',
  resource: 'configmaps',
  namespace: 'default',
  name: 'object',
};
const configMap = (
  name = 'object',
  metadata: Partial<KubeObject['metadata']> = {},
): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...metadata },
});
const orphaning = (rule: object): DeleteOption => ({
  propagationPolicy: 'SelectivelyOrphan',
  selectivelyOrphans: { orphaningRules: [{ ...OBJECT, ...rule }] },
});

/** What a work says about the object; without manifests it has the object's. */
interface Spec {
  type?: string;
  deleteOption?: DeleteOption;
  manifests?: KubeObject[];
}

/** The work agent of one cluster, without a hub. */
function agent() {
  const scenario = parseScenario('clusters: [{ name: c1 }]', 'the test');
  const cluster = createSimulatedClusters(scenario).get('c1')!;
  const { store } = cluster;
  const works = new Map<string, AppliedWork>();
  return {
    store,
    exists: () => store.get(OBJECT) !== undefined,
    apply(name: string, { type, deleteOption, manifests }: Spec = {}) {
      const key = `c1/${name}`;
      const work: ManifestWork = {
        apiVersion: 'work.open-cluster-management.io/v1',
        kind: 'ManifestWork',
        metadata: { name, namespace: 'c1' },
        spec: {
          workload: { manifests: manifests ?? [configMap()] },
          deleteOption,
          manifestConfigs: type
            ? [{ resourceIdentifier: OBJECT, updateStrategy: { type } }]
            : [],
        },
      };
      const applied = applyWork(key, work, cluster, works.get(key));
      works.set(key, applied);
      return applied;
    },
    /** Deletes the work; returns the objects whose deletion waits. */
    remove(name: string) {
      const { owner, ...rest } = works.get(`c1/${name}`)!;
      return releaseObjects(store, objectsOf({ owner, ...rest }), owner);
    },
  };
}

describe('the deletion of a work', () => {
  const GONE = false;
  const LEFT = true;

  it.each<[string, Spec[], boolean]>([
    ['that applied it', [{}], GONE],
    ['that applied it server-side', [{ type: 'ServerSideApply' }], GONE],
    ['that created it', [{ type: 'CreateOnly' }], GONE],
    ['frozen after it applied it', [{}, { type: 'ReadOnly' }], GONE],
    [
      'frozen in the change that orphans it',
      [{}, { type: 'ReadOnly', deleteOption: { propagationPolicy: 'Orphan' } }],
      GONE,
    ],
    [
      'frozen after it orphaned it',
      [{ deleteOption: { propagationPolicy: 'Orphan' } }, { type: 'ReadOnly' }],
      LEFT,
    ],
    [
      'with Foreground',
      [{ deleteOption: { propagationPolicy: 'Foreground' } }],
      GONE,
    ],
    ['with Orphan', [{ deleteOption: { propagationPolicy: 'Orphan' } }], LEFT],
    [
      'with Orphan since a later generation',
      [{}, { deleteOption: { propagationPolicy: 'Orphan' } }],
      LEFT,
    ],
    [
      'with Orphan until a later generation',
      [{ deleteOption: { propagationPolicy: 'Orphan' } }, {}],
      GONE,
    ],
    [
      'released by CreateOnly and an orphaning rule',
      [{}, { type: 'CreateOnly', deleteOption: orphaning({}) }],
      LEFT,
    ],
    [
      'released server-side by an orphaning rule',
      [
        { type: 'ServerSideApply' },
        { type: 'ServerSideApply', deleteOption: orphaning({}) },
      ],
      LEFT,
    ],
    ...['group', 'resource', 'namespace', 'name'].map(
      (field): [string, Spec[], boolean] => [
        `with an orphaning rule for another ${field}`,
        [{}, { deleteOption: orphaning({ [field]: 'other' }) }],
        GONE,
      ],
    ),
    [
      'with SelectivelyOrphan without rules',
      [{ deleteOption: { propagationPolicy: 'SelectivelyOrphan' } }],
      GONE,
    ],
  ])('%s', (_, specs, left) => {
    const { apply, remove, exists } = agent();
    specs.forEach(spec => apply('w', spec));
    expect(exists()).toBe(true);
    remove('w');
    expect(exists()).toBe(left);
  });

  it.each<[string, boolean]>([
    ['ReadOnly', LEFT],
    // As in OCM: an object that exists already becomes the work's.
    ['CreateOnly', GONE],
    ['Update', GONE],
    ['ServerSideApply', GONE],
  ])('with %s, of an object that somebody else made', (type, left) => {
    const { store, apply, remove, exists } = agent();
    store.put(configMap());
    apply('w', { type });
    remove('w');
    expect(exists()).toBe(left);
  });

  it('leaves an object that somebody deleted and made again while the work was frozen', () => {
    const { store, apply, remove, exists } = agent();
    apply('w');
    apply('w', { type: 'ReadOnly' });
    store.delete(OBJECT);
    store.put(configMap());
    apply('w', { type: 'ReadOnly' });
    remove('w');
    expect(exists()).toBe(true);
  });

  it('waits for the finalizers of the object, and not for an object of another work', () => {
    const { store, apply, remove } = agent();
    const manifests = [configMap('object', { finalizers: ['a/b'] })];
    apply('w', { manifests });
    apply('other', { manifests });
    expect(remove('w')).toEqual([]);
    expect(remove('other')).toEqual(
      expect.arrayContaining([expect.objectContaining(OBJECT)]),
    );
    expect(store.get(OBJECT)?.metadata.deletionTimestamp).toBeDefined();
  });
});

it('a ReadOnly manifest of an object that does not exist is applied without an error, and makes nothing', () => {
  const { apply, exists } = agent();
  expect(apply('w', { type: 'ReadOnly' }).errors.size).toBe(0);
  expect(exists()).toBe(false);
});

describe('an object of two works', () => {
  it.each<[string, Spec, boolean]>([
    ['which applies it', {}, true],
    ['which applies it server-side', { type: 'ServerSideApply' }, true],
    ['which creates it only', { type: 'CreateOnly' }, true],
    ['which only observes it', { type: 'ReadOnly' }, false],
    [
      'which orphans it',
      { deleteOption: { propagationPolicy: 'Orphan' } },
      false,
    ],
  ])('when one is deleted, beside one %s', (_, spec, left) => {
    const { apply, remove, exists } = agent();
    apply('old');
    apply('new', spec);
    remove('old');
    expect(exists()).toBe(left);
    remove('new');
    expect(exists()).toBe(false);
  });

  it('stays while the frozen one applied it before', () => {
    const { apply, remove, exists } = agent();
    apply('old');
    apply('old', { type: 'ReadOnly' });
    apply('new');
    remove('new');
    expect(exists()).toBe(true);
    remove('old');
    expect(exists()).toBe(false);
  });
});

describe('a manifest that a work no longer has', () => {
  const other = configMap('other');
  it.each<[string, Spec[], boolean]>([
    ['takes its object along', [{}, { manifests: [other] }], false],
    [
      'takes its object along when it was frozen',
      [{}, { type: 'ReadOnly' }, { manifests: [other] }],
      false,
    ],
    [
      'leaves its object when that was orphaned before',
      [{}, { deleteOption: orphaning({}) }, { manifests: [other] }],
      true,
    ],
    [
      'takes its object along when the same change brings the orphaning rule',
      [{}, { deleteOption: orphaning({}), manifests: [other] }],
      false,
    ],
    [
      'leaves its object while the kind of another manifest is unknown',
      [{}, { manifests: [{ ...other, kind: 'Gadget' }] }],
      true,
    ],
    [
      'takes its object along as soon as all kinds are known',
      [
        {},
        { manifests: [{ ...other, kind: 'Gadget' }] },
        { manifests: [other] },
      ],
      false,
    ],
  ])('%s', (_, specs, left) => {
    const { apply, exists } = agent();
    specs.forEach(spec => apply('w', spec));
    expect(exists()).toBe(left);
  });

  it('leaves its object to another work', () => {
    const { apply, remove, exists } = agent();
    apply('w');
    apply('other');
    apply('w', { manifests: [other] });
    expect(exists()).toBe(true);
    remove('w');
    expect(exists()).toBe(true);
    remove('other');
    expect(exists()).toBe(false);
  });
});
