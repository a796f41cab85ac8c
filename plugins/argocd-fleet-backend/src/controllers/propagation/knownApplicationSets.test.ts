import {
  HOSTING_APPLICATION_SET_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import {
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import {
  MIGRATIONS,
  openSqlite,
  type TestDatabase,
} from '../../database/__testUtils__/testDatabase';
import { createRemovalStore } from '../../database/removalStore';
import { buildManifestWork } from '../../model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';
import { createKnownApplicationSets } from './knownApplicationSets';

const HUB_UID = 'hub-uid';
const KEY = `${NAMESPACE}/shop`;

function stored<T extends KubernetesObject>(object: T, uid: string): T {
  const metadata = { ...object.metadata, uid, resourceVersion: '1' };
  return { ...object, metadata };
}

function setOf(uid: string) {
  return stored(pullApplicationSet('shop'), uid);
}

function applicationOf(set: KubernetesObject): ArgoApplication {
  return stored(pullApplication('shop-one', 'one', ownedBy(set)), 'app');
}

function workOf(application: ArgoApplication): ManifestWork {
  const target = { cluster: 'one', name: 'work' };
  const work = buildManifestWork(application, target, DEFAULT_PROPAGATION);
  return stored(work, 'work');
}

describe('the ApplicationSets that a hub has had', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = openSqlite();
    await database.knex.migrate.latest(MIGRATIONS);
  });

  afterEach(() => database.close());

  function setUp() {
    const cache = emptyCache();
    const store = createRemovalStore(database.knex);
    const sets = createKnownApplicationSets({ cache, store });
    return {
      cache,
      sets,
      prepare: () => sets.prepare(HUB_UID),
      async rows() {
        const all = await store.applicationSets('hub', HUB_UID);
        return all.map(({ uid, seen }) => `${uid} ${seen ? 'seen' : 'named'}`);
      },
    };
  }

  it('are forgotten once nothing on the hub can depend on them', async () => {
    const { cache, sets, prepare, rows } = setUp();
    const set = setOf('first');
    const application = applicationOf(set);
    const work = workOf(application);
    expect(
      work.metadata.annotations?.[HOSTING_APPLICATION_SET_ANNOTATION],
    ).toBe(KEY);
    cache.applyWriteResult('applicationSets', set as never);
    cache.applyWriteResult('applications', application);
    cache.applyWriteResult('works', work);
    await prepare();

    cache.applyDeletion('applicationSets', set as never);
    await prepare();
    expect(sets.wasDeleted(KEY, 'first')).toBe(true);
    cache.applyDeletion('applications', application);
    await prepare();
    expect(sets.wasDeleted(KEY, 'first')).toBe(true);
    expect(await rows()).toEqual(['first seen']);
    cache.applyDeletion('works', work);
    await prepare();
    expect(await rows()).toEqual([]);
    expect(sets.wasDeleted(KEY, undefined)).toBe(false);
  });

  it('are remembered beside another one of that name as long as Applications name them', async () => {
    const { cache, sets, prepare, rows } = setUp();
    const [old, restored] = [setOf('old'), setOf('restored')];
    const application = applicationOf(old);
    cache.applyWriteResult('applicationSets', restored as never);
    cache.applyWriteResult('applications', application);
    await prepare();
    await sets.record(application, []);
    await prepare();
    expect((await rows()).sort()).toEqual(['old named', 'restored seen']);

    cache.applyWriteResult('applications', {
      ...application,
      metadata: {
        ...application.metadata,
        ...ownedBy(restored),
        resourceVersion: '2',
      },
    });
    await prepare();
    expect(await rows()).toEqual(['restored seen']);
  });
});
