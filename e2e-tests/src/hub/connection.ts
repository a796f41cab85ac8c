import { AgentOptions } from 'node:https';
import { KubeConfig } from '@kubernetes/client-node';

/** HTTP request headers by name. */
export interface Headers {
  readonly [name: string]: string;
}

/** Address and credentials for a Kubernetes API. */
export interface Connection {
  readonly url: string;
  /** CA and client certificate, if any. */
  readonly tls: AgentOptions;
  readonly headers: Headers;
}

/** The connection that a kubeconfig describes. */
export async function readConnection(kubeconfig: string): Promise<Connection> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const options: AgentOptions & { headers?: Headers } = {};
  await config.applyToHTTPSOptions(options);
  const { headers = {}, ...tls } = options;
  return { url: config.getCurrentCluster()!.server, tls, headers };
}
