// `npm run hub`: the embedded hub and the simulated fleet, without the portal.
import { resolve } from 'node:path';
import { fail } from './output.mjs';
import { KUBECONFIG } from './paths.mjs';
import {
  assertPortFree,
  runUntilStopped,
  startFleet,
  startHub,
} from './services.mjs';

const echo = () => true;

export async function run(options) {
  const port = Number(options.port ?? 16443);
  const kubeconfig = options.kubeconfig
    ? resolve(options.kubeconfig)
    : KUBECONFIG;
  const services = [];
  try {
    await assertPortFree(port, '--port');
    services.push(await startHub({ port, kubeconfig, echo }));
    services.push(startFleet({ ...options, kubeconfig, echo }));
  } catch (error) {
    fail(error.message);
  }
  console.log(`\n  kubectl --kubeconfig ${kubeconfig} get managedclusters\n`);
  await runUntilStopped(services);
}
