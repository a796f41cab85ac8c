/**
 * A process that runs only the controllers of one hub; its argument is the kubeconfig. It loads all code first and
 * waits for a message, so that the start takes no time. It exits with the process that started it.
 */
import { composedHub, runForever } from './composedHub';

const [kubeconfigPath] = process.argv.slice(2);

process.once('disconnect', () => process.exit());
process.once('message', () => {
  const timing = { fullPassEvery: '200ms' };
  const { cache, runners } = composedHub(kubeconfigPath, {
    propagation: timing,
    applicationStatus: timing,
    aggregation: timing,
  });
  const { signal } = new AbortController();
  const work = [
    cache.run(signal),
    ...runners.map(runner => runForever(runner, signal)),
  ];
  Promise.all(work).catch(error => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
});
process.send?.('loaded');
