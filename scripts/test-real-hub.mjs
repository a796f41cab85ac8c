// `npm run test:real-hub`: what must hold on any Kubernetes API, on a real etcd and kube-apiserver: the contract that the embedded hub
// is held to, Argo CD's own ApplicationSet controller beside ours, and the product's loop from hub to browser.
import { join } from 'node:path';
import { step } from './output.mjs';
import { ROOT } from './paths.mjs';
import { findOrBuildControlPlane } from './real-hub/build.mjs';
import { startControlPlane } from './real-hub/start.mjs';
import {
  resultsFolder,
  runJest,
  runParts,
  runPlaywright,
} from './test-runs.mjs';

export async function run() {
  const folder = resultsFolder('test-real-hub');
  const { binaries, missing } = await findOrBuildControlPlane({ argocd: true });
  if (missing) {
    console.error(`○ ${missing}`);
    await runParts(folder, [
      () => ({ passed: 0, failed: 0, skipped: 1, failures: [] }),
    ]);
    return;
  }
  const hub = await step('Starting etcd and kube-apiserver', () =>
    startControlPlane({ binaries }),
  );
  const contract = () =>
    runJest(folder, 'contract', ['package', 'test'], {
      cwd: join(ROOT, 'e2e-tests'),
      env: {
        ARGOCD_FLEET_TEST_HUB_KUBECONFIG: hub.kubeconfigPath,
        ARGOCD_FLEET_ARGOCD_BINARY: binaries.argocd,
      },
    });
  const loop = () =>
    runPlaywright(folder, ['loop'], { ARGOCD_FLEET_E2E_HUB: 'real' });
  try {
    await runParts(folder, [contract, loop]);
  } finally {
    await hub.stop();
  }
}
