// Runs a real control plane until a signal, for experiments.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, step } from '../output.mjs';
import { runUntilStopped } from '../running.mjs';
import { assertPortFree } from '../services.mjs';
import { findOrBuildControlPlane } from './build.mjs';
import { startControlPlane } from './start.mjs';

const USAGE =
  'node scripts/real-hub/main.mjs [--port N] [--kubeconfig FILE] [--data-dir FOLDER]';

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: 'string', default: '0' },
        kubeconfig: { type: 'string' },
        'data-dir': { type: 'string' },
      },
    });
    if (!/^\d+$/.test(values.port) || Number(values.port) > 65535) {
      throw new Error(
        `--port takes a port number up to 65535, not "${values.port}"`,
      );
    }
    return values;
  } catch (error) {
    return fail(`${error.message}\nUsage: ${USAGE}`);
  }
}

const options = readOptions();
const port = Number(options.port);
await runUntilStopped(async services => {
  if (port) {
    await assertPortFree(port, '--port');
  }
  const { binaries, missing } = await findOrBuildControlPlane();
  if (missing) {
    throw new Error(missing);
  }
  const dataDir = options['data-dir'] && resolve(options['data-dir']);
  const hub = await step('Starting etcd and kube-apiserver', () =>
    startControlPlane({ binaries, port, dataDir }),
  );
  services.push(hub);
  const kubeconfig = options.kubeconfig
    ? resolve(options.kubeconfig)
    : hub.kubeconfigPath;
  mkdirSync(dirname(kubeconfig), { recursive: true });
  writeFileSync(kubeconfig, hub.kubeconfig, { mode: 0o600 });
  console.log(`real hub listening on ${hub.url}`);
  console.log(`kubeconfig: ${kubeconfig}`);
});
