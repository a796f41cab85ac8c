import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { waitFor } from '../../../__testUtils__/waitFor';
import { rights, settings } from './installation';
import type { ProvokedFleet } from './provokedFleet';

/** What keeps a whole cluster from being synced, and what the portal says of one of its Applications. */
export interface Fault {
  readonly name: string;
  readonly code: string;
  readonly names?: string;
  /** The Application on which it is seen. */
  readonly application: string;
  /** Whether it is a finding of the cluster too. */
  readonly ofCluster: boolean;
  /** One of those that are provoked with every change. */
  readonly always?: true;
  readonly provoke: (fleet: ProvokedFleet) => Promise<unknown>;
  readonly mend: (fleet: ProvokedFleet) => Promise<unknown>;
}

const GROUP = 'provoked.example.com';

const widget = (version: string) => ({
  name: version,
  served: true,
  storage: version === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
});

const WIDGETS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${GROUP}` },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [widget('v1'), widget('v2')],
    conversion: {
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'default', name: 'converter' } },
      },
    },
  },
} as KubernetesObject;

const WIDGET = {
  apiVersion: `${GROUP}/v1`,
  kind: 'Widget',
  metadata: { namespace: 'default', name: 'widget' },
};

const METRICS = { namespace: 'default', name: 'metrics' };
const metricsApi = (https: string) =>
  [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: METRICS,
      spec: { type: 'ExternalName', externalName: new URL(https).hostname },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.metrics.${GROUP}` },
      spec: {
        ...{ group: `metrics.${GROUP}`, version: 'v1' },
        ...{ groupPriorityMinimum: 100, versionPriority: 100 },
        insecureSkipTLSVerify: true,
        service: { ...METRICS, port: Number(new URL(https).port) },
      },
    },
  ] as object[] as KubernetesObject[];

/** One after the other, each mended before the next. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'without a repo server',
    code: 'AFC-233',
    application: 'paused',
    ofCluster: true,
    always: true,
    provoke: ({ argoCd }) => argoCd.stopRepoServer(),
    async mend({ argoCd }) {
      argoCd.startRepoServer();
      // It would try to connect less and less often.
      await argoCd.restartController();
    },
  },
  {
    name: 'with an API server that is not reached',
    code: 'AFC-234',
    application: 'paused',
    ofCluster: true,
    async provoke({ argoCd }) {
      await argoCd.cut();
      await argoCd.restartController();
    },
    async mend({ argoCd }) {
      await argoCd.restore();
      await argoCd.restartController();
    },
  },
  {
    name: 'without the right to list the kinds of the cluster',
    code: 'AFC-204',
    application: 'paused',
    names: 'may not list',
    ofCluster: false,
    async provoke({ argoCd, cluster }) {
      await cluster.apply(rights({ reads: false }));
      await argoCd.restartController();
    },
    async mend({ argoCd, cluster }) {
      await cluster.apply(rights());
      await argoCd.restartController();
    },
  },
  {
    name: 'with a conversion webhook that does not answer',
    code: 'AFC-235',
    names: 'Widget',
    application: 'paused',
    ofCluster: true,
    async provoke({ argoCd, cluster }) {
      await cluster.apply(WIDGETS);
      // Stored as it is written, and converted when it is listed.
      await waitFor(() => cluster.apply(WIDGET).then(() => true));
      await argoCd.restartController();
    },
    async mend({ argoCd, cluster }) {
      await cluster.delete(WIDGETS);
      await argoCd.restartController();
    },
  },
  {
    name: 'with an aggregated API that does not answer',
    code: 'AFC-236',
    application: 'paused',
    ofCluster: true,
    async provoke({ argoCd, cluster, sources }) {
      for (const object of metricsApi(sources.https)) {
        await cluster.apply(object);
      }
      // The API server takes its kinds over before Argo CD asks for them.
      await waitFor(() =>
        cluster
          .list({ apiVersion: `metrics.${GROUP}/v1`, kind: 'Value' })
          .catch(error => error.code === 503),
      );
      await argoCd.restartController();
    },
    async mend({ argoCd, cluster, sources }) {
      for (const object of metricsApi(sources.https)) {
        await cluster.delete(object);
      }
      await argoCd.restartController();
    },
  },
  {
    name: 'without a service account to impersonate',
    code: 'AFC-251',
    application: 'manual',
    ofCluster: false,
    async provoke({ cluster, sync }) {
      await cluster.apply(
        settings({ 'application.sync.impersonation.enabled': 'true' }),
      );
      await sync('manual');
    },
    async mend({ cluster, sync }) {
      await cluster.apply(settings());
      await sync('manual');
    },
  },
];
