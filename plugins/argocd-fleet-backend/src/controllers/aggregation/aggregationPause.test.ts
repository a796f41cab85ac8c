import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { mockLogger } from '../../__testUtils__/mockLogger';
import { createCompetingController } from '../../fleet/competingController';
import { createFleetReader } from '../../fleet/fleetReader';
import {
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client/client';
import {
  application,
  applicationSet,
} from '../../model/__testUtils__/applications';
import { reportedWork } from '../../model/__testUtils__/works';
import { DEFAULT_PROPAGATION } from '../../model/manifestwork/workPlan';
import type { ControllerMode } from '../../runtime/controller';
import { NO_TELEMETRY } from '../../runtime/controllerTelemetry';
import { createKeyReconciler } from '../../runtime/keyReconciler';
import { createAggregation } from './aggregation';

/** A hub that accepts every write. */
const client = {
  create: async (_: unknown, object: KubernetesObject) => ({
    ...object,
    metadata: { ...object.metadata, uid: 'report', resourceVersion: '1' },
  }),
} as unknown as KubernetesClient;

/** Aggregation of a set with one Application, which has reported after the first reconcile. */
function setUp(mode: ControllerMode) {
  const cache = emptyCache();
  const absorb = (
    name: 'applicationSets' | 'applications' | 'works',
    { metadata, ...object }: KubernetesObject,
  ) =>
    cache.applyWriteResult(name, {
      ...object,
      metadata: { uid: 'work', ...metadata, resourceVersion: '1' },
    } as never);
  absorb('applicationSets', applicationSet());
  absorb('applications', application());
  const reader = createFleetReader({
    cache,
    propagation: () => DEFAULT_PROPAGATION,
  });
  const competitor = createCompetingController({
    cache,
    rhacmNamespace: 'open-cluster-management',
  });
  const reconciler = createKeyReconciler({
    controller: createAggregation({ cache, reader, client, competitor }),
    cache,
    client,
    mode,
    logger: mockLogger(),
    telemetry: NO_TELEMETRY,
    onFindingsChange: () => {},
    onRelease: () => {},
  });
  const { signal } = new AbortController();
  const look = () =>
    reconciler.reconcile(
      objectKey(applicationSet().metadata),
      signal,
      Infinity,
    );
  return {
    look,
    report: () =>
      absorb(
        'works',
        reportedWork({
          feedback: { healthStatus: 'Healthy', syncStatus: 'Synced' },
        }),
      ),
    codes: () => reconciler.findings().map(({ code }) => code),
  };
}

describe('aggregation of a set that changes again at once', () => {
  beforeEach(() => {
    // No pause ends before the second reconcile.
    jest.spyOn(performance, 'now').mockReturnValue(0);
  });
  afterEach(() => jest.restoreAllMocks());

  it('waits after a write', async () => {
    const { look, report, codes } = setUp('manage');
    expect(await look()).toBeUndefined();
    report();
    expect(await look()).toBeGreaterThan(0);
    expect(codes()).toEqual([]);
  });

  it('keeps reporting in observe mode what it would write', async () => {
    const { look, report, codes } = setUp('observe');
    await look();
    expect(codes()).toEqual(['AFC-420']);
    report();
    await look();
    expect(codes()).toEqual(['AFC-420']);
  });
});
