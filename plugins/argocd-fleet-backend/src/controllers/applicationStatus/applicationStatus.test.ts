import type { TestBackend } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import {
  OPERATION_ANNOTATION,
  type ArgoApplication,
  type ArgoApplicationSet,
  type ControllerRun,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { appliedStatus } from '../../__testUtils__/agentReport';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  managedCluster,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { FLEET_RESOURCES } from '../../fleet/resources';
import { createConnector } from '../../kubernetes/client/connection';
import { createHttpClient } from '../../kubernetes/client/httpClient';

const STARTED = '2026-11-21T10:02:00Z';
const GREEN = { health: 'Healthy', sync: 'Synced', phase: 'Succeeded' };

describe('the status of hub Applications', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, 'one', 'two');
    await admin.create('clusters', managedCluster('one'));
    await admin.create('clusters', managedCluster('two'));
    await provideDecision(admin);
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: ['one', 'two'].map(clusterName => ({
        clusterName,
        reason: '',
      })),
    });
    await available('one', 'True', '2026-11-21T09:00:00Z');
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  async function start(applicationStatus: JsonObject = {}) {
    const often = { fullPassEvery: '100ms' };
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          clusterImport: often,
          propagation: often,
          applicationStatus: { ...often, ...applicationStatus },
          aggregation: often,
          resourceSync: often,
        },
      }),
    });
  }

  async function available(cluster: string, status: string, since: string) {
    await testHub.patchStatus(
      'clusters',
      { name: cluster },
      {
        conditions: [
          {
            type: 'ManagedClusterConditionAvailable',
            status,
            reason: 'Test',
            message: '',
            lastTransitionTime: since,
          },
        ],
      },
    );
  }

  async function application(name = 'app'): Promise<ArgoApplication> {
    return (await admin.get('applications', {
      namespace: NAMESPACE,
      name,
    }))!;
  }

  async function workOf(name = 'app', cluster = 'one'): Promise<ManifestWork> {
    const works = await admin.list('works');
    return works.find(
      ({ metadata }) =>
        metadata.namespace === cluster && metadata.name.startsWith(`${name}-`),
    )!;
  }

  /** Applies an Application and waits for its work. */
  async function deliver(app: ArgoApplication, cluster = 'one') {
    await admin.create('applications', app);
    await waitFor(async () =>
      Boolean(await workOf(app.metadata.name, cluster)),
    );
  }

  /** Reports as a work agent does, of an Application that was compared with what its work carries now. */
  async function report(
    status: { health: string; sync: string; phase: string; startedAt?: string },
    name = 'app',
  ) {
    const work = await workOf(name);
    const payload = work.spec.workload!.manifests![0] as ArgoApplication;
    const { source, destination } = payload.spec;
    const digest = [
      ['argocd-fleet-digest/1', '0'],
      ['s', status.health, status.sync, 'abc'],
      ['d', destination!.server, '', destination!.namespace, '='],
      ['t', source!.repoURL, source!.path, '', source!.targetRevision, ''],
      ['.'],
    ];
    const feedback = {
      healthStatus: status.health,
      syncStatus: status.sync,
      operationStatePhase: status.phase,
      operationStateStartedAt: status.startedAt ?? STARTED,
      syncRevision: 'abc',
    };
    const ready = {
      type: 'ApplicationReady',
      status: 'True',
      reason: 'Test',
      message: digest.map(fields => fields.join('\t')).join('\n'),
      lastTransitionTime: STARTED,
      observedGeneration: work.metadata.generation,
    } as const;
    await testHub.patchStatus(
      'works',
      work.metadata,
      appliedStatus(work, feedback, [ready]),
    );
  }

  async function reads(
    expected: { health: string; sync: string },
    name = 'app',
  ) {
    await waitFor(async () => {
      const { status } = await application(name);
      expect({
        health: status?.health?.status,
        sync: status?.sync?.status,
      }).toEqual({ health: expected.health, sync: expected.sync });
      return true;
    });
  }

  async function runs(): Promise<ControllerRun[]> {
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items;
  }

  const run = async () =>
    (await runs()).find(
      ({ controller }) => controller === 'applicationStatus',
    )!;

  /** Resolves once every controller has completed a full pass that began after this call. */
  async function passes() {
    const now = new Date().toISOString();
    await waitFor(async () =>
      (await runs()).every(({ lastPassAt }) => lastPassAt! > now),
    );
  }

  it('makes one write for each change and no other request, and none the second time (section 4, item 16)', async () => {
    await start();
    await deliver(pullApplication('app', 'one'));
    await passes();
    testHub.clearRequests();

    await report(GREEN);
    await reads(GREEN);
    await passes();
    const backendRequests = () =>
      testHub.hub.requests
        .filter(
          ({ userAgent, verb }) =>
            userAgent === 'argocd-fleet' && verb !== 'watch',
        )
        .map(({ verb, resource, name }) => `${verb} ${resource} ${name}`);
    // Scheduled runs read what the hub can store; Applications and works cause one request.
    const about = (resources: string[]) =>
      backendRequests().filter(line => resources.includes(line.split(' ')[1]));
    expect(about(['applications', 'manifestworks'])).toEqual([
      'patch applications app',
    ]);
    expect((await application()).status).toMatchObject({
      operationState: { operation: {}, phase: 'Succeeded', startedAt: STARTED },
      sync: { status: 'Synced', revision: 'abc' },
    });

    await report({ ...GREEN, health: 'Degraded' });
    await reads({ ...GREEN, health: 'Degraded' });
    await passes();
    expect(about(['applications', 'manifestworks'])).toEqual([
      'patch applications app',
      'patch applications app',
    ]);
  });

  it('is OutOfSync from a change of the spec until the cluster has compared with it', async () => {
    await start();
    await deliver(pullApplication('app', 'one'));
    await report(GREEN);
    await reads(GREEN);

    await admin.patch(
      'applications',
      { namespace: NAMESPACE, name: 'app' },
      { spec: { source: { targetRevision: 'v2' } } },
    );
    await reads({ ...GREEN, sync: 'OutOfSync' });
    await waitFor(async () =>
      (await run()).findings.some(({ code }) => code === 'AFC-220'),
    );
    await waitFor(async () => (await workOf()).metadata.generation === 2);
    await report(GREEN);
    await reads(GREEN);
    await waitFor(async () => (await run()).findings.length === 0);
    expect((await application()).spec.source?.targetRevision).toBe('v2');
  });

  it('reports no start of an operation before the time at which it was sent', async () => {
    await start();
    await deliver(pullApplication('app', 'one'));
    await report({ ...GREEN, sync: 'OutOfSync' });
    await reads({ ...GREEN, sync: 'OutOfSync' });

    await admin.patch(
      'applications',
      { namespace: NAMESPACE, name: 'app' },
      { operation: { sync: {} } },
    );
    const mark = await waitFor(
      async () => (await workOf()).metadata.annotations?.[OPERATION_ANNOTATION],
    );
    const { writtenAt, before } = JSON.parse(mark);
    expect(before).toBe(STARTED);
    // By the clock of a cluster that is a day behind.
    await report({ ...GREEN, startedAt: '2026-11-21T10:02:01Z' });
    await reads(GREEN);
    expect((await application()).status?.operationState).toMatchObject({
      startedAt: writtenAt,
    });
  });

  it('does not write to Applications of other models, nor to those being deleted', async () => {
    await start();
    await deliver(pullApplication('app', 'one'));
    await report(GREEN);
    await reads(GREEN);
    const push = pullApplication('push', 'one', { labels: {} });
    await admin.create('applications', push);
    await admin.patch(
      'applications',
      { namespace: NAMESPACE, name: 'app' },
      { metadata: { finalizers: ['test/keep'] } },
    );
    await admin.delete('applications', {
      namespace: NAMESPACE,
      name: 'app',
    });
    await waitFor(async () => !(await workOf()));
    testHub.clearRequests();
    await passes();
    expect(testHub.writes()).toEqual([]);
    expect((await application('push')).status).toBeUndefined();
    await admin.patch(
      'applications',
      { namespace: NAMESPACE, name: 'app' },
      { metadata: { finalizers: [] } },
    );
  });

  it('reports since when the cluster is silent, and keeps the status (section 4, item 12)', async () => {
    await start();
    await deliver(pullApplication('app', 'one'));
    await report(GREEN);
    await reads(GREEN);
    await available('one', 'Unknown', '2026-11-21T11:00:00Z');
    await waitFor(async () => {
      const [condition] = (await application()).status?.conditions ?? [];
      expect(condition.message).toContain(
        'has not reported since 2026-11-21T11:00:00Z',
      );
      return true;
    });
    await reads(GREEN);
  });

  it('keeps reporting what runs when the decision is lost', async () => {
    await start();
    await deliver(pullApplication('app', 'one'));
    await report(GREEN);
    await reads(GREEN);
    await testHub.patchStatus('decisions', placementDecision('all').metadata, {
      decisions: [],
    });
    await waitFor(async () =>
      (await runs()).some(({ findings }) =>
        findings.some(({ code }) => code === 'AFC-104'),
      ),
    );
    await report({ ...GREEN, health: 'Degraded' });
    await reads({ ...GREEN, health: 'Degraded' });
    expect(await workOf()).toBeDefined();
  });

  it('lets no step of a progressive sync turn out of sync before the earlier steps have', async () => {
    const step = (wave: string) => ({
      matchExpressions: [{ key: 'wave', operator: 'In', values: [wave] }],
    });
    await admin.create('applicationSets', {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'ApplicationSet',
      metadata: { namespace: NAMESPACE, name: 'set' },
      spec: {
        generators: [],
        strategy: {
          type: 'RollingSync',
          rollingSync: { steps: [step('first'), step('later')] },
        },
        template: {
          metadata: { name: 'unused' },
          spec: pullApplication('unused', 'one').spec,
        },
      },
    } as ArgoApplicationSet);
    const { metadata: owner } = (await admin.get('applicationSets', {
      namespace: NAMESPACE,
      name: 'set',
    }))!;
    const ofStep = (wave: string) => {
      const app = pullApplication(wave, 'one');
      return pullApplication(wave, 'one', {
        labels: { ...app.metadata.labels, wave },
        ownerReferences: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'ApplicationSet',
            name: owner.name,
            uid: owner.uid!,
            controller: true,
          },
        ],
      });
    };
    await start();
    for (const wave of ['first', 'later']) {
      await deliver(ofStep(wave));
      await report(GREEN, wave);
      await reads(GREEN, wave);
    }
    testHub.clearRequests();
    // The reverse of the order in which they must turn out of sync.
    for (const wave of ['later', 'first']) {
      await admin.patch(
        'applications',
        { namespace: NAMESPACE, name: wave },
        { spec: { source: { targetRevision: 'v2' } } },
      );
    }
    await reads({ ...GREEN, sync: 'OutOfSync' }, 'later');
    expect(
      testHub.writes().filter(write => write.startsWith('patch applications ')),
    ).toEqual([
      `patch applications ${NAMESPACE} first`,
      `patch applications ${NAMESPACE} later`,
    ]);
  });

  it('only reports in observe mode what it would write', async () => {
    await start({ mode: 'observe' });
    await deliver(pullApplication('app', 'one'));
    await report(GREEN);
    await waitFor(async () => {
      const [withheld] = (await run()).findings;
      expect(withheld).toMatchObject({
        code: 'AFC-420',
        evidence: `patch Application ${NAMESPACE}/app`,
      });
      return true;
    });
    expect((await application()).status).toBeUndefined();
  });

  it('gives way to a controller that empties it again and again, and names that controller', async () => {
    const other = createHttpClient({
      server: 'hub "test"',
      connector: createConnector({
        server: 'hub "test"',
        access: { kubeconfig: { path: testHub.kubeconfigPath } },
      }),
      fieldManager: 'argocd-applicationset-controller',
    });
    await admin.create('applications', pullApplication('app', 'one'));
    const change = (patch: Record<string, unknown>) =>
      other.patch(
        FLEET_RESOURCES.applications,
        { namespace: NAMESPACE, name: 'app' },
        patch,
      );
    // It wrote the Application, but leaves no trace in a status that it only empties.
    await change({ metadata: { labels: { generated: 'yes' } } });
    await start();
    await waitFor(async () => Boolean(await workOf()));
    await report(GREEN);
    for (let emptied = 0; emptied < 4; emptied += 1) {
      await reads(GREEN);
      await change({ status: null });
    }
    await waitFor(async () => {
      expect((await run()).findings).toMatchObject([
        {
          code: 'AFC-131',
          message: expect.stringContaining(
            '“argocd-applicationset-controller”',
          ),
          object: { kind: 'Application', namespace: NAMESPACE, name: 'app' },
        },
      ]);
      return true;
    });
    await other.close();
  });
});
