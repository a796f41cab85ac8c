// `npm run fleet`: the simulated fleet alone, on the hub of any kubeconfig.
import { resolve } from 'node:path';
import { fail } from './output.mjs';
import { runUntilStopped } from './running.mjs';
import { startFleet } from './services.mjs';

export async function run(options) {
  if (!options.kubeconfig) {
    fail('Name the hub: npm run fleet -- --kubeconfig FILE');
  }
  const kubeconfig = resolve(options.kubeconfig);
  await runUntilStopped(async services => {
    services.push(startFleet({ ...options, kubeconfig, echo: () => true }));
  });
}
