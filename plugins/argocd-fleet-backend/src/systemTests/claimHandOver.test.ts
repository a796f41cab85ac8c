import {
  coreServices,
  createBackendPlugin,
} from '@backstage/backend-plugin-api';
import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import { oneHub, startFleetBackend } from '../__testUtils__/fleetBackend';
import { startTestHub } from '../__testUtils__/hubFixture';
import { waitFor } from '../__testUtils__/waitFor';

describe('a backend that shuts down', () => {
  const databases = TestDatabases.create({ ids: ['SQLITE_3'] });

  it('releases its claims before the database closes, so that another replica takes over at once', async () => {
    const knex = await databases.init('SQLITE_3');
    const testHub = await startTestHub();
    const claimed = async () => {
      const rows = await knex('backstage_backend_tasks__tasks').whereNotNull(
        'current_run_ticket',
      );
      return rows.map(({ id }) => id).sort();
    };
    let claimedOnShutdown: string[] | undefined;
    const shutdownObserver = createBackendPlugin({
      pluginId: 'shutdown-observer',
      register(env) {
        env.registerInit({
          deps: { lifecycle: coreServices.rootLifecycle },
          // Backstage stops its tasks and closes its databases after this hook.
          init: async ({ lifecycle }) =>
            lifecycle.addShutdownHook(async () => {
              claimedOnShutdown = await claimed();
            }),
        });
      },
    });
    const start = () =>
      startFleetBackend({
        argocdFleet: oneHub(testHub.kubeconfigPath, {
          // A claim that is not released would last longer than the test.
          controllers: {
            propagation: {
              schedule: { frequency: { seconds: 1 }, timeout: { hours: 1 } },
            },
          },
        }),
        database: mockServices.database.mock({ getClient: async () => knex })
          .factory,
        features: [shutdownObserver],
      });

    const first = await start();
    await waitFor(async () => (await claimed()).includes('propagation-hub'));
    await first.stop();
    expect(claimedOnShutdown).toEqual([]);

    const second = await start();
    await waitFor(async () => (await claimed()).includes('propagation-hub'));
    await second.stop();
    await testHub.stop();
  });
});
