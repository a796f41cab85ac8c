import {
  MANAGED_CLUSTER_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { generateFleet, type FleetPlan } from 'simulated-fleet';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import { buildManifestWork } from '../../model/manifestwork/manifestWork';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';

const FINALIZER = 'cluster.open-cluster-management.io/manifest-work-cleanup';

const DOCUMENTED = {
  ...DEFAULT_PROPAGATION,
  conditionRules: false,
  errorFeedback: false,
  watch: false,
};

/** The work of a healthy Application with five resources, with the report of its agent. */
function healthyWork(options: typeof DEFAULT_PROPAGATION): ManifestWork {
  const buildWork = (application: ArgoApplication) => {
    const { name, annotations } = application.metadata;
    const cluster = annotations?.[MANAGED_CLUSTER_ANNOTATION] ?? '';
    return buildManifestWork(
      application,
      { cluster, name: `${name}-ff83a` },
      options,
    );
  };
  const fleet = generateFleet({
    seed: 'work size',
    clusters: 1,
    applicationSets: 1,
    troubled: 0,
    silent: 0,
    // The two packages declare the same API object with different types.
    buildWork: buildWork as unknown as FleetPlan['buildWork'],
  });
  return [...fleet].find(({ kind }) => kind === 'ManifestWork') as ManifestWork;
}

describe('a healthy work as the hub stores it', () => {
  let testHub: TestHub;

  beforeAll(async () => {
    testHub = await startTestHub();
  });
  afterAll(() => testHub.stop());

  /** Bytes of the work after propagation has created it and its agent has added a finalizer and the status. */
  async function storedBytes({ status, ...work }: ManifestWork) {
    const { admin } = testHub;
    const { name, namespace = '', labels, annotations } = work.metadata;
    const metadata = { name, namespace, labels, annotations };
    await testHub.provideNamespaces(namespace);
    await admin.create('works', { ...work, metadata });
    await admin.patch('works', metadata, {
      metadata: { finalizers: [FINALIZER] },
    });
    await testHub.patchStatus('works', metadata, status);
    const stored = await admin.get('works', metadata);
    await admin.patch('works', metadata, { metadata: { finalizers: null } });
    await admin.delete('works', metadata);
    return Buffer.byteLength(JSON.stringify(stored));
  }

  it('has at most 6.5 KiB when it is created', () => {
    const { status, ...created } = healthyWork(DEFAULT_PROPAGATION);
    expect(status).toBeDefined();
    const bytes = Buffer.byteLength(JSON.stringify(created));
    expect(bytes).toBeLessThanOrEqual(6.5 * 1_024);
  });

  it('has at most 11,000 bytes, with managedFields, and at most 5,500 more than the documented one', async () => {
    const bytes = await storedBytes(healthyWork(DEFAULT_PROPAGATION));
    expect(bytes).toBeLessThanOrEqual(11_000);
    const documented = await storedBytes(healthyWork(DOCUMENTED));
    expect(documented).toBeGreaterThan(3_000);
    expect(bytes - documented).toBeLessThanOrEqual(5_500);
  });
});
