import { existsSync } from 'node:fs';

import { KubeConfig } from '@kubernetes/client-node';

/** A kubeconfig as text, or where to read one. */
export type KubeConfigSource = string | { path: string };

/**
 * Loads a kubeconfig and checks that its current context names a server.
 *
 * @throws Error when the file is missing or names no server.
 */
export function loadKubeConfig(source: KubeConfigSource): KubeConfig {
  const where =
    typeof source === 'string' ? 'the given kubeconfig' : source.path;
  if (typeof source !== 'string' && !existsSync(source.path)) {
    throw new Error(
      `There is no kubeconfig at ${source.path}: start the hub first, or name the file of a hub that runs.`,
    );
  }
  const config = new KubeConfig();
  if (typeof source === 'string') {
    config.loadFromString(source);
  } else {
    config.loadFromFile(source.path);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new Error(
      `The current context of ${where} names no cluster: set current-context to one that does.`,
    );
  }
  if (cluster.server.startsWith('http:')) {
    // kubectl accepts plain HTTP as it is; the client library insists on
    // being told that there is no TLS to verify.
    config.clusters = config.clusters.map(entry =>
      entry.name === cluster.name ? { ...entry, skipTLSVerify: true } : entry,
    );
  }
  return config;
}
