import { Secret } from './coreTypes';

/** The blank cluster Secret of the pull model: name and server, without credentials. */
export function blankClusterSecret(
  cluster: string,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): Secret {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${cluster}-cluster-secret`,
      namespace,
      labels: {
        ...labels,
        'argocd.argoproj.io/secret-type': 'cluster',
        'apps.open-cluster-management.io/acm-cluster': 'true',
        'apps.open-cluster-management.io/cluster-name': cluster,
        'apps.open-cluster-management.io/cluster-server': `${cluster}-control-plane`,
      },
    },
    type: 'Opaque',
    data: {
      name: base64(cluster),
      server: base64(`https://${cluster}-control-plane`),
    },
  };
}
