import type {
  ArgoApplicationSet,
  GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { appliedStatus } from '../../__testUtils__/agentReport';
import { readsWithBroken } from '../../__testUtils__/brokenObject';
import { applyRbac, deployedRbacFor } from '../../__testUtils__/deployedRbac';
import {
  provideDecision,
  startTestHub,
  type TestHub,
} from '../../__testUtils__/hubFixture';
import {
  decisionStatus,
  managedCluster,
  NAMESPACE,
  ownedBy,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import type { FleetHub } from '../../fleetHub';
import type { FleetResource } from '../../fleet/resources';
import { applicationManifest } from '../../model/delivery/workManifests';
import {
  composedHub,
  runForever,
} from '../convergence/__testUtils__/composedHub';

// Each object takes a second.
jest.setTimeout(60_000);

const CLUSTERS = ['one', 'two'];
/** Each has a Placement, an ApplicationSet and a GitOpsCluster of its name, and an Application on each cluster. */
const OWNERS = ['books', 'shop'];
const BROKEN = [
  'applications',
  'applicationSets',
  'works',
  'clusters',
  'placements',
  'decisions',
  'gitOpsClusters',
  'reports',
  'clusterSecrets',
] as const satisfies readonly FleetResource[];

const applications = OWNERS.flatMap(owner =>
  CLUSTERS.map(cluster => ({ owner, cluster, name: `${owner}-${cluster}` })),
);

/** What follows a change of an Application and its cluster. */
const REACHED = { work: true, status: true, report: true, secret: true };

const named = (name: string) => ({ namespace: NAMESPACE, name });

/** All controllers of a hub, of which one object after the other is broken in the cache. */
describe('with an object in the cache of which all but the metadata throws', () => {
  let testHub: TestHub;
  let admin: TestHub['admin'];
  let hub: FleetHub;
  let broken: { readonly resource: FleetResource; readonly key: string };
  let round = 0;
  const stop = new AbortController();
  let running: Promise<unknown>;

  beforeAll(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, ...CLUSTERS);
    await applyRbac(admin.client, deployedRbacFor(NAMESPACE));
    for (const cluster of CLUSTERS) {
      await admin.create('clusters', managedCluster(cluster, { region: '0' }));
    }
    for (const owner of OWNERS) {
      await provideDecision(admin, owner);
      await testHub.patchStatus(
        'decisions',
        placementDecision(owner).metadata,
        decisionStatus(CLUSTERS),
      );
      await admin.create(
        'applicationSets',
        pullApplicationSet(owner) as ArgoApplicationSet,
      );
      await admin.create('gitOpsClusters', importer(owner));
    }
    for (const { owner, cluster, name } of applications) {
      const set = await admin.get('applicationSets', named(owner));
      await admin.create(
        'applications',
        pullApplication(name, cluster, ownedBy(set)),
      );
    }

    const often = { fullPassEvery: '100ms' };
    hub = composedHub(testHub.kubeconfigPath, {
      clusterImport: often,
      propagation: often,
      applicationStatus: often,
      aggregation: often,
    });
    BROKEN.forEach(breakReads);
    running = Promise.all([
      hub.cache.run(stop.signal),
      ...hub.runners
        .filter(({ mode }) => mode === 'manage')
        .map(runner => runForever(runner, stop.signal)),
    ]);
    await waitFor(() =>
      BROKEN.every(resource => hub.cache[resource].size >= 2),
    );
  });

  afterAll(async () => {
    stop.abort();
    await running;
    await hub?.client.close();
    await testHub.stop();
  });

  function breakReads(resource: FleetResource) {
    const reads = readsWithBroken(hub.cache[resource], () =>
      broken?.resource === resource ? broken.key : undefined,
    );
    Object.assign(hub.cache[resource], reads);
  }

  async function othersGoOn(resource: FleetResource, key: string) {
    broken = { resource, key };
    round += 1;
    const reached = await change(round);
    const others = applications.filter(it => !isOf(it, resource, key));
    for (const application of others) {
      const what = { ...broken, name: application.name };
      await waitFor(async () => {
        expect({ ...what, ...(await reached(application)) }).toEqual({
          ...what,
          ...REACHED,
        });
        return true;
      });
    }
  }

  /** Changes everything that the controllers read, and returns a function that tells what has followed for an Application. */
  async function change(number: number) {
    const [targetRevision, health, region] = [
      `v${number}`,
      number % 2 ? 'Healthy' : 'Degraded',
      `${number}`,
    ];
    for (const cluster of CLUSTERS) {
      const labels = { region };
      await admin.patch(
        'clusters',
        { name: cluster },
        { metadata: { labels } },
      );
    }
    for (const { name } of applications) {
      const spec = { source: { targetRevision } };
      await admin.patch('applications', named(name), { spec });
    }
    return async (application: (typeof applications)[number]) => {
      const { owner, cluster, name } = application;
      const work = (await admin.list('works')).find(
        each => applicationManifest(each)?.metadata.name === name,
      );
      const manifest = work && JSON.stringify(applicationManifest(work));
      if (!work || !manifest?.includes(`"${targetRevision}"`)) {
        return { ...REACHED, work: false };
      }
      await testHub.patchStatus(
        'works',
        work.metadata,
        appliedStatus(work, { healthStatus: health, syncStatus: 'Synced' }),
      );
      const [stored, report, secret] = [
        await admin.get('applications', named(name)),
        await admin.get('reports', named(owner)),
        await admin.get('clusterSecrets', named(`${cluster}-cluster-secret`)),
      ];
      const row = report?.statuses?.clusterConditions?.find(
        each => each.cluster === cluster,
      );
      return {
        work: true,
        status: stored?.status?.health?.status === health,
        report: row?.healthStatus === health,
        secret: secret?.metadata.labels?.region === region,
      };
    };
  }

  it.each(BROKEN)(
    'each controller goes on for everything else: one of %s',
    async resource => {
      const keys = [...hub.cache[resource].keys()];
      expect(keys.length).toBeGreaterThan(1);
      for (const key of keys) {
        await othersGoOn(resource, key);
      }
    },
  );
});

/** Whether the object belongs to that Application, its ApplicationSet or its cluster. */
function isOf(
  { owner, cluster, name }: (typeof applications)[number],
  resource: FleetResource,
  key: string,
): boolean {
  const object = key.split('/').pop()!;
  return {
    applications: object === name,
    applicationSets: object === owner,
    works: object.startsWith(name) && key.startsWith(`${cluster}/`),
    clusters: object === cluster,
    placements: object === owner,
    decisions: object.startsWith(owner),
    gitOpsClusters: object === owner,
    reports: object === owner,
    clusterSecrets: object.startsWith(cluster),
  }[resource as (typeof BROKEN)[number]];
}

function importer(placement: string): GitOpsCluster {
  return {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: named(placement),
    spec: {
      argoServer: { argoNamespace: NAMESPACE },
      placementRef: { kind: 'Placement', name: placement },
    },
  };
}
