/**
 * A process that runs only the controllers of one hub. Its arguments are the kubeconfig and, optionally, a file
 * of SQLite, which keeps what is decided about deletions; with it, deletions that are too many are held.
 *
 * It loads all code first and waits for a message, so that the start takes no time. It sends a message for each full
 * pass of propagation, and exits with the process that started it.
 */
import createKnex from 'knex';
import { createRemovalStore } from '../../../database/removalStore';
import { composedHub, runForever } from './composedHub';

const [kubeconfigPath, database] = process.argv.slice(2);

process.once('disconnect', () => process.exit());
process.once('message', () => {
  runControllers().catch(error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
});
process.send?.('loaded');

async function runControllers() {
  const timing = { fullPassEvery: '200ms' };
  const { cache, runners } = composedHub(
    kubeconfigPath,
    {
      propagation: timing,
      applicationStatus: timing,
      aggregation: timing,
    },
    database ? { holds: true, removals: removalsIn(database) } : undefined,
  );
  const { signal } = new AbortController();
  const propagation = runners.find(
    ({ controller }) => controller === 'propagation',
  )!;
  let last: string | undefined;
  setInterval(() => {
    const { lastPassAt } = propagation.status();
    if (lastPassAt !== last) {
      last = lastPassAt;
      process.send?.({ lastPassAt });
    }
  }, 50);
  await Promise.all([
    cache.run(signal),
    ...runners.map(runner => runForever(runner, signal)),
  ]);
}

function removalsIn(filename: string) {
  return createRemovalStore(
    createKnex({
      client: 'better-sqlite3',
      connection: { filename },
      useNullAsDefault: true,
    }),
  );
}
