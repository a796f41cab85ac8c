import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

/** A kubeconfig, as YAML, for a server that speaks plain HTTP. */
export function kubeconfigFor(options: {
  /** Name of the cluster, the context and the user. */
  readonly name: string;
  /** Base URL. */
  readonly server: string;
  /** Bearer token; without it requests are anonymous. */
  readonly token?: string;
}): string {
  const { name, server, token } = options;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        // There is no TLS to verify; @kubernetes/client-node accepts plain HTTP only with this.
        cluster: { server, 'insecure-skip-tls-verify': true },
      },
    ],
    contexts: [
      { name, context: { cluster: name, user: name, namespace: 'default' } },
    ],
    users: [{ name, user: token === undefined ? {} : { token } }],
    'current-context': name,
  });
}

/** Writes a kubeconfig atomically, so that no reader gets half of it; creates its directory. */
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
