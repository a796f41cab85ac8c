import { createBackendModule } from '@backstage/backend-plugin-api';
import type { TestBackend } from '@backstage/backend-test-utils';
import {
  argocdFleetResourceSourcesExtensionPoint,
  type ResourceSource,
  type ResourceSourceAnswer,
  type ResourceSourceRequest,
} from 'backstage-plugin-argocd-fleet-node';
import request from 'supertest';
import { type SimulatedFleet } from 'simulated-fleet';
import {
  EXAMPLE_SET,
  EXAMPLE_SET_PATH,
  startExampleFleet,
} from '../__testUtils__/exampleFleet';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../__testUtils__/hubFixture';
import { waitFor } from '../__testUtils__/waitFor';
import {
  MIGRATIONS,
  openSqlite,
  type TestDatabase,
} from '../database/__testUtils__/testDatabase';
import { createAnswerStore } from '../database/answerStore';
import { composedHub } from '../systemTests/convergence/__testUtils__/composedHub';

jest.setTimeout(90_000);

const TASK =
  '/api/argocd-fleet/.backstage/scheduler/v1/tasks/resource-sources-hub/trigger';

const application = {
  namespace: 'openshift-gitops',
  name: 'pcluster1-guestbook-app',
};
const KEY = 'openshift-gitops/pcluster1-guestbook-app';

/** A source that answers what the test tells it to, as somebody's index would. */
function createTestSource() {
  const asked: ResourceSourceRequest[] = [];
  const source = {
    id: 'index',
    asked,
    answer: (): ResourceSourceAnswer => ({ details: [] }),
    async collect(asking: ResourceSourceRequest) {
      asked.push(asking);
      return source.answer();
    },
  };
  return source;
}

function moduleWith(source: ResourceSource) {
  return createBackendModule({
    pluginId: 'argocd-fleet',
    moduleId: source.id,
    register(env) {
      env.registerInit({
        deps: { sources: argocdFleetResourceSourcesExtensionPoint },
        async init({ sources }) {
          sources.addResourceSource(source);
        },
      });
    },
  });
}

function saying(message: string, observedAt?: string): ResourceSourceAnswer {
  const conditions = [{ type: 'SyncError', message }];
  return { details: [{ application, conditions, observedAt }] };
}

describe('resource sources', () => {
  let testHub: TestHub;
  let fleet: SimulatedFleet;
  let backend: TestBackend;
  const source = createTestSource();

  beforeAll(async () => {
    testHub = await startTestHub();
    fleet = await startExampleFleet(testHub);
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath),
      features: [moduleWith(source)],
    });
    await waitFor(async () => {
      const found = await rows();
      return found?.length === 3 && found[1].resources.length > 0;
    });
  });

  afterAll(async () => {
    await backend.stop();
    await fleet.stop();
    await testHub.stop();
  });

  async function rows() {
    const { body } = await request(backend.server).get(EXAMPLE_SET_PATH);
    return body.applications;
  }

  const ask = () => request(backend.server).post(TASK).expect(200);

  it('are asked about every Application on its way to a cluster, and shown where they know something later', async () => {
    source.answer = () => ({
      details: [
        {
          application,
          observedAt: '2999-01-01T00:00:00Z',
          conditions: [{ type: 'OperationError', message: 'first\nsecond' }],
          images: ['registry.example.com/guestbook:1'],
        },
      ],
    });
    const row = await waitFor(async () => {
      await ask();
      const [, pcluster1] = await rows();
      return pcluster1.conditions.length === 1 && pcluster1;
    });
    expect(row).toMatchObject({
      cluster: { name: 'pcluster1' },
      conditions: [{ type: 'OperationError' }],
      images: ['registry.example.com/guestbook:1'],
      sources: {
        conditions: { from: 'index', observedAt: '2999-01-01T00:00:00Z' },
        images: { from: 'index' },
        // The source says nothing about resources: those come home with the work.
        resources: { from: 'manifestWork' },
      },
    });
    expect(row.resources.length).toBeGreaterThan(0);
    expect(source.asked.at(-1)?.applications).toContainEqual({
      application,
      onCluster: application,
      cluster: 'pcluster1',
      applicationSet: EXAMPLE_SET,
    });
    expect(
      source.asked.at(-1)?.applications.map(({ cluster }) => cluster),
    ).not.toContain('local-cluster');
  });

  it('keep their last good answer when they fail, and say so', async () => {
    source.answer = () => {
      throw new Error('the index is being rebuilt');
    };
    const hubState = await waitFor(async () => {
      await ask();
      const { body } = await request(backend.server).get(EXAMPLE_SET_PATH);
      return body.hubState.findings.length === 1 && body.hubState;
    });
    expect(hubState.findings[0]).toMatchObject({
      code: 'AFC-430',
      evidence: 'the index is being rebuilt',
    });
    expect((await rows())[1].conditions[0].type).toBe('OperationError');
  });

  it('are not shown where the ManifestWork brought home something later', async () => {
    source.answer = () => saying('long ago', '2020-01-01T00:00:00Z');
    const row = await waitFor(async () => {
      await ask();
      const [, pcluster1] = await rows();
      return pcluster1.conditions.length === 0 && pcluster1;
    });
    expect(row.sources.conditions.from).toBe('manifestWork');
  });

  describe('on several replicas, with one database', () => {
    let opened: TestDatabase;
    const ending: (() => Promise<void>)[] = [];
    const { signal } = new AbortController();

    beforeEach(async () => {
      opened = openSqlite();
      await opened.knex.migrate.latest(MIGRATIONS);
    });

    afterEach(async () => {
      await Promise.all(ending.splice(0).map(end => end()));
      await opened.close();
    });

    async function replica() {
      const own = createTestSource();
      const hub = composedHub(testHub.kubeconfigPath, {}, undefined, {
        sources: [own],
        store: createAnswerStore(opened.knex),
      });
      const stop = new AbortController();
      const running = hub.cache.run(stop.signal);
      ending.push(async () => {
        stop.abort();
        await running;
        await hub.client.close();
      });
      await hub.cache.waitForSync(
        ['applications', 'works', 'clusters'],
        stop.signal,
      );
      const sources = hub.resourceSources!;
      const heard: (readonly string[])[] = [];
      sources.onChange(keys => heard.push(keys));
      return { own, sources, heard, told: () => sources.detailsOf(KEY) };
    }

    const rowsWritten = async () =>
      (
        await opened
          .knex('source_answers')
          .select('application', 'revision', 'changed_at', 'details')
      ).filter(({ application: key }) => key === KEY);

    it('are known to those that did not ask, and after a restart', async () => {
      const [asking, other] = await Promise.all([replica(), replica()]);
      asking.own.answer = () => saying('first');
      await asking.sources.collect(signal);
      expect(asking.told()).toMatchObject([
        { source: 'index', details: { conditions: [{ message: 'first' }] } },
      ]);
      expect(asking.heard).toEqual([[KEY]]);
      expect(other.told()).toBeUndefined();
      await other.sources.refresh();
      expect(other.told()).toEqual(asking.told());
      expect(other.heard).toEqual([[KEY]]);

      const restarted = await replica();
      await restarted.sources.refresh();
      expect(restarted.told()).toEqual(asking.told());
    });

    it('store what is new and nothing else', async () => {
      const { own, sources, heard, told } = await replica();
      own.answer = () => saying('first');
      await sources.collect(signal);
      const before = told();
      await sources.collect(signal);
      expect(told()).toBe(before);
      expect(await rowsWritten()).toMatchObject([
        { revision: 1, changed_at: null },
      ]);
      own.answer = () => saying('second');
      await sources.collect(signal);
      expect(told()?.[0].changedAt).toEqual(expect.any(String));
      expect(await rowsWritten()).toMatchObject([{ revision: 3 }]);
      expect(heard).toHaveLength(2);
    });

    it('drop what a whole answer does not have, on every replica', async () => {
      const [asking, other] = await Promise.all([replica(), replica()]);
      asking.own.answer = () => saying('first');
      await asking.sources.collect(signal);
      await other.sources.refresh();
      asking.own.answer = () => ({ details: [] });
      await asking.sources.collect(signal);
      expect(asking.told()).toBeUndefined();
      await other.sources.refresh();
      expect(other.told()).toBeUndefined();
      expect(other.heard).toEqual([[KEY], [KEY]]);
    });

    it('keep what an incomplete answer does not have, marked with its age, until it is whole again', async () => {
      const [asking, other] = await Promise.all([replica(), replica()]);
      asking.own.answer = () => saying('first');
      await asking.sources.collect(signal);
      const [{ asked_at: lastGood }] = await opened.knex('source_rounds');
      const first = asking.told();
      for (const missed of [1, 2, 3, 4]) {
        asking.own.answer = () => ({ details: [], incomplete: ['pcluster1'] });
        await asking.sources.collect(signal);
        await other.sources.refresh();
        for (const { told } of [asking, other]) {
          expect(told()).toEqual(
            missed < 3 ? first : [{ ...first?.[0], lastSaidAt: lastGood }],
          );
        }
      }
      asking.own.answer = () => saying('first');
      await asking.sources.collect(signal);
      expect(asking.told()?.[0]).not.toHaveProperty('lastSaidAt');
      expect(await rowsWritten()).toMatchObject([{ revision: 1 }]);
    });

    it('mark with an age only what an incomplete answer does not have', async () => {
      const asking = await replica();
      const incomplete = ['pcluster1'];
      for (const round of ['first', 'second', 'third', 'fourth']) {
        asking.own.answer = () => ({ ...saying(round), incomplete });
        await asking.sources.collect(signal);
      }
      expect(asking.told()).toMatchObject([
        { details: { conditions: [{ message: 'fourth' }] } },
      ]);
      expect(asking.told()?.[0]).not.toHaveProperty('lastSaidAt');
      const [{ asked_at: lastSaid }] = await opened.knex('source_rounds');

      // What was told until now is new enough to go without for a while.
      for (const missed of [1, 2, 3]) {
        asking.own.answer = () => ({ details: [], incomplete });
        await asking.sources.collect(signal);
        expect(asking.told()?.[0].lastSaidAt).toBe(
          missed < 3 ? undefined : lastSaid,
        );
      }
      const other = await replica();
      await other.sources.refresh();
      expect(other.told()).toEqual(asking.told());

      // The same answer as before: nothing but its age is another.
      asking.own.answer = () => ({ ...saying('fourth'), incomplete });
      await asking.sources.collect(signal);
      await other.sources.refresh();
      for (const { told } of [asking, other]) {
        expect(told()).toHaveLength(1);
        expect(told()?.[0]).not.toHaveProperty('lastSaidAt');
      }
    });

    it('lose nothing of an answer but what cannot be read of it, and say so', async () => {
      const { own, sources, told } = await replica();
      own.answer = () => saying('first');
      await sources.collect(signal);
      const first = told();
      own.answer = () => ({ details: [{} as never] });
      await sources.collect(signal);
      expect(told()).toEqual(first);
      expect(sources.findings()).toMatchObject([{ code: 'AFC-438' }]);
      own.answer = () => ({
        details: [{} as never, ...saying('second').details],
      });
      await sources.collect(signal);
      expect(told()?.[0].details.conditions?.[0].message).toBe('second');
      own.answer = () => undefined as never;
      await sources.collect(signal);
      expect(told()).toHaveLength(1);
      expect(sources.findings()).toMatchObject([
        { code: 'AFC-430', evidence: 'it answered without a list of details' },
      ]);
    });

    it('drop the answer of the slower of two that ask at the same time', async () => {
      const [slow, quick] = await Promise.all([replica(), replica()]);
      slow.own.collect = async () => {
        quick.own.answer = () => saying('quick');
        await quick.sources.collect(signal);
        return saying('slow');
      };
      await slow.sources.collect(signal);
      await slow.sources.refresh();
      expect(slow.told()).toEqual(quick.told());
      expect(slow.told()?.[0].details.conditions?.[0].message).toBe('quick');
    });

    it('take up what others were told while one does not answer, and drop what it says then', async () => {
      const [slow, quick] = await Promise.all([replica(), replica()]);
      let answer: (said: ResourceSourceAnswer) => void = () => {};
      slow.own.collect = () =>
        new Promise(resolve => {
          answer = resolve;
          slow.own.asked.push({} as ResourceSourceRequest);
        });
      const asking = slow.sources.collect(signal);
      await waitFor(() => slow.own.asked.length === 1);
      quick.own.answer = () => saying('quick');
      await quick.sources.collect(signal);
      await slow.sources.refresh();
      expect(slow.told()).toEqual(quick.told());
      answer(saying('slow'));
      await asking;
      await slow.sources.refresh();
      expect(slow.told()?.[0].details.conditions?.[0].message).toBe('quick');
      expect(await rowsWritten()).toMatchObject([{ revision: 1 }]);
    });

    it('are asked again where one neither answers nor heeds that its time is over', async () => {
      const { own, sources, told } = await replica();
      const { collect } = own;
      own.collect = () => new Promise<never>(() => {});
      const end = new AbortController();
      const asking = sources.collect(end.signal);
      end.abort();
      await expect(asking).rejects.toThrow('aborted');
      own.collect = collect;
      own.answer = () => saying('first');
      await sources.collect(signal);
      expect(told()).toHaveLength(1);
    });

    it('forget in the end what is gone, and have who was away for long read everything', async () => {
      const [asking, away] = await Promise.all([replica(), replica()]);
      asking.own.answer = () => saying('first');
      await asking.sources.collect(signal);
      await away.sources.refresh();
      asking.own.answer = () => ({ details: [] });
      await asking.sources.collect(signal);
      await opened.knex('source_rounds').update({ revision: 1_500 });
      await asking.sources.collect(signal);
      expect(await rowsWritten()).toEqual([]);
      await away.sources.refresh();
      expect(away.told()).toBeUndefined();
      expect(away.heard.at(-1)).toEqual([KEY]);
    });

    it('fail loudly where the database does, and lose nothing by that', async () => {
      const { own, sources, told } = await replica();
      own.answer = () => saying('first');
      await opened.knex.schema.renameTable('source_answers', 'hidden');
      await expect(sources.collect(signal)).rejects.toThrow('source_answers');
      expect(told()).toBeUndefined();
      await opened.knex.schema.renameTable('hidden', 'source_answers');
      await sources.collect(signal);
      expect(told()).toHaveLength(1);
    });
  });
});
