import type { TestBackend } from '@backstage/backend-test-utils';
import type { JsonObject } from '@backstage/types';
import {
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  HOSTING_APPLICATION_SET_ANNOTATION,
  OPERATION_ANNOTATION,
  REFRESH_ANNOTATION,
  REFRESH_MARK_ANNOTATION,
  type ArgoApplication,
  type ControllerRun,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
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
import { applicationManifest } from '../../model/delivery/workManifests';
import { oneShotFields } from '../../model/manifestwork/oneShotFields';
import { withOneShotFields } from '../../model/manifestwork/oneShotFieldsOfWork';

const APP = { namespace: NAMESPACE, name: 'app' };
const OPERATION = {
  initiatedBy: { username: 'somebody' },
  sync: { revision: 'v2', syncOptions: ['Prune=true'] },
};

/** What propagation carries besides the Application itself, and what it finds of others. */
describe('propagation', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, 'one');
    await admin.create('clusters', managedCluster('one'));
    const decision = placementDecision('all');
    await provideDecision(admin);
    await testHub.patchStatus('decisions', decision.metadata, {
      decisions: [{ clusterName: 'one', reason: '' }],
    });
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  /** Full passes are so far apart that only watch events cause reconciles meanwhile. */
  async function start(propagation: JsonObject = {}, fullPassEvery = '1h') {
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          propagation: { fullPassEvery },
          aggregation: { mode: 'off' },
        },
        propagation,
      }),
    });
  }

  async function work(): Promise<ManifestWork | undefined> {
    const [first] = await admin.list('works');
    return first;
  }

  async function delivered(): Promise<ManifestWork> {
    return waitFor(work);
  }

  function payload(of: ManifestWork): ArgoApplication {
    return applicationManifest(of) as ArgoApplication;
  }

  async function report(reported: Record<string, string>) {
    const { metadata } = (await work())!;
    await testHub.patchStatus(
      'works',
      { namespace: metadata.namespace, name: metadata.name },
      {
        resourceStatus: {
          manifests: [
            {
              resourceMeta: {
                ordinal: 0,
                group: 'argoproj.io',
                kind: 'Application',
                name: 'app',
              },
              conditions: [],
              statusFeedback: {
                values: Object.entries(reported).map(([name, string]) => ({
                  name,
                  fieldValue: { type: 'String', string },
                })),
              },
            },
          ],
        },
      },
    );
  }

  async function status(): Promise<ControllerRun> {
    const { body } = await request(backend!.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items.find(
      ({ controller }: ControllerRun) => controller === 'propagation',
    );
  }

  async function findings() {
    return (await status()).findings.map(({ code }) => code);
  }

  /**
   * Resolves once something that was done after this call has been delivered: what was to be written before has been
   * written.
   */
  async function settled() {
    const before = payload((await work())!).spec.project;
    await admin.patch('applications', APP, {
      spec: { project: `${before}x` },
    });
    await waitFor(
      async () => payload((await work())!).spec.project === `${before}x`,
    );
  }

  it('delivers an operation once: copies it to the work at once, removes it from the hub, and from the work when it has begun', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await delivered();
    await report({ operationStateStartedAt: '2026-11-21T10:00:00Z' });
    const before = (await admin.get('applications', APP))!;
    testHub.clearRequests();

    await admin.patch('applications', APP, { operation: OPERATION });
    await waitFor(async () => payload((await work())!).operation !== undefined);
    const after = await waitFor(async () => {
      const application = await admin.get('applications', APP);
      return application?.operation === undefined && application;
    });
    const sent = (await work())!;
    expect(payload(sent).operation).toMatchObject(OPERATION);
    expect(
      JSON.parse(sent.metadata.annotations![OPERATION_ANNOTATION]),
    ).toMatchObject({ before: '2026-11-21T10:00:00Z' });
    expect(after.spec).toEqual(before.spec);
    expect(after.metadata.annotations).toEqual(before.metadata.annotations);
    expect(after.metadata.labels).toEqual(before.metadata.labels);

    await report({ operationStateStartedAt: '2026-11-21T09:55:01Z' });
    await waitFor(async () => payload((await work())!).operation === undefined);
    await settled();
    expect(payload((await work())!)).not.toHaveProperty('operation');
    expect((await work())!.metadata.annotations).toHaveProperty([
      OPERATION_ANNOTATION,
    ]);
    expect(testHub.writes().map(write => write.split(' ')[1])).toEqual([
      'manifestworks',
      'applications',
      'manifestworks',
      // The change that shows that nothing else is on its way.
      'manifestworks',
    ]);
  });

  it('delivers the next operation, however soon it is requested, with a start that differs from the one before', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await delivered();
    let firstTakenAt: number | undefined;
    /** Requests a sync and acts as the cluster, which begins at once and reports the start in whole seconds. */
    async function sync() {
      await admin.patch('applications', APP, { operation: OPERATION });
      await waitFor(async () => payload((await work())!).operation);
      firstTakenAt ??= performance.now();
      const second = Math.floor((performance.now() - firstTakenAt) / 1000);
      const startedAt = new Date(Date.UTC(2000, 0, 1, 0, 0, second));
      await report({
        healthStatus: 'Healthy',
        syncStatus: 'Synced',
        operationStatePhase: 'Succeeded',
        operationStateStartedAt: startedAt.toISOString().replace('.000', ''),
      });
      const sent = (await work())!.metadata.annotations![OPERATION_ANNOTATION];
      await waitFor(async () => {
        const { status: reported } = (await admin.get('applications', APP))!;
        return (
          reported?.operationState?.startedAt === JSON.parse(sent).writtenAt
        );
      });
      await waitFor(async () => !payload((await work())!).operation);
    }
    await sync();
    await sync();
    await sync();
    expect(await findings()).toEqual([]);
  });

  it('keeps an operation for an unavailable agent through other changes', async () => {
    await admin.create('applications', {
      ...pullApplication('app', 'one'),
      operation: OPERATION,
    } as ArgoApplication);
    await start();
    const first = await delivered();
    expect(payload(first).operation).toMatchObject(OPERATION);
    await waitFor(
      async () =>
        (await admin.get('applications', APP))?.operation === undefined,
    );
    await settled();
    const later = (await work())!;
    expect(payload(later).operation).toEqual(payload(first).operation);
    expect(later.metadata.annotations).toHaveProperty(
      [OPERATION_ANNOTATION],
      first.metadata.annotations![OPERATION_ANNOTATION],
    );
  });

  it('delivers a refresh once, and drops it with the next report', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start();
    await delivered();
    await report({ syncStatus: 'Synced' });
    await admin.patch('applications', APP, {
      metadata: { annotations: { [REFRESH_ANNOTATION]: 'hard' } },
    });
    await waitFor(
      async () =>
        payload((await work())!).metadata.annotations?.[REFRESH_ANNOTATION] ===
        'hard',
    );
    await waitFor(async () => {
      const application = await admin.get('applications', APP);
      return !application?.metadata.annotations?.[REFRESH_ANNOTATION];
    });
    await report({ syncStatus: 'OutOfSync' });
    const later = await waitFor(async () => {
      const now = (await work())!;
      return !now.metadata.annotations?.[REFRESH_MARK_ANNOTATION] && now;
    });
    expect(payload(later).metadata.annotations ?? {}).not.toHaveProperty([
      REFRESH_ANNOTATION,
    ]);
  });

  it('keeps an operation on an Application that it may not deliver', async () => {
    await admin.create('applications', {
      ...pullApplication('app', 'elsewhere'),
      operation: OPERATION,
    } as ArgoApplication);
    await start();
    await waitFor(async () => (await findings()).includes('AFC-102'));
    const application = await admin.get('applications', APP);
    expect(application?.operation).toEqual(OPERATION);
    expect(testHub.writes()).toEqual([]);
  });

  it('drops an operation that no agent started, when its time is over', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start({}, '100ms');
    const first = await delivered();
    const longAgo = Date.now() - 11 * 60_000;
    const oneShot = oneShotFields(
      { ...payload(first), operation: OPERATION },
      undefined,
      longAgo,
    );
    await admin.patch('works', first.metadata as { name: string }, {
      metadata: { annotations: oneShot.marks },
      spec: {
        workload: {
          manifests: [withOneShotFields(payload(first), oneShot)],
        },
      },
    });
    await waitFor(async () => {
      const now = (await work())!;
      return (
        OPERATION_ANNOTATION in now.metadata.annotations! &&
        payload(now).operation === undefined
      );
    });
    expect(payload((await work())!)).toEqual(payload(first));
  });

  async function nextPass() {
    const before = (await status()).lastPassAt;
    await waitFor(async () => (await status()).lastPassAt !== before);
  }

  it('delivers a namespace in a form that the hub stores, and orphans it on deletion', async () => {
    await admin.create('applications', pullApplication('app', 'one'));
    await start({ includeNamespace: true }, '100ms');
    const { spec } = await delivered();
    expect(spec.deleteOption).toEqual({
      propagationPolicy: 'SelectivelyOrphan',
      selectivelyOrphans: {
        orphaningRules: [
          { group: '', resource: 'namespaces', name: NAMESPACE },
        ],
      },
    });
    await nextPass();
    await nextPass();
    expect(testHub.writes()).toHaveLength(1);
  });

  describe('on a hub that RHACM prepared', () => {
    /**
     * The work as RHACM 2.15 writes it: a rule for each path, a Namespace along, no pull label on an ApplicationSet's
     * child.
     */
    async function createRhacmWork(updateStrategy?: object) {
      await admin.create('applications', pullApplication('app', 'one'));
      const { metadata, spec } = (await admin.get('applications', APP))!;
      const paths = {
        healthStatus: '.status.health.status',
        syncStatus: '.status.sync.status',
        operationStateStartedAt: '.status.operationState.startedAt',
        operationStatePhase: '.status.operationState.phase',
        syncRevision: '.status.sync.revision',
      };
      await admin.create('works', {
        apiVersion: 'work.open-cluster-management.io/v1',
        kind: 'ManifestWork',
        metadata: {
          namespace: 'one',
          name: `app-${metadata.uid?.slice(0, 5)}`,
          annotations: {
            [HUB_APPLICATION_NAMESPACE_ANNOTATION]: NAMESPACE,
            [HUB_APPLICATION_NAME_ANNOTATION]: 'app',
          },
        },
        spec: {
          workload: {
            manifests: [
              {
                apiVersion: 'v1',
                kind: 'Namespace',
                metadata: {
                  name: NAMESPACE,
                  labels: { 'argocd.argoproj.io/managed-by': NAMESPACE },
                },
              },
              {
                apiVersion: 'argoproj.io/v1alpha1',
                kind: 'Application',
                metadata: { namespace: NAMESPACE, name: 'app' },
                spec: {
                  ...spec,
                  destination: { ...spec.destination, name: '' },
                },
              },
            ],
          },
          deleteOption: {
            propagationPolicy: 'SelectivelyOrphan',
            selectivelyOrphans: {
              orphaningRules: [
                { group: '', resource: 'namespaces', name: NAMESPACE },
              ],
            },
          },
          manifestConfigs: [
            {
              resourceIdentifier: {
                group: 'argoproj.io',
                resource: 'applications',
                namespace: NAMESPACE,
                name: 'app',
              },
              feedbackRules: Object.entries(paths).map(([name, path]) => ({
                type: 'JSONPaths',
                jsonPaths: [{ name, path }],
              })),
              updateStrategy: updateStrategy ?? {
                type: 'ServerSideApply',
                serverSideApply: {
                  force: true,
                  ignoreFields: [
                    {
                      condition: 'OnSpokeChange',
                      jsonPaths: [
                        '.operation',
                        '.metadata.annotations["argocd.argoproj.io/refresh"]',
                      ],
                    },
                  ],
                },
              },
            },
          ],
        },
      } as ManifestWork);
      return delivered();
    }

    it('writes nothing when the configuration forbids what RHACM does not write', async () => {
      const prepared = await createRhacmWork();
      await start(
        { conditionRules: false, errorFeedback: false, watch: false },
        '100ms',
      );
      await nextPass();
      await nextPass();
      expect(testHub.writes()).toEqual([]);
      expect(await work()).toEqual(prepared);
    });

    it('adds the feedback of errors and resources, and changes nothing else', async () => {
      const prepared = await createRhacmWork();
      await start();
      const adopted = await waitFor(async () => {
        const now = (await work())!;
        return (
          now.spec.manifestConfigs?.[0].conditionRules !== undefined && now
        );
      });
      expect(testHub.writes()).toHaveLength(1);
      expect(adopted.spec.workload).toEqual(prepared.spec.workload);
      expect(adopted.spec.deleteOption).toEqual(prepared.spec.deleteOption);
      expect(adopted.metadata.uid).toBe(prepared.metadata.uid);
      expect(adopted.metadata.annotations).toEqual(
        prepared.metadata.annotations,
      );
      expect(adopted.metadata.annotations).not.toHaveProperty([
        HOSTING_APPLICATION_SET_ANNOTATION,
      ]);
    });

    it('does not touch works that RHACM made ReadOnly, until the configuration demands to adopt them', async () => {
      await createRhacmWork({ type: 'ReadOnly' });
      await start();
      await waitFor(async () => (await findings()).includes('AFC-108'));
      expect(testHub.writes()).toEqual([]);
      await backend!.stop();

      await start({ adoptReadOnly: true });
      const adopted = await waitFor(async () => {
        const now = (await work())!;
        const [config] = now.spec.manifestConfigs!;
        return config.updateStrategy?.type === 'ServerSideApply' && now;
      });
      expect(adopted.spec.manifestConfigs).toHaveLength(1);
    });
  });
});
