// `npm run start:backend`: the backend alone, on the hub of ARGOCD_FLEET_KUBECONFIG or the embedded one.
import { resolve } from 'node:path';
import { fail } from './output.mjs';
import { KUBECONFIG } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';
import {
  assertPortFree,
  runUntilStopped,
  startBackend,
  troubleOnly as echo,
} from './services.mjs';

export async function run(options) {
  const port = Number(options.port ?? 7007);
  const kubeconfig = process.env.ARGOCD_FLEET_KUBECONFIG
    ? resolve(process.env.ARGOCD_FLEET_KUBECONFIG)
    : KUBECONFIG;
  try {
    await assertPortFree(port, '--port');
    await buildPortal();
    const backend = await startBackend({
      ...{ port, kubeconfig, echo },
      mode: options.mode,
    });
    console.log(`\n  ${backend.url}, on the hub of ${kubeconfig}\n`);
    await runUntilStopped([backend]);
  } catch (error) {
    fail(error.message);
  }
}
