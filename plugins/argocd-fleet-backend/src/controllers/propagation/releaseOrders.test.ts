import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  RELEASE_ANNOTATION,
  type ArgoApplicationSet,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { useFakeClock } from '../../__testUtils__/fakeClock';
import { NAMESPACE, pullApplicationSet } from '../../__testUtils__/objects';
import { createMemoryRemovalStore } from '../../database/removalStore';
import { createReleaseOrders } from './releaseOrders';

const HUB = 'hub';
const HOUR_MS = 3_600_000;
const OCM = 'apps.open-cluster-management.io';

let versions = 0;

function metadata(uid: string) {
  versions += 1;
  return { uid, resourceVersion: String(versions) };
}

function workOf(uid: string): ManifestWork {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: {
      ...metadata(uid),
      namespace: 'one',
      name: `shop-${uid}`,
      annotations: {
        [HOSTING_APPLICATION_SET_ANNOTATION]: `${NAMESPACE}/shop`,
        [`${OCM}/hub-application-namespace`]: NAMESPACE,
        [`${OCM}/hub-application-name`]: 'shop-one',
      },
    },
    spec: {},
  };
}

describe('the orders of people', () => {
  useFakeClock();

  /** Replicas on one database; each sees what the test shows it. */
  function setUp() {
    const store = createMemoryRemovalStore();
    return {
      store,
      stored: async () =>
        (await store.orders(HUB)).map(
          ({ release, works }) => `${release} ${works.join(' ')}`,
        ),
      replica() {
        const cache = emptyCache();
        const orders = createReleaseOrders({ cache, store });
        cache.onChange(({ resource, before, after }) => {
          if (resource === 'applicationSets') {
            orders.observe('ApplicationSet', before, after);
          }
        });
        return {
          orders,
          /** It sees the set with that annotation. */
          sees(release: string | undefined, uid = 'set'): ArgoApplicationSet {
            const set = pullApplicationSet('shop') as ArgoApplicationSet;
            const annotated = {
              ...set,
              metadata: {
                ...set.metadata,
                ...metadata(uid),
                annotations: release && { [RELEASE_ANNOTATION]: release },
              },
            } as ArgoApplicationSet;
            cache.applyWriteResult('applicationSets', annotated);
            return annotated;
          },
          seesGone: (set: ArgoApplicationSet) =>
            cache.applyDeletion('applicationSets', set),
          seesWork: (work: ManifestWork) =>
            cache.applyWriteResult('works', work),
          seesWorkGone: (work: ManifestWork) =>
            cache.applyDeletion('works', work),
        };
      },
    };
  }

  it('cover the works of their time, however late a replica stores them', async () => {
    const { replica, stored } = setUp();
    const idle = replica();
    idle.seesWork(workOf('old'));
    idle.sees('remove');
    jest.advanceTimersByTime(HOUR_MS / 2);
    idle.seesWork(workOf('new'));
    await idle.orders.prepare();
    expect(await stored()).toEqual(['remove old']);
  });

  it('are stored by the next replica where their set was deleted before the last one stored them', async () => {
    const { replica, stored } = setUp();
    const idle = replica();
    const work = workOf('old');
    idle.seesWork(work);
    idle.seesGone(idle.sees('orphan'));
    await idle.orders.prepare();
    expect(await stored()).toEqual(['orphan old']);
    expect(idle.orders.orderFor(work)?.release).toBe('orphan');
  });

  it('are not given again by a replica that was idle, for works of another set of that name', async () => {
    const { replica, stored } = setUp();
    const idle = replica();
    idle.seesWork(workOf('old'));
    idle.seesGone(idle.sees('remove', 'first'));
    const second = idle.sees(undefined, 'second');
    const work = workOf('new');
    idle.seesWork(work);
    idle.seesGone(second);
    await idle.orders.prepare();
    expect(await stored()).toEqual([]);
    expect(idle.orders.orderFor(work)).toBeUndefined();
  });

  it('are not given again by a replica that saw them more than an hour ago, where their set is gone', async () => {
    const { replica, stored } = setUp();
    const idle = replica();
    idle.seesWork(workOf('old'));
    idle.seesGone(idle.sees('remove'));
    jest.advanceTimersByTime(HOUR_MS + 1);
    await idle.orders.prepare();
    expect(await stored()).toEqual([]);
  });

  it('are not replaced by what a replica saw before them, where their set is gone', async () => {
    const { replica, stored } = setUp();
    const [running, idle] = [replica(), replica()];
    for (const each of [running, idle]) {
      each.seesWork(workOf('old'));
      each.sees('remove');
    }
    jest.advanceTimersByTime(1_000);
    running.sees('orphan');
    await running.orders.prepare();
    // Its watch was broken meanwhile.
    idle.seesGone(idle.sees('remove'));
    await idle.orders.prepare();
    expect(await stored()).toEqual(['orphan old']);
  });

  it('are replaced by what a person ordered later, and another replica saw', async () => {
    const { replica, stored } = setUp();
    const [running, idle] = [replica(), replica()];
    for (const each of [running, idle]) {
      each.seesWork(workOf('old'));
      each.sees('remove');
    }
    await running.orders.prepare();
    jest.advanceTimersByTime(1_000);
    idle.seesGone(idle.sees('orphan'));
    await idle.orders.prepare();
    expect(await stored()).toEqual(['orphan old']);
  });

  it.each(['gone', 'there'])(
    'end when they are taken off while nobody runs and their set is %s',
    async fate => {
      const { replica, stored } = setUp();
      const [running, idle] = [replica(), replica()];
      for (const each of [running, idle]) {
        each.seesWork(workOf('old'));
        each.sees('remove');
      }
      await running.orders.prepare();
      expect(await stored()).toEqual(['remove old']);
      jest.advanceTimersByTime(1_000);
      const set = idle.sees(undefined);
      if (fate === 'gone') {
        idle.seesGone(set);
      }
      await idle.orders.prepare();
      expect(await stored()).toEqual([]);
    },
  );

  it('end when another replica saw that they were taken off, though an earlier sighting was stored after that', async () => {
    const { replica, stored } = setUp();
    const [behind, other] = [replica(), replica()];
    for (const each of [behind, other]) {
      each.seesWork(workOf('old'));
    }
    behind.seesGone(behind.sees('remove'));
    other.sees('remove');
    jest.advanceTimersByTime(1_000);
    other.seesGone(other.sees(undefined));
    jest.advanceTimersByTime(1_000);
    await behind.orders.prepare();
    expect(await stored()).toEqual(['remove old']);
    await other.orders.prepare();
    expect(await stored()).toEqual([]);
  });

  it('hold for the hour where another set of that name is made, which orders nothing', async () => {
    const { replica, stored } = setUp();
    const running = replica();
    running.seesWork(workOf('old'));
    const first = running.sees('hand-over', 'first');
    await running.orders.prepare();
    running.seesGone(first);
    running.sees(undefined, 'second');
    await running.orders.update();
    expect(await stored()).toEqual(['hand-over old']);
    jest.advanceTimersByTime(HOUR_MS + 1);
    await running.orders.prepare();
    expect(await stored()).toEqual([]);
  });

  it('hold for a work whose agent or Application names their set no longer', async () => {
    const { replica } = setUp();
    const running = replica();
    const work = workOf('old');
    running.seesWork(work);
    running.sees('orphan');
    await running.orders.prepare();
    const { [HOSTING_APPLICATION_SET_ANNOTATION]: _, ...annotations } =
      work.metadata.annotations!;
    expect(
      running.orders.orderFor({
        ...work,
        metadata: { ...work.metadata, annotations },
      })?.release,
    ).toBe('orphan');
  });
});
