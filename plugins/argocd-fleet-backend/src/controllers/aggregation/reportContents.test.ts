import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import {
  NAMESPACE,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../../fleet/resources';
import type { FleetHub } from '../../fleetHub';
import { reportedWork, workOf } from '../../model/__testUtils__/works';
import {
  composedHub,
  runForever,
} from '../../systemTests/convergence/__testUtils__/composedHub';

const SET = { namespace: NAMESPACE, name: 'set' };
const CLUSTERS = Array.from({ length: 20 }, (_, index) => `cluster${index}`);
const CHANGING = 'cluster1';

type Row = NonNullable<
  MulticlusterApplicationSetReport['statuses']['clusterConditions']
>[number];

describe('the report of a set with many clusters', () => {
  let testHub: TestHub;
  let admin: TestHub['admin'];
  let hub: FleetHub;
  let stop: () => Promise<void>;

  function start() {
    hub = composedHub(testHub.kubeconfigPath, {
      aggregation: { fullPassEvery: '50ms' },
    });
    const { cache, client, runners } = hub;
    const ending = new AbortController();
    const runner = runners.find(
      ({ controller }) => controller === 'aggregation',
    )!;
    const running = [
      cache.run(ending.signal),
      runForever(runner, ending.signal),
    ];
    stop = async () => {
      ending.abort();
      await Promise.all(running);
      await client.close();
    };
    return {
      patch: jest.spyOn(client, 'patch'),
      get: jest.spyOn(client, 'get'),
      /** Resolves once two full passes have ended. */
      async quiet() {
        const passes = new Set<string | undefined>();
        await waitFor(async () => {
          passes.add(runner.status().lastPassAt);
          return passes.size > 3;
        });
      },
    };
  }

  beforeAll(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, CHANGING);
    await admin.create('applicationSets', pullApplicationSet(SET.name));
    const set = await admin.get('applicationSets', SET);
    await Promise.all(
      CLUSTERS.map(cluster =>
        admin.create(
          'applications',
          pullApplication(cluster, cluster, ownedBy(set)),
        ),
      ),
    );
    const app = await admin.get('applications', {
      ...SET,
      name: CHANGING,
    });
    await admin.create('works', workOf(app));
  });

  afterEach(() => stop());

  afterAll(() => testHub.stop());

  /** What the work's agent brings home. */
  async function report(healthStatus: string) {
    const [work] = await admin.list('works');
    const { status } = reportedWork({ work, feedback: { healthStatus } });
    await testHub.patchStatus('works', work.metadata, status);
  }

  async function rows(): Promise<readonly Row[]> {
    const stored = await admin.get('reports', SET);
    return stored?.statuses.clusterConditions ?? [];
  }

  async function expectReported(health: string) {
    await waitFor(async () => {
      const found = await rows();
      expect(found.map(({ cluster }) => cluster)).toEqual(CLUSTERS.toSorted());
      expect(found.map(({ healthStatus }) => healthStatus)).toEqual(
        found.map(({ cluster }) => (cluster === CHANGING ? health : 'Unknown')),
      );
      return true;
    });
    const stored = await admin.get('reports', SET);
    expect(stored?.statuses.summary).toMatchObject({
      clusters: String(CLUSTERS.length),
      healthy: health === 'Healthy' ? '1' : '0',
      inProgress: health === 'Progressing' ? '1' : '0',
    });
  }

  it('is patched row by row by the process that wrote it, without a read', async () => {
    const { patch, get, quiet } = start();
    await expectReported('Unknown');
    await report('Progressing');
    await expectReported('Progressing');
    await report('Healthy');
    await expectReported('Healthy');
    await quiet();
    const place = CLUSTERS.toSorted().indexOf(CHANGING);
    expect(
      patch.mock.calls.map(([, , operations]) =>
        (operations as unknown as { path: string }[]).map(({ path }) => path),
      ),
    ).toEqual(
      Array(2).fill([
        `/statuses/clusterConditions/${place}`,
        '/statuses/summary',
      ]),
    );
    expect(get).not.toHaveBeenCalled();
  });

  it('is read once when another client changed it, and corrected', async () => {
    const { patch, get, quiet } = start();
    await quiet();
    expect(patch).not.toHaveBeenCalled();
    const [first, ...others] = await rows();
    await admin.patch('reports', SET, {
      statuses: {
        clusterConditions: [...others, { ...first, healthStatus: 'Degraded' }],
      },
    });
    await expectReported('Healthy');
    await quiet();
    expect(get).toHaveBeenCalledTimes(1);
    expect(get).toHaveBeenCalledWith(
      FLEET_RESOURCES.reports,
      SET,
      expect.anything(),
    );
    expect(patch).toHaveBeenCalledTimes(1);
    // What it wrote, it knows again.
    await report('Progressing');
    await expectReported('Progressing');
    await quiet();
    expect(get).toHaveBeenCalledTimes(1);
    expect(patch).toHaveBeenCalledTimes(2);
  });

  it('is not written when another client changed nothing of ours', async () => {
    const { patch, get, quiet } = start();
    await quiet();
    await admin.patch('reports', SET, {
      metadata: { labels: { team: 'a' } },
    });
    await waitFor(async () => get.mock.calls.length > 0);
    await quiet();
    expect(get).toHaveBeenCalledTimes(1);
    expect(patch).not.toHaveBeenCalled();
  });

  it('is created again when it was deleted', async () => {
    const { patch, get, quiet } = start();
    await quiet();
    await admin.delete('reports', SET);
    await expectReported('Progressing');
    await report('Degraded');
    await expectReported('Degraded');
    expect(get).not.toHaveBeenCalled();
    expect(patch).toHaveBeenCalledTimes(1);
  });

  it('is written whole by another process when it was changed meanwhile', async () => {
    await report('Missing');
    const { patch, get, quiet } = start();
    await expectReported('Missing');
    await quiet();
    expect(patch.mock.calls.map(([, , body]) => Object.keys(body))).toEqual([
      ['statuses'],
    ]);
    expect(get).not.toHaveBeenCalled();
  });
});
