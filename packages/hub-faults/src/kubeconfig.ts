const NAME = 'hub-faults';

/** A kubeconfig, as JSON (and so as YAML), that leads to a proxy; it needs no credentials of its own. */
export function kubeconfigFor(url: string): string {
  const kubeconfig = {
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
    users: [{ name: NAME, user: {} }],
    'current-context': NAME,
  };
  return `${JSON.stringify(kubeconfig, undefined, 2)}\n`;
}
