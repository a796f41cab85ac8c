// `npm start`: hub, simulated fleet, backend and portal, until Ctrl-C.
import { step } from './output.mjs';
import { KUBECONFIG } from './paths.mjs';
import { buildPortal } from './portal-build.mjs';
import { startRealHub } from './real-hub/hub.mjs';
import { runUntilStopped } from './running.mjs';
import {
  assertPortFree,
  gitServerOf,
  startBackend,
  startFleet,
  startHub,
  warningsAndErrors as echo,
  untilInCatalog,
} from './services.mjs';

export async function run(options) {
  const port = Number(options.port ?? 7007);
  const hubPort = Number(options['hub-port'] ?? 16443);
  const gitPort = Number(options['git-port'] ?? 17007);
  await runUntilStopped(async services => {
    await assertPortFree(port, '--port');
    await assertPortFree(hubPort, '--hub-port');
    await assertPortFree(gitPort, '--git-port');
    await buildPortal();
    const start = options.hub === 'real' ? startRealHub : startHub;
    services.push(await start({ port: hubPort, kubeconfig: KUBECONFIG, echo }));
    const git = await gitServerOf({ port: gitPort, kubeconfig: KUBECONFIG });
    await step('Starting fleet and backend', async () => {
      const shared = { kubeconfig: KUBECONFIG, git, echo };
      services.push(startFleet({ ...options, ...shared }));
      const backend = await startBackend({ port, ...shared });
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
               ${url}/create
    The hub    kubectl --kubeconfig ${KUBECONFIG} get manifestworks.work.open-cluster-management.io -A
${git ? `    Git        http://fleet:${git.password}@${git.host}\n` : ''}    Stop       Ctrl-C
`);
  });
}
