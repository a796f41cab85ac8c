// `npm run fleet`: only the simulated fleet, on the hub of a kubeconfig.
import { resolve } from 'node:path';
import { fail } from './output.mjs';
import { runUntilStopped } from './running.mjs';
import { startFleet } from './services.mjs';

export async function run(options) {
  if (!options.kubeconfig) {
    fail('Name the kubeconfig of a hub: npm run fleet -- --kubeconfig FILE');
  }
  const kubeconfig = resolve(options.kubeconfig);
  await runUntilStopped(async services => {
    services.push(startFleet({ ...options, kubeconfig, echo: () => true }));
  });
}
