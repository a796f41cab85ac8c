/**
 * A process with nothing but the controllers of one hub: the kubeconfig is its argument. It loads everything at once and begins when it
 * is told to, so that its start takes no time; it is made to be killed, and ends with the process that started it.
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
