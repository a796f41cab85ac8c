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

const application = {
  namespace: 'openshift-gitops',
  name: 'pcluster1-guestbook-app',
};
const KEY = 'openshift-gitops/pcluster1-guestbook-app';

/** A source with an answer that the test sets. */
function createTestSource() {
  const requests: ResourceSourceRequest[] = [];
  const source = {
    id: 'index',
    requests,
    answer: (): ResourceSourceAnswer => ({ details: [] }),
    async collect(sourceRequest: ResourceSourceRequest) {
      requests.push(sourceRequest);
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

function answerWith(
  message: string,
  observedAt?: string,
): ResourceSourceAnswer {
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
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        resourceSources: {
          schedule: { frequency: '100ms', timeout: { minutes: 2 } },
        },
      }),
      features: [moduleWith(source)],
    });
    // A later status of an Application that still settles would be newer than a source's answer.
    await waitFor(async () => {
      const found = await rows();
      return (
        found?.length === 3 &&
        found[1].resources.length > 0 &&
        found[1].phase === 'Succeeded' &&
        found[1].health === 'Healthy'
      );
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

  it('are queried about every delivered Application, and shown where their details are newer', async () => {
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
      const [, pcluster1] = await rows();
      return pcluster1.conditions.length === 1 && pcluster1;
    });
    expect(row).toMatchObject({
      cluster: { name: 'pcluster1' },
      conditions: [{ type: 'OperationError' }],
      images: ['registry.example.com/guestbook:1'],
      sources: {
        conditions: {
          from: 'index',
          observedAt: expect.not.stringContaining('2999'),
        },
        images: { from: 'index' },
        // The source has no resources: those come from the work.
        resources: { from: 'manifestWork' },
      },
    });
    expect(row.resources.length).toBeGreaterThan(0);
    expect(source.requests.at(-1)?.applications).toContainEqual({
      application,
      onCluster: application,
      cluster: 'pcluster1',
      applicationSet: EXAMPLE_SET,
    });
    expect(
      source.requests.at(-1)?.applications.map(({ cluster }) => cluster),
    ).not.toContain('local-cluster');
  });

  it('keep their last good answer and report a finding when they fail', async () => {
    source.answer = () => {
      throw new Error('the index is being rebuilt');
    };
    const hubState = await waitFor(async () => {
      const { body } = await request(backend.server).get(EXAMPLE_SET_PATH);
      return body.hubState.findings.length === 1 && body.hubState;
    });
    expect(hubState.findings[0]).toMatchObject({
      code: 'AFC-430',
      evidence: 'the index is being rebuilt',
    });
    expect((await rows())[1].conditions[0].type).toBe('OperationError');
  });

  it('are not shown where the ManifestWork has newer details', async () => {
    source.answer = () => answerWith('long ago', '2020-01-01T00:00:00Z');
    const row = await waitFor(async () => {
      const [, pcluster1] = await rows();
      return pcluster1.conditions.length === 0 && pcluster1;
    });
    expect(row.sources.conditions.from).toBe('manifestWork');
  });

  describe('on several replicas with one database', () => {
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
      const hub = composedHub(
        testHub.kubeconfigPath,
        {},
        {
          sources: { added: [own], store: createAnswerStore(opened.knex) },
        },
      );
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
      const notified: (readonly string[])[] = [];
      sources.onChange(keys => notified.push(keys));
      return { own, sources, notified, details: () => sources.detailsOf(KEY) };
    }

    const rowsWritten = async () =>
      (
        await opened
          .knex('source_answers')
          .select('application', 'revision', 'changed_at', 'details')
      ).filter(({ application: key }) => key === KEY);

    it('are known to the other replicas, and after a restart', async () => {
      const [active, other] = await Promise.all([replica(), replica()]);
      active.own.answer = () => answerWith('first');
      await active.sources.collect(signal);
      expect(active.details()).toMatchObject([
        { source: 'index', details: { conditions: [{ message: 'first' }] } },
      ]);
      expect(active.notified).toEqual([[KEY]]);
      expect(other.details()).toBeUndefined();
      await other.sources.refresh();
      expect(other.details()).toEqual(active.details());
      expect(other.notified).toEqual([[KEY]]);

      const restarted = await replica();
      await restarted.sources.refresh();
      expect(restarted.details()).toEqual(active.details());
    });

    it('store only changed answers', async () => {
      const { own, sources, notified, details } = await replica();
      own.answer = () => answerWith('first');
      await sources.collect(signal);
      const before = details();
      await sources.collect(signal);
      expect(details()).toBe(before);
      expect(await rowsWritten()).toMatchObject([
        { revision: 1, changed_at: null },
      ]);
      own.answer = () => answerWith('second');
      await sources.collect(signal);
      expect(details()?.[0].changedAt).toEqual(expect.any(String));
      expect(await rowsWritten()).toMatchObject([{ revision: 3 }]);
      expect(notified).toHaveLength(2);
    });

    it('delete on every replica what a complete answer lacks', async () => {
      const [active, other] = await Promise.all([replica(), replica()]);
      active.own.answer = () => answerWith('first');
      await active.sources.collect(signal);
      await other.sources.refresh();
      active.own.answer = () => ({ details: [] });
      await active.sources.collect(signal);
      expect(active.details()).toBeUndefined();
      await other.sources.refresh();
      expect(other.details()).toBeUndefined();
      expect(other.notified).toEqual([[KEY], [KEY]]);
    });

    it('keep what an incomplete answer lacks, with its age, until an answer is complete again', async () => {
      const [active, other] = await Promise.all([replica(), replica()]);
      active.own.answer = () => answerWith('first');
      await active.sources.collect(signal);
      const [{ asked_at: lastGood }] = await opened.knex('source_rounds');
      const first = active.details();
      for (const missed of [1, 2, 3, 4]) {
        active.own.answer = () => ({ details: [], incomplete: ['pcluster1'] });
        await active.sources.collect(signal);
        await other.sources.refresh();
        for (const { details } of [active, other]) {
          expect(details()).toEqual(
            missed < 3 ? first : [{ ...first?.[0], lastSaidAt: lastGood }],
          );
        }
      }
      active.own.answer = () => answerWith('first');
      await active.sources.collect(signal);
      expect(active.details()?.[0]).not.toHaveProperty('lastSaidAt');
      expect(await rowsWritten()).toMatchObject([{ revision: 1 }]);
    });

    it('show an age only for what an incomplete answer lacks', async () => {
      const active = await replica();
      const incomplete = ['pcluster1'];
      for (const round of ['first', 'second', 'third', 'fourth']) {
        active.own.answer = () => ({ ...answerWith(round), incomplete });
        await active.sources.collect(signal);
      }
      expect(active.details()).toMatchObject([
        { details: { conditions: [{ message: 'fourth' }] } },
      ]);
      expect(active.details()?.[0]).not.toHaveProperty('lastSaidAt');
      const [{ asked_at: lastSaid }] = await opened.knex('source_rounds');

      // The last answer is recent: its age is not shown for two rounds.
      for (const missed of [1, 2, 3]) {
        active.own.answer = () => ({ details: [], incomplete });
        await active.sources.collect(signal);
        expect(active.details()?.[0].lastSaidAt).toBe(
          missed < 3 ? undefined : lastSaid,
        );
      }
      const other = await replica();
      await other.sources.refresh();
      expect(other.details()).toEqual(active.details());

      // The same answer as before: only its age differs.
      active.own.answer = () => ({ ...answerWith('fourth'), incomplete });
      await active.sources.collect(signal);
      await other.sources.refresh();
      for (const { details } of [active, other]) {
        expect(details()).toHaveLength(1);
        expect(details()?.[0]).not.toHaveProperty('lastSaidAt');
      }
    });

    it('leave out only the malformed part of an answer, and report it', async () => {
      const { own, sources, details } = await replica();
      own.answer = () => answerWith('first');
      await sources.collect(signal);
      const first = details();
      own.answer = () => ({ details: [{} as never] });
      await sources.collect(signal);
      expect(details()).toEqual(first);
      expect(sources.findings()).toMatchObject([{ code: 'AFC-438' }]);
      own.answer = () => ({
        details: [{} as never, ...answerWith('second').details],
      });
      await sources.collect(signal);
      expect(details()?.[0].details.conditions?.[0].message).toBe('second');
      own.answer = () => undefined as never;
      await sources.collect(signal);
      expect(details()).toHaveLength(1);
      expect(sources.findings()).toMatchObject([
        { code: 'AFC-430', evidence: 'it answered without a list of details' },
      ]);
    });

    it('discard the slower one of two concurrent answers', async () => {
      const [slow, quick] = await Promise.all([replica(), replica()]);
      slow.own.collect = async () => {
        quick.own.answer = () => answerWith('quick');
        await quick.sources.collect(signal);
        return answerWith('slow');
      };
      await slow.sources.collect(signal);
      await slow.sources.refresh();
      expect(slow.details()).toEqual(quick.details());
      expect(slow.details()?.[0].details.conditions?.[0].message).toBe('quick');
    });

    it('read the answers of other replicas during a slow query, and discard its late answer', async () => {
      const [slow, quick] = await Promise.all([replica(), replica()]);
      let answer: (answered: ResourceSourceAnswer) => void = () => {};
      slow.own.collect = () =>
        new Promise(resolve => {
          answer = resolve;
          slow.own.requests.push({} as ResourceSourceRequest);
        });
      const slowRound = slow.sources.collect(signal);
      await waitFor(() => slow.own.requests.length === 1);
      quick.own.answer = () => answerWith('quick');
      await quick.sources.collect(signal);
      await slow.sources.refresh();
      expect(slow.details()).toEqual(quick.details());
      answer(answerWith('slow'));
      await slowRound;
      await slow.sources.refresh();
      expect(slow.details()?.[0].details.conditions?.[0].message).toBe('quick');
      expect(await rowsWritten()).toMatchObject([{ revision: 1 }]);
    });

    it('are queried again after a query that ignores its abort signal', async () => {
      const { own, sources, details } = await replica();
      const { collect } = own;
      own.collect = () => new Promise<never>(() => {});
      const end = new AbortController();
      const round = sources.collect(end.signal);
      end.abort();
      await expect(round).rejects.toThrow('aborted');
      own.collect = collect;
      own.answer = () => answerWith('first');
      await sources.collect(signal);
      expect(details()).toHaveLength(1);
    });

    it('delete old answers in the end, and have a replica that was away for long read everything', async () => {
      const [active, away] = await Promise.all([replica(), replica()]);
      active.own.answer = () => answerWith('first');
      await active.sources.collect(signal);
      await away.sources.refresh();
      active.own.answer = () => ({ details: [] });
      await active.sources.collect(signal);
      await opened.knex('source_rounds').update({ revision: 1_500 });
      await active.sources.collect(signal);
      expect(await rowsWritten()).toEqual([]);
      await away.sources.refresh();
      expect(away.details()).toBeUndefined();
      expect(away.notified.at(-1)).toEqual([KEY]);
    });

    it('fail when the database fails, and lose no answer', async () => {
      const { own, sources, details } = await replica();
      own.answer = () => answerWith('first');
      await opened.knex.schema.renameTable('source_answers', 'hidden');
      await expect(sources.collect(signal)).rejects.toThrow('source_answers');
      expect(details()).toBeUndefined();
      await opened.knex.schema.renameTable('hidden', 'source_answers');
      await sources.collect(signal);
      expect(details()).toHaveLength(1);
    });
  });
});
