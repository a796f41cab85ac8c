import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type { KubernetesClient, ResourceType } from '../../kubernetes/client';
import { isKubernetesError } from '../../kubernetes/client';
import { startProgram, type Program } from './program';

const resource = (plural: string, kind: string): ResourceType => ({
  ...{ group: '', version: 'v1', plural, kind },
  namespaced: true,
});

/** The objects without which no component of Argo CD starts. */
function settingsOf(namespace: string): [ResourceType, KubernetesObject][] {
  const labels = { 'app.kubernetes.io/part-of': 'argocd' };
  return [
    [
      resource('configmaps', 'ConfigMap'),
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'argocd-cm', namespace, labels },
      },
    ],
    [
      resource('secrets', 'Secret'),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'argocd-secret', namespace, labels },
        stringData: { 'server.secretkey': 'unused' },
      } as KubernetesObject,
    ],
  ];
}

/** Starts Argo CD's ApplicationSet controller for one namespace of a hub. */
export async function startApplicationSetController(options: {
  /** Every component of Argo CD. */
  readonly binary: string;
  /** Of an administrator. */
  readonly kubeconfigPath: string;
  readonly client: KubernetesClient;
  readonly namespace: string;
}): Promise<Program> {
  const { binary, kubeconfigPath, client, namespace } = options;
  for (const [type, object] of settingsOf(namespace)) {
    await client.create(type, object).catch(error => {
      if (!isKubernetesError(error, 'alreadyExists')) {
        throw error;
      }
    });
  }
  return startProgram(
    binary,
    [
      ...['--kubeconfig', kubeconfigPath, '--namespace', namespace],
      '--enable-progressive-syncs',
      // Nobody asks there. A port that is found free beforehand may be taken by then, and the controller would end.
      ...['metrics', 'probe', 'webhook'].flatMap(what => [
        `--${what}-addr`,
        '127.0.0.1:0',
      ]),
      ...['--loglevel', 'warn'],
    ],
    {
      ARGOCD_BINARY_NAME: 'argocd-applicationset-controller',
      KUBECONFIG: kubeconfigPath,
    },
  );
}
