/**
 * A process that only records the state of a hub. Its arguments are a kubeconfig and a database configuration in JSON.
 * It sends a message for each acknowledged transition and exits with the process that started it.
 */
import createKnex from 'knex';
import { createFleetDatabase } from '../../../database/fleetDatabase';
import { createFleetRecords } from '../../../database/fleetRecords';
import { HISTORY_LIMITS } from '../../../model/status/historyPace';
import { composedHub, runForever } from './composedHub';

const [kubeconfigPath, databaseConfig] = process.argv.slice(2);

process.once('disconnect', () => process.exit());
process.once('message', () => {
  record().catch(error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
});
process.send?.('loaded');

async function record() {
  const knex = createKnex(JSON.parse(databaseConfig));
  await createFleetDatabase({
    getClient: async () => knex,
    migrations: { skip: true },
  });
  // Whatever changes here is recorded: it changes more often than history has room for.
  const records = createFleetRecords(knex, {
    ...HISTORY_LIMITS,
    ...{ perMinute: Infinity, perMinuteOfHub: Infinity },
  });
  const { cache, runners } = composedHub(
    kubeconfigPath,
    { resourceSync: { fullPassEvery: '200ms' } },
    {
      records: {
        ...records,
        async record(hub, epoch, changes) {
          const after = await records.record(hub, epoch, changes);
          changes.forEach(({ name, change }, index) => {
            if (change?.isTransition) {
              const { sequence } = after[index]!;
              const { error } = change.columns;
              process.send?.({ acknowledged: { name, sequence, error } });
            }
          });
          return after;
        },
      },
    },
  );
  const runner = runners.find(
    ({ controller }) => controller === 'resourceSync',
  )!;
  const { signal } = new AbortController();
  await Promise.all([cache.run(signal), runForever(runner, signal)]);
}
