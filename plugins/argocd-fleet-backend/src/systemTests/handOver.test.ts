import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub } from '../__testUtils__/hubFixture';
import { waitFor } from '../__testUtils__/waitFor';

jest.setTimeout(90_000);

describe('hand-over', () => {
  const databases = TestDatabases.create({ ids: ['SQLITE_3'] });

  it('lets its claims go when the backend is shut down, while the database is still there, so that another replica takes over at once', async () => {
    const knex = await databases.init('SQLITE_3');
    const testHub = await startTestHub();
    const claimed = async () => {
      const rows = await knex('backstage_backend_tasks__tasks').whereNotNull(
        'current_run_ticket',
      );
      return rows.map(({ id }) => id).sort();
    };
    let claimedAtTheEnd: string[] | undefined;
    const lastMoment = createBackendPlugin({
      pluginId: 'last-moment',
      register(env) {
        env.registerInit({
          deps: { lifecycle: coreServices.rootLifecycle },
          // This is when Backstage ends its tasks, and closes its databases.
          init: async ({ lifecycle }) =>
            lifecycle.addShutdownHook(async () => {
              claimedAtTheEnd = await claimed();
            }),
        });
      },
    });
    const start = () =>
      startFleetBackend({
        argocdFleet: oneHub(testHub.kubeconfigPath),
        database: mockServices.database.mock({ getClient: async () => knex })
          .factory,
        features: [lastMoment],
      });

    const first = await start();
    await waitFor(async () => (await claimed()).includes('propagation-hub'));
    await first.stop();
    expect(claimedAtTheEnd).toEqual([]);

    // Long before the first one's claim would have timed out.
    const second = await start();
    await waitFor(async () => (await claimed()).includes('propagation-hub'));
    await second.stop();
    await testHub.stop();
  });
});
