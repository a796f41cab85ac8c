import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestBackend } from '@backstage/backend-test-utils';
import type {
  ApplicationSetDetail,
  KubernetesObject,
  MulticlusterApplicationSetReport,
} from 'backstage-plugin-argocd-fleet-common';
import { startEmbeddedHub } from 'embedded-hub';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  clientOf,
  readReportCrd,
  adminClientWith,
  type AdminClient,
} from '../../__testUtils__/hubFixture';
import { namespace } from '../../__testUtils__/objects';
import { IN_LONG_RUN } from '../../__testUtils__/randomCases';
import { waitFor } from '../../__testUtils__/waitFor';
import {
  application,
  applicationSet,
  managedCluster,
} from '../../model/__testUtils__/applications';
import { reportedWork, workOf } from '../../model/__testUtils__/works';

/** So many clusters, and the length to which their messages have to be shortened for one object. */
const [CLUSTERS, LENGTH] = IN_LONG_RUN ? [5_000, 64] : [1_500, 256];
if (IN_LONG_RUN) {
  // To store the objects of 5,000 clusters takes a busy machine about a minute.
  jest.setTimeout(180_000);
}
const MESSAGE = 'no such host. '.repeat(150);

/** A hub on which a set has failed everywhere, each cluster with two kilobytes of its own to say about it. */
function failedFleet(): KubernetesObject[] {
  const set = applicationSet();
  return [
    namespace(set.metadata.namespace!),
    set,
    ...Array.from({ length: CLUSTERS }, (_, index) => {
      const name = `c${index}`;
      const app = application({
        cluster: name,
        metadata: { uid: `${String(index).padStart(8, '0')}-0000` },
      });
      return [
        managedCluster(name),
        namespace(name),
        app,
        reportedWork({
          work: workOf(app),
          feedback: { healthStatus: 'Missing', syncStatus: 'OutOfSync' },
          digest: [['c', 'ComparisonError', messageOf(name)]],
        }),
      ];
    }).flat(),
  ];
}

function messageOf(cluster: string): string {
  return `${cluster}: ${MESSAGE}`;
}

describe(`${CLUSTERS} clusters that all fail with messages of 2 KB`, () => {
  let folder: string;
  let hub: Awaited<ReturnType<typeof startEmbeddedHub>>;
  let backend: TestBackend;
  let admin: AdminClient;
  const { namespace: setNamespace = '', name } = applicationSet().metadata;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'argocd-fleet-large-'));
    const kubeconfigPath = join(folder, 'kubeconfig');
    hub = await startEmbeddedHub({
      kubeconfigPath,
      snapshot: [await readReportCrd(), ...failedFleet()],
    });
    admin = adminClientWith(clientOf(kubeconfigPath));
    backend = await startFleetBackend({
      argocdFleet: oneHub(kubeconfigPath, {
        controllers: {
          clusterImport: { mode: 'off' },
          propagation: { mode: 'off' },
          applicationStatus: { mode: 'off' },
        },
      }),
    });
  });

  afterAll(async () => {
    await backend.stop();
    await admin.client.close();
    await hub.stop();
    await rm(folder, { recursive: true });
  });

  it('are in a report that the hub can store, which names what is left out', async () => {
    const report = await waitFor<MulticlusterApplicationSetReport | undefined>(
      () => admin.get('reports', { namespace: setNamespace, name }),
    );
    expect(JSON.stringify(report).length).toBeLessThan(1_400_000);
    expect(
      report!.metadata.annotations?.['argocd-fleet/report-reduced'],
    ).toMatch(
      `messages shortened to ${LENGTH} characters (${CLUSTERS} of ${CLUSTERS})`,
    );
    expect(report!.statuses.clusterConditions).toHaveLength(CLUSTERS);
    expect(report!.statuses.summary).toMatchObject({
      clusters: String(CLUSTERS),
      notHealthy: String(CLUSTERS),
      notSynced: String(CLUSTERS),
    });
  });

  it('are in the API with every message', async () => {
    const detail = await waitFor<ApplicationSetDetail | undefined>(async () => {
      const { body } = await request(backend.server).get(
        `/api/argocd-fleet/applicationsets/hub/${setNamespace}/${name}`,
      );
      return body.applications?.length === CLUSTERS ? body : undefined;
    });
    for (const { cluster, conditions } of detail!.applications) {
      expect(conditions).toEqual([
        { type: 'ComparisonError', message: messageOf(cluster.name) },
      ]);
    }
  });

  it('cause one write', async () => {
    const writes = hub.requests.filter(
      ({ userAgent, method }) =>
        userAgent === 'argocd-fleet' && method !== 'GET',
    );
    expect(writes.map(({ verb, resource }) => `${verb} ${resource}`)).toEqual([
      'create multiclusterapplicationsetreports',
    ]);
  });
});
