import {
  MANAGED_BY,
  type ArgoApplication,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../../__testUtils__/emptyCache';
import { mockLogger } from '../../__testUtils__/mockLogger';
import {
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client/client';
import { application } from '../../model/__testUtils__/applications';
import { reportedWork, workOf } from '../../model/__testUtils__/works';
import { NO_TELEMETRY } from '../../runtime/controllerTelemetry';
import { createKeyReconciler } from '../../runtime/keyReconciler';
import { createApplicationStatus } from './applicationStatus';

const OTHER = 'argocd-applicationset-controller';
/** Milliseconds that the other writer and the event about its write take. */
const TURN_MS = 50;

/** A hub with an Application on each of so many clusters, all of which have reported that they are healthy. */
function setUp(count: number) {
  const cache = emptyCache();
  const applications = Array.from({ length: count }, (_, index) =>
    application({ cluster: `cluster${index}` }),
  );
  const keys = applications.map(({ metadata }) => objectKey(metadata));
  let version = 0;
  let writes = 0;

  /** The hub's object after a write of the manager, whose entry says what it wrote of the status. */
  function store(app: ArgoApplication, status: object, manager: string) {
    version += 1;
    const stored = {
      ...app,
      metadata: {
        ...app.metadata,
        resourceVersion: String(version),
        managedFields: [
          { manager: OTHER, time: '2026-11-21T10:00:00Z', fieldsV1: {} },
          {
            manager,
            time: '2026-11-21T10:00:01Z',
            fieldsV1: { 'f:status': {} },
          },
        ],
      },
      status,
    } as ArgoApplication;
    cache.applyWriteResult('applications', stored);
    return stored;
  }

  function reportHealth(healthStatus: string) {
    for (const app of applications) {
      const work = reportedWork({
        work: workOf(app),
        feedback: { healthStatus, syncStatus: 'Synced' },
      });
      version += 1;
      cache.applyWriteResult('works', {
        ...work,
        metadata: {
          ...work.metadata,
          uid: work.metadata.namespace,
          resourceVersion: String(version),
        },
      });
    }
  }

  const client = {
    async patch(
      _: unknown,
      name: { namespace?: string; name: string },
      { status }: { status: object },
    ) {
      writes += 1;
      const app = cache.applications.get(objectKey(name))!;
      return store(app, { ...app.status, ...status }, MANAGED_BY);
    },
  } as unknown as KubernetesClient;
  const controller = createApplicationStatus({
    cache,
    defaultDestinationNamespace: false,
  });
  const reconciler = createKeyReconciler({
    controller,
    cache,
    client,
    mode: 'manage',
    logger: mockLogger(),
    telemetry: NO_TELEMETRY,
    onFindingsChange: () => {},
    onRelease: () => {},
  });
  const { signal } = new AbortController();
  const healthOf = (key: string) =>
    cache.applications.get(key)?.status?.health?.status;
  applications.forEach(app => store(app, {}, OTHER));
  reportHealth('Healthy');

  return {
    keys,
    reportHealth,
    healthOf,
    reconcile: (key = keys[0]) => reconciler.reconcile(key, signal, Infinity),
    blank(key = keys[0]) {
      store(cache.applications.get(key)!, {}, OTHER);
    },
    isUnchanged: () => reconciler.isUnchanged(keys[0]),
    findings: () => controller.hubChecks!.findings!(),
    writes: () => writes,
    /** For so long, the other empties each status at once, and each event is reconciled at once. */
    async fight(ms: number) {
      const end = performance.now() + ms;
      while (performance.now() < end) {
        for (const key of keys) {
          if (healthOf(key)) {
            this.blank(key);
          }
          await this.reconcile(key);
        }
        await jest.advanceTimersByTimeAsync(TURN_MS);
      }
    },
  };
}

describe('a status that another writer empties', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is written again at once, without a finding, where that happens once', async () => {
    const hub = setUp(1);
    await hub.reconcile();
    expect(hub.healthOf(hub.keys[0])).toBe('Healthy');
    hub.blank();
    expect(await hub.reconcile()).toBeUndefined();
    expect(hub.healthOf(hub.keys[0])).toBe('Healthy');
    expect(hub.writes()).toBe(2);
    expect(hub.findings()).toEqual([]);
  });

  it('is written less than ten times in 15 seconds, with a finding that names the other', async () => {
    const hub = setUp(1);
    await hub.fight(15_000);
    expect(hub.writes()).toBeGreaterThan(4);
    expect(hub.writes()).toBeLessThan(10);
    expect(hub.findings()).toMatchObject([
      {
        code: 'AFC-131',
        severity: 'warning',
        message: expect.stringContaining(`“${OTHER}”`),
        evidence: hub.keys[0],
      },
    ]);
  });

  it('is one finding for all Applications, and some writes for each', async () => {
    const hub = setUp(50);
    await hub.fight(15_000);
    expect(hub.writes()).toBeLessThan(50 * 10);
    const [finding, ...more] = hub.findings();
    expect(more).toEqual([]);
    expect(finding.message).toContain('the status of 50 objects (Application)');
    expect(finding.evidence).toContain('and 30 more');
  });

  it('is written at once when the cluster reports something new', async () => {
    const hub = setUp(1);
    await hub.fight(60_000);
    const before = hub.writes();
    hub.reportHealth('Degraded');
    await hub.reconcile();
    expect(hub.writes()).toBe(before + 1);
    expect(hub.healthOf(hub.keys[0])).toBe('Degraded');
  });

  it('is looked at again in each pass while it waits, and is written in the end', async () => {
    const hub = setUp(1);
    await hub.fight(15_000);
    let waitMs: number | undefined;
    // A wait, whose length is random, may end just now: that write begins the next one.
    for (let turn = 0; turn < 2 && !waitMs; turn += 1) {
      hub.blank();
      waitMs = await hub.reconcile();
    }
    expect(waitMs).toBeGreaterThan(0);
    expect(hub.isUnchanged()).toBe(false);
    await jest.advanceTimersByTimeAsync(waitMs!);
    await hub.reconcile();
    expect(hub.healthOf(hub.keys[0])).toBe('Healthy');
  });

  it('is no finding any more ten minutes after the other has stopped', async () => {
    const hub = setUp(1);
    await hub.fight(15_000);
    await jest.advanceTimersByTimeAsync(20_000);
    await hub.reconcile();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(hub.findings()).toEqual([]);
  });
});
