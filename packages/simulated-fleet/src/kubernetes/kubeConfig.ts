import { existsSync } from 'node:fs';

import { DispatcherOptions, KubeConfig } from '@kubernetes/client-node';

/** A kubeconfig as text, or the path of its file. */
export type KubeConfigSource = string | { path: string };

/** Keeps HTTP/2 from being negotiated: why, docs/decisions.md says. */
const HTTP_1 = { allowH2: false };

class Http1KubeConfig extends KubeConfig {
  createDispatcherOptions(
    ...parameters: Parameters<KubeConfig['createDispatcherOptions']>
  ): DispatcherOptions {
    const options = super.createDispatcherOptions(...parameters);
    return options.type === 'agent'
      ? { ...options, connect: { ...options.connect, ...HTTP_1 } }
      : options;
  }
}

/**
 * Loads a kubeconfig and checks that its current context names a server.
 *
 * @throws Error if the file is missing or its current context has no cluster.
 */
export function loadKubeConfig(source: KubeConfigSource): KubeConfig {
  const where =
    typeof source === 'string' ? 'the given kubeconfig' : source.path;
  if (typeof source !== 'string' && !existsSync(source.path)) {
    throw new Error(
      `There is no kubeconfig at ${source.path}: start the hub first, or pass the kubeconfig of a running hub.`,
    );
  }
  const config = new Http1KubeConfig();
  if (typeof source === 'string') {
    config.loadFromString(source);
  } else {
    config.loadFromFile(source.path);
  }
  const cluster = config.getCurrentCluster();
  if (!cluster) {
    throw new Error(
      `The current context of ${where} has no cluster: set current-context to a context with a cluster.`,
    );
  }
  if (cluster.server.startsWith('http:')) {
    // kubectl accepts plain HTTP; the client library needs skipTLSVerify for it.
    config.clusters = config.clusters.map(entry =>
      entry.name === cluster.name ? { ...entry, skipTLSVerify: true } : entry,
    );
  }
  return config;
}
