// `npm run hub`: the embedded hub and the simulated fleet, without the portal.
import { resolve } from 'node:path';
import { KUBECONFIG } from './paths.mjs';
import { runUntilStopped } from './running.mjs';
import { assertPortFree, startFleet, startHub } from './services.mjs';

const echo = () => true;

export async function run(options) {
  const port = Number(options.port ?? 16443);
  const kubeconfig = options.kubeconfig
    ? resolve(options.kubeconfig)
    : KUBECONFIG;
  await runUntilStopped(async services => {
    await assertPortFree(port, '--port');
    services.push(await startHub({ port, kubeconfig, echo }));
    services.push(startFleet({ ...options, kubeconfig, echo }));
    console.log(`\n  kubectl --kubeconfig ${kubeconfig} get managedclusters\n`);
  });
}
