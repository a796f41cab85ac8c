import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@backstage/types';
import {
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applyRbac,
  deployedRbacFor,
} from '../../../__testUtils__/deployedRbac';
import { NAMESPACES, provideDecision } from '../../../__testUtils__/hubFixture';
import {
  decisionStatus,
  managedCluster,
  namespace,
  NAMESPACE,
  placementDecision,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { isKubernetesError } from '../../../kubernetes/client/errors';
import { reportedWork } from '../../../model/__testUtils__/works';
import type { FaultyHub } from './faultyHub';

const SETS = ['alpha', 'beta', 'gamma'];
/** `changeFleet` selects the last one. */
const CLUSTERS = ['c1', 'c2', 'c3', 'c4', 'late'];
const SELECTED_BEFORE = ['c1', 'c2', 'c3', 'c4'];
/** The work whose Application becomes Degraded. */
const DEGRADED = 'c4 gamma-c4';
const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

const application = (name: string) => ({ namespace: NAMESPACE, name });

/** Works of the initial fleet. */
export const WORKS_BEFORE = SETS.flatMap(set =>
  SELECTED_BEFORE.map(cluster => `${cluster} ${set}-${cluster}`),
).sort();

/** The work whose Application loses the pull label: it stays, and reports no longer. */
const KEPT = 'c4 beta-c4';

/** Report row before `changeFleet` of the Application whose cluster is not yet selected. */
const NOT_YET_DELIVERED = 'late gamma-late  Unknown';

/** Works after `changeFleet`. */
export const WORKS_AFTER = [
  'c1 alpha-c1',
  'c1 gamma-c1',
  'c2 alpha-c2',
  'c2 alpha-new',
  'c2 gamma-c2',
  'c3 alpha-c3',
  'c3 gamma-c3',
  'c4 alpha-c4',
  'c4 beta-c1',
  KEPT,
  'c4 gamma-c4',
  'late gamma-late',
];

/** Works that the backend deletes after `changeFleet`: their Applications were deleted, retargeted or recreated. */
export const WORKS_REMOVED = [
  'c1 beta-c1',
  'c1 gamma-c1',
  'c2 beta-c2',
  'c3 beta-c3',
];

/** `<cluster> <Application>` of a work. */
export function workLabel({ metadata }: ManifestWork): string {
  return `${metadata.namespace} ${metadata.annotations?.[HUB_APPLICATION_NAME_ANNOTATION]}`;
}

async function createApplication(
  hub: FaultyHub,
  set: string,
  name: string,
  cluster: string,
  more: Partial<ArgoApplication['metadata']> = {},
) {
  const owner = await hub.admin.get('applicationSets', application(set));
  await hub.admin.create(
    'applications',
    pullApplication(name, cluster, {
      ...more,
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'ApplicationSet',
          name: set,
          uid: owner!.metadata.uid!,
          controller: true,
        },
      ],
    }),
  );
}

/** Lets the Applications' namespace deliver to these clusters. */
export async function selectClusters(hub: FaultyHub, ...clusters: string[]) {
  await hub.patchStatus(
    'decisions',
    placementDecision('all').metadata,
    decisionStatus(clusters),
  );
}

/** Creates the initial fleet: all objects of users and of other controllers. */
export async function createFleet(hub: FaultyHub) {
  await hub.admin.client.create(NAMESPACES, namespace(NAMESPACE));
  await applyRbac(hub.admin.client, deployedRbacFor(NAMESPACE));
  for (const cluster of CLUSTERS) {
    await hub.admin.client.create(NAMESPACES, namespace(cluster));
    await hub.admin.create('clusters', managedCluster(cluster));
  }
  await provideDecision(hub.admin);
  await selectClusters(hub, ...SELECTED_BEFORE);
  await hub.admin.create('gitOpsClusters', {
    apiVersion: 'apps.open-cluster-management.io/v1beta1',
    kind: 'GitOpsCluster',
    metadata: application('all'),
    spec: {
      argoServer: { argoNamespace: NAMESPACE },
      placementRef: {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'Placement',
        name: 'all',
      },
    },
  } as KubernetesObject);
  for (const set of SETS) {
    await hub.admin.create('applicationSets', pullApplicationSet(set));
    for (const cluster of SELECTED_BEFORE) {
      await createApplication(hub, set, `${set}-${cluster}`, cluster, {
        // Each set has Applications with and without a finalizer.
        ...(cluster === 'c2' && { finalizers: [FINALIZER] }),
      });
    }
  }
  await createApplication(hub, 'gamma', 'gamma-late', 'late');
}

/** Reports as the agents of all clusters do: each has applied its work and compared it with that revision. */
async function reportAllWorks(hub: FaultyHub, revision: string) {
  for (const work of await hub.works()) {
    const isDegraded = workLabel(work) === DEGRADED && revision !== 'first';
    await report(hub, work, isDegraded ? 'Degraded' : 'Healthy', revision);
  }
}

async function report(
  hub: FaultyHub,
  work: ManifestWork,
  health: string,
  revision: string,
) {
  const { namespace: cluster, name, generation } = work.metadata;
  const [payload] = work.spec.workload?.manifests ?? [];
  const { source, destination } = (payload as ArgoApplication).spec;
  const observed = { observedGeneration: generation };
  const { status } = reportedWork({
    work,
    applied: observed,
    ready: observed,
    feedback: {
      healthStatus: health,
      syncStatus: 'Synced',
      syncRevision: revision,
    },
    digest: [
      ['s', health, 'Synced', revision],
      ['d', destination?.server ?? '', '', destination?.namespace ?? '', '='],
      [
        't',
        source?.repoURL ?? '',
        source?.path ?? '',
        '',
        source?.targetRevision ?? '',
        '',
      ],
    ],
  });
  if (!isDeepStrictEqual(work.status, status)) {
    await hub.patchStatus('works', { namespace: cluster, name }, status);
  }
}

/** Makes every kind of change to the fleet, once each. */
export async function changeFleet(hub: FaultyHub) {
  const { admin } = hub;
  const change = (name: string, patch: Record<string, unknown>) =>
    admin.patch('applications', application(name), patch);
  const works = await hub.works();
  const workOf = (name: string) =>
    works.find(work => workLabel(work).endsWith(` ${name}`))!;

  await change('alpha-c1', { spec: { source: { targetRevision: 'v2' } } });
  await change('alpha-c2', { metadata: { labels: { team: 'blue' } } });
  await admin.delete('applications', application('beta-c2'));
  await admin.delete('applications', application('beta-c3'));
  await change('beta-c4', { metadata: { labels: { [PULL_LABEL]: null } } });
  await change('beta-c1', {
    metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'c4' } },
  });
  await admin.delete('applications', application('gamma-c1'));
  await createApplication(hub, 'gamma', 'gamma-c1', 'c1');
  await createApplication(hub, 'alpha', 'alpha-new', 'c2');
  await change('gamma-c2', {
    operation: { sync: { revision: 'abc' } },
  });
  await report(hub, workOf('gamma-c4'), 'Degraded', 'first');
  await admin.delete('works', workOf('alpha-c4').metadata);
  // c3 loses its decision but keeps its works; another cluster gets one.
  await selectClusters(hub, 'c1', 'c2', 'c4', 'late');
}

/** Overwrites a work by hand. */
export async function overwriteWork(hub: FaultyHub) {
  const works = await hub.works();
  const { metadata } = works.find(work => workLabel(work) === 'c2 alpha-c2')!;
  await hub.admin.patch('works', metadata, {
    metadata: { labels: { [PULL_LABEL]: 'overwritten' } },
    spec: {
      workload: { manifests: [pullApplication('alpha-c2', 'elsewhere')] },
    },
  });
}

/** Changes every Application and work and reverts the change, to trigger a reconcile. */
export async function touchAllObjects(hub: FaultyHub) {
  for (const resource of ['applications', 'works'] as const) {
    for (const { metadata } of await hub.admin.list(resource)) {
      for (const touched of ['yes', null]) {
        await hub.admin
          .patch(resource, metadata, {
            metadata: { annotations: { 'example.com/touched': touched } },
          })
          .catch(error => {
            // The first change may have led to its deletion.
            if (!isKubernetesError(error, 'notFound')) {
              throw error;
            }
          });
      }
    }
  }
}

/** Configuration of all controllers with full passes too rare to matter in a test. */
export function withRareFullPasses(more: JsonObject = {}) {
  const controller = { fullPassEvery: '10m', ...more };
  return {
    clusterImport: controller,
    propagation: controller,
    applicationStatus: controller,
    aggregation: controller,
  };
}

/** Milliseconds between two checks that list what a hub has: tests wait for many hubs at once. */
const CHECK_EVERY_MS = 100;

/** Waits until the hub has exactly the works with these labels. */
export async function waitForWorks(hub: FaultyHub, labels: readonly string[]) {
  await waitFor(
    async () => {
      expect((await hub.works()).map(workLabel).sort()).toEqual(labels);
      return true;
    },
    undefined,
    CHECK_EVERY_MS,
  );
}

/**
 * Reports as the agents do, again and again until the check is fulfilled: when a work is delivered anew, what its agent
 * reported before is old.
 */
export async function waitReporting(
  hub: FaultyHub,
  revision: string,
  check: () => Promise<boolean>,
) {
  await waitFor(
    async () => {
      await reportAllWorks(hub, revision);
      return check();
    },
    undefined,
    CHECK_EVERY_MS,
  );
}

/** Reports as the agents do until exactly the Applications and the report rows of the works are in sync with that revision. */
async function waitForReports(hub: FaultyHub, revision: string) {
  await waitReporting(hub, revision, async () => {
    const works = (await hub.works())
      .map(workLabel)
      .filter(label => revision === 'first' || label !== KEPT);
    const applications = (await hub.admin.list('applications'))
      .filter(
        ({ status }) =>
          status?.sync?.revision === revision &&
          status.sync.status === 'Synced',
      )
      .map(({ metadata }) => metadata.name);
    const rows = (await hub.admin.list('reports'))
      .flatMap(({ statuses }) => statuses?.clusterConditions ?? [])
      .map(({ app = '', cluster, syncRevision, syncStatus }) =>
        [cluster, app.split('/')[1], syncRevision, syncStatus].join(' '),
      );
    return (
      isDeepStrictEqual(
        applications.sort(),
        works.map(label => label.split(' ')[1]).sort(),
      ) &&
      isDeepStrictEqual(
        rows.sort(),
        [
          ...works.map(label => `${label} ${revision} Synced`),
          ...(revision === 'first' ? [NOT_YET_DELIVERED] : []),
        ].sort(),
      )
    );
  });
}

/** Waits for the works after `changeFleet`: agents report about new works before old ones go. */
export async function waitForWorksAfter(hub: FaultyHub) {
  await waitReporting(hub, 'second', async () => {
    expect((await hub.works()).map(workLabel).sort()).toEqual(WORKS_AFTER);
    return true;
  });
}

/** Waits until the works have the operations of all Applications: only then they are taken from the Applications. */
async function waitForOperations(hub: FaultyHub) {
  await waitFor(async () => {
    const applications = await hub.admin.list('applications');
    return applications.every(({ operation }) => operation === undefined);
  });
}

/** Waits until exactly these clusters are imported into the hub's Argo CD. */
async function waitForImports(hub: FaultyHub, clusters: readonly string[]) {
  await waitFor(async () => {
    const secrets = await hub.admin.list('clusterSecrets');
    expect(secrets.map(({ metadata }) => metadata.name).sort()).toEqual(
      clusters.map(cluster => `${cluster}-cluster-secret`),
    );
    return true;
  });
}

/** Waits until the backend has made everything that follows from the initial fleet, while the agents report `first`. */
export async function waitForFirstState(hub: FaultyHub) {
  await waitForWorks(hub, WORKS_BEFORE);
  await waitForReports(hub, 'first');
  await waitForImports(hub, SELECTED_BEFORE);
}

/** Waits until the backend has made everything that follows from all changes, while the agents report `second`. */
export async function waitForSecondState(hub: FaultyHub) {
  await waitForWorksAfter(hub);
  await waitForReports(hub, 'second');
  await waitForOperations(hub);
  // A cluster that is no longer selected stays imported.
  await waitForImports(hub, [...SELECTED_BEFORE, 'late']);
}
