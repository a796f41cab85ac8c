// The real control plane as a hub: what the embedded hub is to everybody else.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { step } from '../output.mjs';
import { findOrBuildControlPlane } from './build.mjs';
import { startControlPlane } from './start.mjs';

/** Starts it and writes the kubeconfig. Rejects with what to install or set where its programs cannot be had. */
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
