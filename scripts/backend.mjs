// `npm run start:backend`: the backend alone, on the hub of ARGOCD_FLEET_KUBECONFIG or the embedded hub.
import { resolve } from 'node:path';
import { KUBECONFIG } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';
import { runUntilStopped } from './running.mjs';
import {
  assertPortFree,
  startBackend,
  warningsAndErrors as echo,
} from './services.mjs';

export async function run(options) {
  const port = Number(options.port ?? 7007);
  const kubeconfig = process.env.ARGOCD_FLEET_KUBECONFIG
    ? resolve(process.env.ARGOCD_FLEET_KUBECONFIG)
    : KUBECONFIG;
  await runUntilStopped(async services => {
    await assertPortFree(port, '--port');
    await buildPortal();
    const backend = await startBackend({
      ...{ port, kubeconfig, echo },
      mode: options.mode,
    });
    services.push(backend);
    console.log(`\n  ${backend.url}, on the hub of ${kubeconfig}\n`);
  });
}
