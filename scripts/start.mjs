// `npm start`: hub, simulated fleet, backend and portal, until Ctrl-C.
import { step } from './output.mjs';
import { KUBECONFIG } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';
import { startRealHub } from './real-hub/hub.mjs';
import { runUntilStopped } from './running.mjs';
import {
  assertPortFree,
  startBackend,
  startFleet,
  startHub,
  warningsAndErrors as echo,
  untilInCatalog,
} from './services.mjs';

export async function run(options) {
  const port = Number(options.port ?? 7007);
  const hubPort = Number(options['hub-port'] ?? 16443);
  await runUntilStopped(async services => {
    await assertPortFree(port, '--port');
    await assertPortFree(hubPort, '--hub-port');
    await buildPortal();
    const start = options.hub === 'real' ? startRealHub : startHub;
    services.push(await start({ port: hubPort, kubeconfig: KUBECONFIG, echo }));
    await step('Starting fleet and backend', async () => {
      services.push(startFleet({ ...options, kubeconfig: KUBECONFIG, echo }));
      const backend = await startBackend({
        port,
        kubeconfig: KUBECONFIG,
        echo,
      });
      services.push(backend);
      for (const entity of [
        'component/default/guestbook',
        'resource/default/hub.openshift-gitops.guestbook-allclusters-app-set',
      ]) {
        await untilInCatalog(backend, entity);
      }
    });
    const url = `http://localhost:${port}`;
    console.log(`
  Argo CD Fleet is running.

    Open       ${url}/catalog/default/component/guestbook/fleet
               ${url}/argocd-fleet
    The hub    kubectl --kubeconfig ${KUBECONFIG} get manifestworks.work.open-cluster-management.io -A
    Stop       Ctrl-C
`);
  });
}
