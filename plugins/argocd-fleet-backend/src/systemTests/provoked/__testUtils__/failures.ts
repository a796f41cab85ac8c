import {
  DESTINATION_NAME_ANNOTATION,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { waitFor } from '../../../__testUtils__/waitFor';
import { IN_CLUSTER_SERVER } from '../../../model/delivery';
import { ARGOCD } from './argoCd';
import { manifest, type Failure, type Managed } from './failure';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const settings = (data: object = { a: 'b' }) =>
  manifest({ ...CONFIG_MAP, metadata: { name: 'settings' }, data });

const podTemplate = (app: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
});
const workload = (kind: string, app = 'web', more: object = {}) => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app } },
    template: podTemplate(app),
    ...more,
  },
});
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } };
const within = (namespace: string, object: object) => {
  const { metadata, ...rest } = object as KubernetesObject;
  return { ...rest, metadata: { ...metadata, namespace } } as KubernetesObject;
};

function project(name: string, spec: object): KubernetesObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name, namespace: ARGOCD },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ namespace: '*', server: '*', name: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
      ...spec,
    },
  } as KubernetesObject;
}

function clusterSecret(
  secret: string,
  name: string,
  server: string,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...{ name: secret, namespace: ARGOCD },
      labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
    },
    stringData: { name, server, config: '{}' },
  } as KubernetesObject;
}

function repositorySecret(
  name: string,
  url: string,
  data: object,
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      ...{ name, namespace: ARGOCD },
      labels: { 'argocd.argoproj.io/secret-type': 'repository' },
    },
    stringData: { url, ...data },
  } as KubernetesObject;
}

const repoURL = (url: string, more: object = {}) => ({
  source: { repoURL: url, path: '.', targetRevision: 'main', ...more },
});

/** Reports the status of the workload when it is there, as its own controller does. */
async function report(
  { cluster }: Managed,
  namespace: string,
  object: object,
  status: object,
) {
  const reported = { ...within(namespace, object), status };
  await waitFor(() => cluster.report(reported).then(() => true));
}

const waitingPod = (reason: string, message: string) => ({
  phase: 'Pending',
  containerStatuses: [
    {
      ...{ name: 'web', image: 'web:1', imageID: '', ready: false },
      restartCount: 7,
      state: { waiting: { reason, message } },
    },
  ],
});

async function synced({ application }: Managed) {
  await waitFor(async () => {
    const status = (await application())?.status;
    return (
      status?.sync?.status === 'Synced' &&
      status.operationState?.phase === 'Succeeded'
    );
  });
}

/** What Argo CD cannot fetch. */
const FETCHING: readonly Failure[] = [
  {
    name: 'unknown-revision',
    code: 'AFC-207',
    always: true,
    spec: ({ repository }) =>
      repoURL(repository, { targetRevision: 'does-not-exist' }),
  },
  {
    name: 'unknown-path',
    code: 'AFC-207',
    spec: ({ repository }) => repoURL(repository, { path: 'nowhere' }),
  },
  {
    name: 'connection-refused',
    code: 'AFC-205',
    always: true,
    spec: () => repoURL('http://127.0.0.1:1/app.git'),
  },
  {
    name: 'unknown-host',
    code: 'AFC-205',
    spec: () => repoURL('http://git.invalid/app.git'),
  },
  {
    name: 'unknown-authority',
    code: 'AFC-205',
    spec: ({ https }) => repoURL(`${https}/app.git`),
  },
  {
    name: 'no-repository',
    code: 'AFC-206',
    spec: () => repoURL('file:///nowhere/app.git'),
  },
  {
    name: 'unauthorized',
    code: 'AFC-206',
    always: true,
    spec: ({ http }) => repoURL(`${http}/401/app.git`),
  },
  {
    name: 'no-access',
    code: 'AFC-206',
    spec: ({ http }) => repoURL(`${http}/403/app.git`),
  },
  {
    name: 'not-found',
    code: 'AFC-206',
    spec: ({ http }) => repoURL(`${http}/404/app.git`),
  },
  {
    name: 'http-not-https',
    code: 'AFC-238',
    spec: ({ http }) => repoURL(`${http.replace('http', 'https')}/app.git`),
  },
  {
    name: 'host-key',
    code: 'AFC-237',
    spec: ({ ssh }) => repoURL(ssh),
    before: ({ ssh, privateKey }) => [
      repositorySecret('host-key', ssh, { sshPrivateKey: privateKey }),
    ],
  },
  {
    name: 'chart-digest',
    code: 'AFC-253',
    spec: ({ http }) => ({
      source: {
        repoURL: `${http}/charts`,
        chart: 'web',
        targetRevision: `sha256:${'0'.repeat(64)}`,
      },
    }),
  },
  {
    name: 'chart-unauthorized',
    code: 'AFC-206',
    spec: ({ http }) => ({
      source: {
        repoURL: `${http}/charts`,
        chart: 'web',
        targetRevision: '1.2.3',
      },
    }),
  },
  {
    name: 'chart-version',
    code: 'AFC-207',
    spec: ({ http }) => ({
      source: {
        repoURL: `${http}/charts`,
        chart: 'web',
        targetRevision: '9.*',
      },
    }),
  },
  {
    name: 'helm-dependency',
    code: 'AFC-259',
    files: {
      'Chart.yaml': manifest({
        apiVersion: 'v2',
        name: 'app',
        version: '1.0.0',
        dependencies: [
          {
            name: 'web',
            version: '1.2.3',
            repository: 'http://127.0.0.1:1/charts',
          },
        ],
      }),
    },
  },
];

/** What Argo CD cannot render. */
const RENDERING: readonly Failure[] = [
  {
    name: 'broken-yaml',
    code: 'AFC-212',
    always: true,
    files: {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: 403',
    },
  },
  {
    name: 'kustomize-error',
    code: 'AFC-212',
    files: { 'kustomization.yaml': manifest({ resources: ['missing.yaml'] }) },
  },
  {
    name: 'kustomize-remote',
    code: 'AFC-212',
    files: {
      'kustomization.yaml': manifest({
        resources: ['http://127.0.0.1:1/base.yaml'],
      }),
    },
  },
  {
    name: 'helm-error',
    code: 'AFC-212',
    files: {
      'Chart.yaml': manifest({ apiVersion: 'v2', name: 'a', version: '1.0.0' }),
      'templates/a.yaml':
        '{{ fail "failed to list refs: authentication required" }}',
    },
  },
  {
    name: 'helm-values',
    code: 'AFC-212',
    files: {
      'Chart.yaml': manifest({ apiVersion: 'v2', name: 'a', version: '1.0.0' }),
    },
    spec: ({ repository }) => ({
      source: {
        repoURL: repository,
        path: 'helm-values',
        targetRevision: 'main',
        helm: { valueFiles: ['missing.yaml'] },
      },
    }),
  },
  {
    name: 'jsonnet-error',
    code: 'AFC-212',
    files: { 'a.jsonnet': '{ error "authentication required" }' },
  },
];

/** What Argo CD does not accept. */
const REJECTED: readonly Failure[] = [
  {
    name: 'unknown-project',
    code: 'AFC-213',
    spec: () => ({ project: 'nowhere' }),
  },
  {
    name: 'other-repository',
    code: 'AFC-213',
    always: true,
    spec: () => ({ project: 'other-repository' }),
    before: () => [
      project('other-repository', {
        sourceRepos: ['https://git.example.com/*'],
      }),
    ],
  },
  {
    name: 'other-destination',
    code: 'AFC-213',
    spec: () => ({ project: 'other-destination' }),
    before: () => [
      project('other-destination', {
        destinations: [{ namespace: 'elsewhere', server: '*' }],
      }),
    ],
  },
  {
    name: 'no-destination-namespace',
    code: 'AFC-223',
    files: { 'a.yaml': settings() },
    spec: () => ({ destination: { server: IN_CLUSTER_SERVER } }),
  },
  {
    name: 'unknown-destination',
    code: 'AFC-213',
    annotations: { [DESTINATION_NAME_ANNOTATION]: 'nobody' },
  },
  {
    name: 'same-names',
    code: 'AFC-239',
    annotations: { [DESTINATION_NAME_ANNOTATION]: 'twin' },
    before: () => [
      clusterSecret('twin-1', 'twin', 'https://one.example.com'),
      clusterSecret('twin-2', 'twin', 'https://two.example.com'),
    ],
  },
];

/** What a sync cannot apply. */
const APPLYING: readonly Failure[] = [
  {
    name: 'blacklisted-kind',
    code: 'AFC-242',
    names: 'ConfigMap',
    files: { 'a.yaml': settings() },
    spec: () => ({ project: 'blacklisted-kind' }),
    before: () => [
      project('blacklisted-kind', {
        namespaceResourceBlacklist: [{ group: '', kind: 'ConfigMap' }],
      }),
    ],
  },
  {
    name: 'cluster-kind',
    code: 'AFC-242',
    names: 'ClusterRole',
    always: true,
    files: {
      'a.yaml': manifest({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'provoked' },
        rules: [],
      }),
    },
    spec: () => ({ project: 'cluster-kind' }),
    before: () => [project('cluster-kind', { clusterResourceWhitelist: [] })],
  },
  {
    name: 'other-namespace',
    code: 'AFC-242',
    names: 'kube-system',
    files: {
      'a.yaml': manifest({
        ...CONFIG_MAP,
        metadata: { name: 'settings', namespace: 'kube-system' },
      }),
    },
    spec: () => ({ project: 'other-namespace' }),
    before: () => [
      project('other-namespace', {
        destinations: [{ namespace: 'other-namespace', server: '*' }],
      }),
    ],
  },
  {
    name: 'missing-crd',
    code: 'AFC-243',
    names: 'monitoring.coreos.com/ServiceMonitor',
    always: true,
    files: {
      'a.yaml': manifest({
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'ServiceMonitor',
        metadata: { name: 'web' },
      }),
    },
  },
  {
    name: 'missing-version',
    code: 'AFC-243',
    names: 'PodDisruptionBudget',
    files: {
      'a.yaml': manifest({
        apiVersion: 'policy/v1beta1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web' },
        spec: { minAvailable: 1, selector: {} },
      }),
    },
  },
  {
    name: 'policy',
    code: 'AFC-244',
    names: 'provoked-policy',
    always: true,
    files: { 'a.yaml': settings() },
    before: () => [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'provoked-policy' },
        spec: {
          matchConstraints: {
            namespaceSelector: {
              matchLabels: { 'kubernetes.io/metadata.name': 'policy' },
            },
            resourceRules: [
              {
                apiGroups: [''],
                apiVersions: ['v1'],
                operations: ['CREATE'],
                resources: ['configmaps'],
              },
            ],
          },
          validations: [{ expression: 'false' }],
        },
      } as KubernetesObject,
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'provoked-policy' },
        spec: { policyName: 'provoked-policy', validationActions: ['Deny'] },
      } as KubernetesObject,
    ],
  },
  {
    name: 'webhook-denies',
    code: 'AFC-244',
    names: 'denies.provoked.example.com',
    files: { 'a.yaml': settings() },
    before: ({ https, authority }) => [
      webhook('webhook-denies', 'denies', {
        url: `${https}/admission`,
        caBundle: Buffer.from(authority).toString('base64'),
      }),
    ],
  },
  {
    name: 'webhook-silent',
    code: 'AFC-245',
    names: 'silent.provoked.example.com',
    files: { 'a.yaml': settings() },
    before: () => [
      webhook('webhook-silent', 'silent', {
        service: { namespace: 'webhook-silent', name: 'nobody' },
      }),
    ],
  },
  {
    name: 'immutable',
    code: 'AFC-246',
    always: true,
    files: { 'a.yaml': manifest(workload('Deployment', 'new')) },
    before: () => [within('immutable', workload('Deployment', 'old'))],
  },
  {
    name: 'immutable-set',
    code: 'AFC-246',
    files: {
      'a.yaml': manifest(workload('StatefulSet', 'web', { serviceName: 'b' })),
    },
    before: () => [
      within(
        'immutable-set',
        workload('StatefulSet', 'web', { serviceName: 'a' }),
      ),
    ],
  },
  {
    name: 'no-namespace',
    code: 'AFC-247',
    names: 'nowhere',
    always: true,
    files: { 'a.yaml': settings() },
    spec: () => ({
      destination: {
        server: IN_CLUSTER_SERVER,
        namespace: 'nowhere',
      },
    }),
  },
  {
    name: 'quota',
    code: 'AFC-248',
    names: 'compute',
    files: { 'a.yaml': settings() },
    before: () => [
      within('quota', {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'compute' },
        spec: { hard: { 'count/configmaps': '0' } },
        status: {
          hard: { 'count/configmaps': '0' },
          used: { 'count/configmaps': '0' },
        },
      }),
    ],
  },
  {
    name: 'shared-second',
    code: 'AFC-250',
    files: {
      'a.yaml': manifest(
        within('shared', {
          ...CONFIG_MAP,
          metadata: { name: 'settings' },
          data: { a: 'second' },
        }),
      ),
    },
    spec: () => ({
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: 1, backoff: { duration: '1s' } },
        syncOptions: ['FailOnSharedResource=true'],
      },
    }),
    before: () => [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shared' } },
      within('shared', {
        ...CONFIG_MAP,
        metadata: {
          name: 'settings',
          annotations: {
            'argocd.argoproj.io/tracking-id':
              'shared-first:/ConfigMap:shared/settings',
          },
        },
      }),
    ],
  },
  {
    name: 'too-large',
    code: 'AFC-240',
    files: { 'a.yaml': settings({ a: 'x'.repeat(300_000) }) },
  },
  {
    name: 'long-label',
    code: 'AFC-241',
    files: {
      'a.yaml': manifest({
        ...CONFIG_MAP,
        metadata: { name: 'settings', labels: { team: 'x'.repeat(70) } },
      }),
    },
  },
  {
    name: 'forbidden',
    code: 'AFC-204',
    names: 'create',
    always: true,
    files: {
      'a.yaml': manifest({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'web' },
      }),
    },
  },
  {
    name: 'invalid-field',
    code: 'AFC-211',
    files: {
      'a.yaml': manifest(workload('Deployment', 'web', { replicas: 'three' })),
    },
  },
  {
    name: 'failed-hook',
    code: 'AFC-211',
    files: {
      'a.yaml': settings(),
      'hook.yaml': manifest({
        ...pod,
        metadata: {
          name: 'web',
          annotations: { 'argocd.argoproj.io/hook': 'PreSync' },
        },
        spec: { ...podTemplate('web').spec, restartPolicy: 'Never' },
      }),
    },
    // Argo CD may miss a change that comes before it looks for any, and makes the hook anew when it tries again.
    async then({ cluster, application }) {
      let attempt = 0;
      await waitFor(
        async () => {
          const status = (await application())?.status;
          if (status?.operationState?.phase === 'Failed') {
            return true;
          }
          attempt += 1;
          await cluster.report({
            ...within('failed-hook', pod),
            status: {
              phase: 'Failed',
              message: 'The migration failed',
              reason: `Attempt${attempt}`,
            },
          });
          return false;
        },
        50_000,
        1_000,
      );
    },
  },
];

function webhook(
  namespace: string,
  name: string,
  clientConfig: object,
): KubernetesObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: `provoked-${name}` },
    webhooks: [
      {
        name: `${name}.provoked.example.com`,
        clientConfig,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        namespaceSelector: {
          matchLabels: { 'kubernetes.io/metadata.name': namespace },
        },
        rules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: ['configmaps'],
          },
        ],
      },
    ],
  } as KubernetesObject;
}

/** What runs, but not well. */
const RUNNING: readonly Failure[] = [
  {
    name: 'degraded',
    code: 'AFC-210',
    files: { 'a.yaml': manifest(workload('Deployment')) },
    then: managed =>
      report(managed, 'degraded', workload('Deployment'), {
        observedGeneration: 1,
        conditions: [
          {
            ...{ type: 'Progressing', status: 'False' },
            reason: 'ProgressDeadlineExceeded',
            message: 'ReplicaSet "web-1" has timed out progressing.',
          },
        ],
      }),
  },
  {
    name: 'image',
    code: 'AFC-208',
    files: { 'a.yaml': manifest({ ...pod, spec: podTemplate('web').spec }) },
    then: managed =>
      report(
        managed,
        'image',
        pod,
        waitingPod('ImagePullBackOff', 'Back-off pulling image "web:1"'),
      ),
  },
  {
    name: 'crash',
    code: 'AFC-209',
    files: { 'a.yaml': manifest({ ...pod, spec: podTemplate('web').spec }) },
    then: managed =>
      report(
        managed,
        'crash',
        pod,
        waitingPod(
          'CrashLoopBackOff',
          'back-off 5m0s restarting failed container=web pod=web_crash(0)',
        ),
      ),
  },
  {
    name: 'paused',
    code: 'AFC-216',
    files: {
      'a.yaml': manifest(workload('Deployment', 'web', { paused: true })),
    },
  },
];

/** What waits. */
const WAITING: readonly Failure[] = [
  {
    name: 'manual',
    code: 'AFC-214',
    files: { 'a.yaml': settings() },
    spec: () => ({ syncPolicy: {} }),
  },
  {
    name: 'window',
    code: 'AFC-226',
    names: 'window',
    files: { 'a.yaml': settings() },
    spec: () => ({ project: 'window', syncPolicy: {} }),
    before: () => [
      project('window', {
        syncWindows: [
          {
            ...{ kind: 'deny', schedule: '* * * * *', duration: '24h' },
            applications: ['*'],
          },
        ],
      }),
    ],
    then: ({ sync }) => sync(),
  },
  {
    name: 'pruning-off',
    code: 'AFC-227',
    files: { 'a.yaml': settings(), 'b.yaml': settingsNamed('more') },
    spec: () => ({ syncPolicy: { automated: { selfHeal: true } } }),
    async then(managed) {
      await synced(managed);
      managed.sources.commit({ 'pruning-off/b.yaml': null });
    },
  },
  {
    name: 'confirmation',
    code: 'AFC-229',
    files: {
      'a.yaml': settings(),
      'b.yaml': settingsNamed('more', {
        'argocd.argoproj.io/sync-options': 'Prune=confirm',
      }),
    },
    async then(managed) {
      await synced(managed);
      managed.sources.commit({ 'confirmation/b.yaml': null });
    },
  },
  {
    name: 'self-heal-off',
    code: 'AFC-228',
    files: { 'a.yaml': settings() },
    // Automated, it syncs a newer revision all the same.
    spec: ({ repository, head }) => ({
      ...repoURL(repository, { path: 'self-heal-off', targetRevision: head() }),
      syncPolicy: { automated: { prune: true } },
    }),
    async then(managed) {
      await synced(managed);
      await managed.cluster.apply(
        within('self-heal-off', {
          ...CONFIG_MAP,
          metadata: { name: 'settings' },
          data: { a: 'changed' },
        }),
      );
    },
  },
  {
    name: 'old-revision',
    code: 'AFC-221',
    files: { 'a.yaml': manifest(workload('Deployment', 'new')) },
    spec: () => ({
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: 20, backoff: { duration: '5s' } },
      },
    }),
    before: () => [within('old-revision', workload('Deployment', 'old'))],
    async then({ application, sources }) {
      await waitFor(
        async () => (await application())?.status?.operationState?.retryCount,
      );
      sources.commit({
        'old-revision/a.yaml': manifest(workload('Deployment', 'old')),
      });
    },
  },
  {
    name: 'wave',
    code: 'AFC-257',
    files: {
      'a.yaml': manifest(workload('Deployment')),
      'b.yaml': settingsNamed('more', { 'argocd.argoproj.io/sync-wave': '1' }),
    },
    async then({ application, sources }) {
      await waitFor(async () =>
        (await application())?.status?.operationState?.message?.includes(
          'healthy',
        ),
      );
      sources.commit({ 'wave/c.yaml': settingsNamed('another') });
    },
  },
  {
    name: 'held-deletion',
    code: 'AFC-231',
    files: {
      'a.yaml': manifest({
        ...CONFIG_MAP,
        metadata: {
          name: 'settings',
          finalizers: ['example.com/held'],
        },
      }),
    },
    async then(managed) {
      await synced(managed);
      await managed.cluster.delete((await managed.application())!);
    },
  },
  {
    name: 'failed-deletion',
    code: 'AFC-232',
    files: {
      'a.yaml': manifest({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web' },
        spec: { ports: [{ port: 80 }] },
      }),
    },
    async then(managed) {
      await synced(managed);
      await managed.cluster.delete((await managed.application())!);
    },
  },
  {
    name: 'removed',
    code: 'AFC-219',
    files: { 'a.yaml': settings() },
    async then(managed) {
      await synced(managed);
      const application = (await managed.application())!;
      await managed.cluster.delete(application);
    },
  },
];

function settingsNamed(name: string, annotations: object = {}): string {
  return manifest({ ...CONFIG_MAP, metadata: { name, annotations } });
}

/** Applications that fail, each in its own way and without a fault of the cluster. */
export const FAILURES: readonly Failure[] = [
  ...FETCHING,
  ...RENDERING,
  ...REJECTED,
  ...APPLYING,
  ...RUNNING,
  ...WAITING,
];
