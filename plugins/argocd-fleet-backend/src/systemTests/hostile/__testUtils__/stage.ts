import { writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { TestBackend } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import type { JsonObject } from '@backstage/types';
import {
  COMPONENT_ANNOTATIONS,
  componentRef,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  type ApplicationSet,
  type ApplicationSetList,
  type ArgoApplication,
  type ControllerList,
  type Finding,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { startHubFaults } from 'hub-faults';
import request from 'supertest';
import {
  applyRbac,
  deployedRbacFor,
  deployedRbacWriting,
} from '../../../__testUtils__/deployedRbac';
import { oneHub, startFleetBackend } from '../../../__testUtils__/fleetBackend';
import {
  clientOf,
  startTestHub,
  type TestHub,
} from '../../../__testUtils__/hubFixture';
import {
  managedCluster,
  managedServiceAccountDefinition,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import { realServer } from '../../../__testUtils__/realServer';
import { waitFor } from '../../../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../../../config/controllerNames';
import { reportedWork } from '../../../model/__testUtils__/works';
import { applicationManifest } from '../../../model/delivery';
import { ACCOUNTS, accountWith, RIGHTS, type Account } from './accounts';
import { BASE } from './api';
import {
  createCollectingCatalog,
  type CollectingCatalog,
} from './collectingCatalog';
import {
  startCollectingLogger,
  type CollectingLogger,
} from './collectingLogger';
import { decide, setOf } from './decide';
import {
  ARGO_CD,
  BREACHED,
  CANARY,
  SELECTED,
  SHARED_CLUSTER,
  TENANT,
  TENANT_IN_CATALOG,
  TENANTS_CLUSTER,
  VICTIM,
  VICTIMS_CLUSTER,
} from './places';
import { brokenHubs } from './brokenHubs';
import { policyOf, type Team } from './policy';
import {
  COMPONENT_OF_FILE,
  createVictimsView,
  DEFINED_COMPONENT,
  type VictimsView,
} from './victimsView';

/** How often controllers look at everything, in the tests. */
const FULL_PASS_EVERY = '20ms';
/** What one controller writes, the next one reads: works, then the status of Applications, then reports and records. */
const CONTROLLERS_IN_A_ROW = 3;
/**
 * Milliseconds by which the backend may hear of a change of another resource later than of the canary's. The embedded hub
 * sends its events in the order of the changes; a real server has a watch cache for each resource.
 */
const WATCHES_APART_MS = realServer() ? 100 : 0;

/** What differs from a stage to the next. */
export interface StageOptions {
  /** Configuration of propagation. */
  readonly propagation?: JsonObject;
  /** About how many milliseconds an event stream lasts. */
  readonly streamLifetimeMs?: number;
  /** Besides the hub, some whose configuration is broken; the backend tries again and again to reach them. */
  readonly withBrokenHubs?: boolean;
}

/** A hub with a team that is attacked, those who attack it, and a backend that runs on it. */
export interface Stage {
  readonly testHub: TestHub;
  readonly backend: TestBackend;
  readonly logger: CollectingLogger;
  readonly catalog: Pick<CollectingCatalog, 'get' | 'hasResourceOf'>;
  readonly accounts: Readonly<Record<keyof typeof ACCOUNTS, Account>>;
  /** Requests to the API, of an administrator; set the header `authorization` for another user. */
  readonly api: ReturnType<typeof request>;
  /** Lets a user of the portal see and change what is a team's, until the returned function is called. */
  grant(team: Team): () => void;
  /** Everything that the victim sees. */
  victimSees(): Promise<VictimsView>;
  /**
   * Resolves when the canary's latest change has arrived, and every controller has since looked at everything, and at what
   * the others made of it.
   */
  settle(): Promise<void>;
  /** Resolves when the backend has listed all Applications again, and has seen what {@link settle} waits for. */
  relist(): Promise<void>;
  /** What a backend that starts now, and lists the whole hub, shows of the victim's ApplicationSets. */
  setsSeenAfterStart(): Promise<readonly ApplicationSet[]>;
  /** Findings of the controllers. */
  findings(): Promise<readonly Finding[]>;
  /** Waits for a finding about an object. */
  untilFinding(code: string, name: string): Promise<Finding>;
  works(): Promise<readonly ManifestWork[]>;
  /** The work of an Application of the tenant, unless another namespace is given. */
  workOf(name: string, namespace?: string): Promise<ManifestWork | undefined>;
  /** The ManifestWork in the cluster of the hostile agent. */
  workOfAgent(): Promise<ManifestWork>;
  /** Runs after the attack, the latest first. */
  afterwards(undo: () => Promise<unknown>): void;
  /** Removes what the attack left. */
  cleanUp(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts hub and backend; resolves when the Applications of the victim and of the canary are delivered. */
export async function startStage({
  propagation = {},
  streamLifetimeMs,
  withBrokenHubs = false,
}: StageOptions = {}): Promise<Stage> {
  const testHub = await startTestHub({ users: ACCOUNTS });
  await createFleet(testHub);
  const accounts = Object.fromEntries(
    await Promise.all(
      Object.keys(ACCOUNTS).map(async user => [
        user,
        await accountOn(testHub, user as keyof typeof ACCOUNTS),
      ]),
    ),
  ) as Stage['accounts'];
  const logger = startCollectingLogger();
  const broken = withBrokenHubs ? await brokenHubs() : undefined;
  const entities = [
    component(COMPONENT_OF_FILE, 'victims'),
    component('spy', 'tenants'),
  ];
  const catalog = createCollectingCatalog(entities);
  const teams: Team[] = [
    { user: 'user:default/victor', namespace: VICTIM },
    { user: 'user:default/tina', namespace: TENANT },
  ];
  const controller = { fullPassEvery: FULL_PASS_EVERY };
  const proxiedKubeconfigPath = `${testHub.kubeconfigPath}.proxied`;
  const faults = await startHubFaults({
    target: { kubeconfig: testHub.kubeconfigPath },
    kubeconfigPath: proxiedKubeconfigPath,
  });
  const backend = await startFleetBackend({
    argocdFleet: {
      hubs: [
        {
          name: 'hub',
          kubeconfig: { path: proxiedKubeconfigPath },
          writes: [writesOf(VICTIM, 'shop'), writesOf(TENANT, 'stall')],
        },
        ...(broken?.hubs ?? []),
      ],
      controllers: {
        clusterImport: controller,
        propagation: controller,
        applicationStatus: controller,
        aggregation: controller,
        resourceSync: controller,
      },
      components: { namespaces: [VICTIM, TENANT_IN_CATALOG] },
      clusterImport: { managedServiceAccounts: { [ARGO_CD]: ['argocd'] } },
      propagation,
    },
    config: {
      catalog: {
        providers: {
          argocdFleet: {
            schedule: {
              scope: 'local',
              frequency: { milliseconds: 200 },
              timeout: { seconds: 30 },
            },
          },
        },
      },
    },
    features: [
      logger.feature,
      policyOf(teams, ['user:default/mock']),
      ...catalog.features,
    ],
    entities,
    plugin: { streamLifetimeMs },
  });
  const api = request(backend.server);
  const { admin } = testHub;
  let revision = 0;
  const undone: (() => Promise<unknown>)[] = [];

  const works = () => admin.list('works');

  async function workOf(name: string, namespace = TENANT) {
    return (await works()).find(
      ({ metadata: { annotations = {} } }) =>
        annotations[HUB_APPLICATION_NAME_ANNOTATION] === name &&
        annotations[HUB_APPLICATION_NAMESPACE_ANNOTATION] === namespace,
    );
  }

  async function controllers(): Promise<ControllerList['items']> {
    const { body } = await api.get(`${BASE}/controllers`);
    return (body as ControllerList).items.filter(({ hub }) => hub === 'hub');
  }

  async function findings() {
    return (await controllers()).flatMap(item => item.findings);
  }

  async function deliverCanary() {
    revision += 1;
    const targetRevision = `canary-${revision}`;
    await admin.patch(
      'applications',
      { namespace: CANARY, name: 'canary' },
      { spec: { source: { targetRevision } } },
    );
    await waitFor(async () => {
      const work = await workOf('canary', CANARY);
      const payload = work && (applicationManifest(work) as ArgoApplication);
      return payload?.spec.source?.targetRevision === targetRevision;
    });
  }

  /** Every controller ends a pass that began after the call, so that it has seen what was on the hub by then. */
  async function untilPassesEnd() {
    const since = Date.now() + WATCHES_APART_MS;
    await waitFor(async () =>
      (await controllers()).every(
        ({ lastPassAt = '' }) => Date.parse(lastPassAt) > since,
      ),
    );
  }

  const victimSees = createVictimsView(testHub, api, catalog);
  const stage: Stage = {
    testHub,
    backend,
    logger,
    catalog,
    accounts,
    api,
    grant(team) {
      teams.push(team);
      return () => teams.splice(teams.indexOf(team), 1);
    },
    victimSees,
    async settle() {
      await deliverCanary();
      for (let count = 0; count < CONTROLLERS_IN_A_ROW; count += 1) {
        await untilPassesEnd();
      }
    },
    async relist() {
      const match = { resource: 'applications' };
      const lists = faults.add({
        type: 'latency',
        milliseconds: 0,
        match: { ...match, verb: 'list' },
      });
      const expired = faults.add({ type: 'watchExpired', as: 'http', match });
      faults.dropConnections();
      await waitFor(() => expired.hits() > 0 && lists.hits() > 0);
      faults.clear();
      await stage.settle();
    },
    async setsSeenAfterStart() {
      const another = await startFleetBackend({
        argocdFleet: oneHub(testHub.kubeconfigPath, {
          // The other backend writes.
          controllers: Object.fromEntries(
            CONTROLLER_NAMES.map(name => [name, { mode: 'observe' }]),
          ),
        }),
      });
      try {
        return await waitFor(async () => {
          const { body } = await request(another.server).get(
            `${BASE}/applicationsets`,
          );
          const { hubs, items } = body as ApplicationSetList;
          return (
            hubs.every(({ state }) => state === 'ready') &&
            items.filter(({ ref }) => ref.namespace === VICTIM)
          );
        });
      } finally {
        await another.stop();
      }
    },
    findings,
    untilFinding: (code, name) =>
      waitFor(async () =>
        (await findings()).find(
          finding => finding.code === code && finding.object?.name === name,
        ),
      ),
    works,
    workOf,
    async workOfAgent() {
      const found = (await works()).find(
        ({ metadata }) =>
          metadata.namespace === BREACHED &&
          metadata.annotations?.[HUB_APPLICATION_NAMESPACE_ANNOTATION] ===
            TENANT,
      );
      if (!found) {
        throw new Error('The tenant’s Application is not delivered');
      }
      return found;
    },
    afterwards: undo => undone.push(undo),
    async cleanUp() {
      for (const undo of undone.splice(0).reverse()) {
        await undo();
      }
    },
    async stop() {
      await backend.stop();
      await faults.stop();
      await Promise.all(
        Object.values(accounts).map(account => account.close()),
      );
      await broken?.remove();
      await testHub.stop();
    },
  };
  await waitFor(async () => (await works()).length === 5);
  for (const work of await works()) {
    await reportHealthy(testHub, work);
  }
  await waitFor(async () => {
    const set = (await victimSees()).answers[
      '/applicationsets/hub/victims/shop'
    ];
    return set?.summary?.health?.Healthy === 2;
  });
  await waitFor(async () => {
    const set = { namespace: VICTIM, name: 'shop' };
    const report = await admin.get('reports', set);
    return report?.statuses.summary?.healthy === '2';
  });
  await waitFor(() => catalog.get(componentRef(DEFINED_COMPONENT)));
  // What follows from these reports is written too.
  await waitFor(async () => {
    const before = await victimSees();
    await stage.settle();
    return isDeepStrictEqual(await victimSees(), before);
  });
  return stage;
}

/** The user, once the hub grants exactly its rights. */
async function accountOn(
  testHub: TestHub,
  user: keyof typeof ACCOUNTS,
): Promise<Account> {
  const path = `${testHub.adminKubeconfigPath}.${user}`;
  await writeFile(path, testHub.hub.kubeconfig(user));
  await applyRbac(testHub.admin.client, RIGHTS[user]);
  const client = clientOf(path);
  await testHub.hub.untilInForce(client, RIGHTS[user]);
  await client.close();
  return accountWith(path);
}

/** Everything that users and other controllers make on the hub. */
async function createFleet(testHub: TestHub) {
  const { admin } = testHub;
  // A cluster with the name of Argo CD's namespace, as the hub itself could have.
  const clusters = [
    ...[VICTIMS_CLUSTER, SHARED_CLUSTER, TENANTS_CLUSTER, BREACHED, ARGO_CD],
  ];
  await testHub.provideNamespaces(
    ...Object.keys(SELECTED),
    TENANT_IN_CATALOG,
    ...clusters,
  );
  await testHub.provideCrd(managedServiceAccountDefinition());
  await applyRbac(admin.client, deployedRbacFor(ARGO_CD));
  for (const namespace of [VICTIM, TENANT]) {
    await applyRbac(admin.client, deployedRbacWriting(namespace));
  }
  for (const name of clusters) {
    const sets = Object.keys(SELECTED).filter(namespace =>
      SELECTED[namespace].includes(name),
    );
    await admin.create('clusters', {
      ...managedCluster(
        name,
        Object.fromEntries(sets.map(set => [setOf(set), 'true'])),
      ),
      spec: {
        hubAcceptsClient: true,
        managedClusterClientConfigs: [{ url: `https://${name}.example.com` }],
      },
    } as KubernetesObject);
  }
  for (const namespace of Object.keys(SELECTED)) {
    await decide(testHub, namespace, SELECTED[namespace]);
  }
  await waitFor(() => importClusters(testHub).then(() => true));
  async function createSet(
    namespace: string,
    name: string,
    annotations: Record<string, string> = {},
  ) {
    const set = pullApplicationSet(name);
    await admin.create('applicationSets', {
      ...set,
      metadata: { ...set.metadata, namespace, annotations },
    });
    return admin.get('applicationSets', { namespace, name });
  }
  const shop = await createSet(VICTIM, 'shop', {
    [COMPONENT_ANNOTATIONS.name]: DEFINED_COMPONENT,
    [COMPONENT_ANNOTATIONS.owner]: 'group:default/victims',
    [COMPONENT_ANNOTATIONS.title]: 'The till of the shop',
  });
  const stall = await createSet(TENANT, 'stall');
  for (const cluster of SELECTED[VICTIM]) {
    await admin.create(
      'applications',
      pullApplication(`shop-${cluster}`, cluster, {
        namespace: VICTIM,
        ...ownedBy(shop),
      }),
    );
  }
  await admin.create(
    'applications',
    pullApplication('canary', SHARED_CLUSTER, { namespace: CANARY }),
  );
  await admin.create(
    'applications',
    pullApplication('canary-too', BREACHED, { namespace: CANARY }),
  );
  await admin.create(
    'applications',
    pullApplication('stall', BREACHED, {
      namespace: TENANT,
      ...ownedBy(stall),
    }),
  );
}

/** Clusters are imported with tokens of ManagedServiceAccounts, as in the push model. */
async function importClusters({ admin, patchStatus }: TestHub) {
  await admin.create('serviceAccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name: 'argocd-applicationset-controller',
      namespace: ARGO_CD,
    },
  });
  for (const namespace of SELECTED[ARGO_CD]) {
    const metadata = { namespace, name: 'argocd' };
    await waitFor(() =>
      admin
        .create('managedServiceAccounts', {
          apiVersion: 'authentication.open-cluster-management.io/v1beta1',
          kind: 'ManagedServiceAccount',
          metadata,
        })
        .then(() => true),
    );
    await admin.create('clusterSecrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata,
      data: { token: base64(`token-of-${namespace}`), 'ca.crt': base64('ca') },
    } as KubernetesObject);
    await patchStatus('managedServiceAccounts', metadata, {
      tokenSecretRef: {
        name: 'argocd',
        lastRefreshTimestamp: '2026-11-21T10:00:00Z',
      },
    });
  }
  await admin.create('gitOpsClusters', {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: { name: 'all', namespace: ARGO_CD },
    spec: {
      argoServer: { argoNamespace: ARGO_CD },
      placementRef: { kind: 'Placement', name: 'all' },
      managedServiceAccountRef: 'argocd',
    },
  } as KubernetesObject);
}

/** As the agent of an honest cluster reports. */
async function reportHealthy({ patchStatus }: TestHub, work: ManifestWork) {
  const { status } = reportedWork({
    work,
    feedback: {
      healthStatus: 'Healthy',
      syncStatus: 'Synced',
      syncRevision: '0123456789abcdef0123456789abcdef01234567',
    },
  });
  await patchStatus('works', work.metadata, status);
}

/** What the portal may write for a team. */
function writesOf(namespace: string, team: string) {
  return {
    namespaces: [namespace],
    projects: [team],
    repositories: [`https://github.com/${team}`],
    destinationNamespaces: [team],
    clusterSets: [setOf(namespace)],
  };
}

/** A Component that is linked to the victim's ApplicationSet. */
function component(name: string, owner: string): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      namespace: 'default',
      annotations: { 'argocd-fleet/applicationset': `${VICTIM}/shop` },
    },
    spec: { type: 'service', lifecycle: 'production', owner },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
