import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { namespace } from '../../../__testUtils__/objects';
import { ARGOCD, ARGOCD_USER } from './argoCd';

/** Everything but to write Secrets, so that a sync fails for lack of a right, and to delete Services. */
const WRITES = [
  {
    apiGroups: [''],
    resources: ['configmaps', 'pods', 'events', 'namespaces'],
    verbs: ['*'],
  },
  { apiGroups: [''], resources: ['services'], verbs: ['create', 'patch'] },
  {
    apiGroups: ['apps', 'batch', 'policy', 'rbac.authorization.k8s.io'],
    resources: ['*'],
    verbs: ['*'],
  },
  { apiGroups: ['argoproj.io'], resources: ['*'], verbs: ['*'] },
];

const READS = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
];

/** What Argo CD may do on its cluster. */
export function rights({ reads = true } = {}): KubernetesObject {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'argocd' },
    rules: [...(reads ? READS : []), ...WRITES],
  } as KubernetesObject;
}

/** The settings of Argo CD: it compares every five seconds. */
export function settings(more: object = {}): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      ...{ name: 'argocd-cm', namespace: ARGOCD },
      labels: { 'app.kubernetes.io/part-of': 'argocd' },
    },
    data: { 'timeout.reconciliation': '5s', ...more },
  } as KubernetesObject;
}

/** What an installation of Argo CD consists of besides its programs. */
export const INSTALLATION: readonly KubernetesObject[] = [
  namespace(ARGOCD),
  settings(),
  rights(),
  ...([
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        ...{ name: 'argocd-secret', namespace: ARGOCD },
        labels: { 'app.kubernetes.io/part-of': 'argocd' },
      },
      stringData: { 'server.secretkey': 'secret' },
    },
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'AppProject',
      metadata: { name: 'default', namespace: ARGOCD },
      spec: {
        sourceRepos: ['*'],
        destinations: [{ namespace: '*', server: '*', name: '*' }],
        clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      },
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'argocd' },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: 'argocd',
      },
      subjects: [
        {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'User',
          name: ARGOCD_USER,
        },
      ],
    },
  ] as object[] as KubernetesObject[]),
];
