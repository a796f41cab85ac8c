// Starts the real control plane in place of the embedded hub.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { step } from '../output.mjs';
import { findOrBuildControlPlane } from './build.mjs';
import { startControlPlane } from './start.mjs';

/**
 * Starts the control plane and writes its kubeconfig. Rejects with what to install or set if its programs are missing.
 */
export async function startRealHub({ port, kubeconfig, dataDir }) {
  const { binaries, missing } = await findOrBuildControlPlane();
  if (missing) {
    throw new Error(missing);
  }
  const hub = await step('Starting etcd and kube-apiserver', () =>
    startControlPlane({ binaries, port, dataDir }),
  );
  mkdirSync(dirname(kubeconfig), { recursive: true });
  writeFileSync(kubeconfig, hub.kubeconfig, { mode: 0o600 });
  return hub;
}
