import type { ManagedCluster } from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import { managedCluster } from '../__testUtils__/objects';
import { application } from '../model/__testUtils__/applications';
import { workOf } from '../model/__testUtils__/works';
import { createClaimsRegistry, createSharedClusters } from './sharedClusters';

const ID = 'a1b2';
let version = 0;

function withId(name: string, id: string | undefined): ManagedCluster {
  const cluster = managedCluster(name);
  version += 1;
  return {
    ...cluster,
    metadata: { ...cluster.metadata, resourceVersion: `${version}` },
    status: {
      clusterClaims: [
        { name: 'platform', value: 'AWS' },
        ...(id ? [{ name: 'id.k8s.io', value: id }] : []),
      ],
    },
  };
}

/** A work of the hub's Application, for the cluster by its name there. */
function workFor(cluster: string, name = 'guestbook') {
  const work = workOf(application({ metadata: { name } }));
  version += 1;
  return {
    ...work,
    metadata: {
      ...work.metadata,
      name: `${name}-work`,
      namespace: cluster,
      resourceVersion: `${version}`,
    },
  };
}

function twoHubs() {
  const registry = createClaimsRegistry();
  const hubs = ['a', 'b', 'c'].map(hub => {
    const cache = { ...emptyCache(), hub };
    const shared = createSharedClusters(cache, registry);
    const changes = { count: 0 };
    shared.onChange(() => {
      changes.count += 1;
    });
    /** Once the last changes have had their time. */
    const found = () => {
      jest.runAllTimers();
      return shared
        .findings()
        .map(({ code, title, object }) => [
          code,
          title,
          `${object?.kind} ${object?.name}`,
        ]);
    };
    return { cache, found, changes };
  });
  const [a, b, c] = hubs;
  return { a, b, c };
}

describe('one cluster on two hubs', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('is a finding on both, whatever it is called there, and on no other', () => {
    const { a, b, c } = twoHubs();
    a.cache.applyWriteResult('clusters', withId('edge', ID));
    expect([a.found(), a.changes.count]).toEqual([[], 0]);
    b.cache.applyWriteResult('clusters', withId('shop', ID));
    c.cache.applyWriteResult('clusters', withId('edge', 'other'));

    expect(a.found()).toEqual([
      ['AFC-224', 'edge is also on hub b', 'ManagedCluster edge'],
    ]);
    expect(b.found()).toEqual([
      ['AFC-224', 'shop is also on hub a', 'ManagedCluster shop'],
    ]);
    expect(c.found()).toEqual([]);
    expect(a.changes.count).toBeGreaterThan(0);
    expect(b.changes.count).toBeGreaterThan(0);
  });

  it('is none of clusters that do not say who they are', () => {
    const { a, b } = twoHubs();
    a.cache.applyWriteResult('clusters', withId('edge', undefined));
    b.cache.applyWriteResult('clusters', withId('edge', undefined));
    expect([a.found(), b.found()]).toEqual([[], []]);
  });

  it('is none any more once the cluster has another ID', () => {
    const { a, b } = twoHubs();
    a.cache.applyWriteResult('clusters', withId('edge', ID));
    b.cache.applyWriteResult('clusters', withId('edge', ID));
    expect(b.found()).toHaveLength(1);
    a.cache.applyWriteResult('clusters', withId('edge', 'new'));
    expect([a.found(), b.found()]).toEqual([[], []]);
  });

  it('is none any more once one hub has the cluster no longer, but while another one there has its ID', () => {
    const { a, b } = twoHubs();
    const first = withId('edge', ID);
    const second = withId('copy', ID);
    a.cache.applyWriteResult('clusters', first);
    a.cache.applyWriteResult('clusters', second);
    b.cache.applyWriteResult('clusters', withId('shop', ID));
    expect(a.found()).toEqual([
      ['AFC-224', 'edge is also on hub b', expect.any(String)],
    ]);

    a.cache.applyDeletion('clusters', first);
    expect(a.found()).toEqual([
      ['AFC-224', 'copy is also on hub b', expect.any(String)],
    ]);
    expect(b.found()).toHaveLength(1);
    const changes = b.changes.count;
    a.cache.applyDeletion('clusters', second);
    expect([a.found(), b.found()]).toEqual([[], []]);
    expect(b.changes.count).toBe(changes + 1);
  });

  it('is no error any more once a work of one hub is gone', () => {
    const { a, b } = twoHubs();
    a.cache.applyWriteResult('clusters', withId('edge', ID));
    b.cache.applyWriteResult('clusters', withId('shop', ID));
    a.cache.applyWriteResult('works', workFor('edge'));
    const work = workFor('shop');
    b.cache.applyWriteResult('works', work);
    expect([a.found().length, b.found().length]).toEqual([2, 2]);
    b.cache.applyDeletion('works', work);
    expect([a.found().length, b.found().length]).toEqual([1, 1]);
  });

  it('is made anew once for many changes', () => {
    const { a, b } = twoHubs();
    a.cache.applyWriteResult('clusters', withId('edge', ID));
    b.cache.applyWriteResult('clusters', withId('shop', ID));
    expect(a.found()).toHaveLength(1);
    const changes = a.changes.count;
    for (let index = 0; index < 100; index += 1) {
      a.cache.applyWriteResult('works', workFor('edge', `app${index}`));
      b.cache.applyWriteResult('works', workFor('shop', `app${index}`));
    }
    expect(a.found()).toHaveLength(21);
    expect(a.changes.count).toBe(changes + 1);
  });

  it('is an error on both where their works deliver one Application', () => {
    const { a, b } = twoHubs();
    a.cache.applyWriteResult('clusters', withId('edge', ID));
    b.cache.applyWriteResult('clusters', withId('shop', ID));
    a.cache.applyWriteResult('works', workFor('edge'));
    a.cache.applyWriteResult('works', workFor('edge', 'only-here'));
    expect(a.found()).toHaveLength(1);
    b.cache.applyWriteResult('works', workFor('shop'));

    expect(a.found()[0]).toEqual([
      'AFC-225',
      'Hub b delivers openshift-gitops/guestbook to edge too',
      'ManifestWork guestbook-work',
    ]);
    expect(b.found()[0]).toEqual([
      'AFC-225',
      'Hub a delivers openshift-gitops/guestbook to shop too',
      'ManifestWork guestbook-work',
    ]);
    expect([a.found().length, b.found().length]).toEqual([2, 2]);
  });

  it('has a finding for the first ones only, where a hub is configured twice', () => {
    const { a, b } = twoHubs();
    for (let index = 0; index < 30; index += 1) {
      a.cache.applyWriteResult('clusters', withId(`edge${index}`, `${index}`));
      b.cache.applyWriteResult('clusters', withId(`edge${index}`, `${index}`));
    }
    expect(a.found()).toHaveLength(21);
    expect(a.found().at(-1)?.slice(0, 2)).toEqual([
      'AFC-421',
      '10 more findings',
    ]);
  });
});
