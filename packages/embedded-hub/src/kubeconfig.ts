import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

const NAME = 'embedded-hub';

/** A kubeconfig for a hub at this address, with a bearer token where the hub asks for one. */
export function kubeconfigFor(url: string, token?: string): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: NAME,
        // There is no TLS to verify; @kubernetes/client-node takes plain HTTP only with this.
        cluster: { server: url, 'insecure-skip-tls-verify': true },
      },
    ],
    contexts: [
      {
        name: NAME,
        context: { cluster: NAME, user: NAME, namespace: 'default' },
      },
    ],
    users: [{ name: NAME, user: token === undefined ? {} : { token } }],
    'current-context': NAME,
  });
}

/** Writes a file so that nobody ever reads half of it, and makes its directory. */
export function writeKubeconfig(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.kubeconfig-${process.pid}.tmp`);
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
