// `npm run fleet`: the simulated fleet alone, on the hub of any kubeconfig.
import { resolve } from 'node:path';
import { fail } from './output.mjs';
import { runUntilStopped, startFleet } from './services.mjs';

export async function run(options) {
  if (!options.kubeconfig) {
    fail('Name the hub: npm run fleet -- --kubeconfig FILE');
  }
  try {
    const kubeconfig = resolve(options.kubeconfig);
    await runUntilStopped([
      startFleet({ ...options, kubeconfig, echo: () => true }),
    ]);
  } catch (error) {
    fail(error.message);
  }
}
