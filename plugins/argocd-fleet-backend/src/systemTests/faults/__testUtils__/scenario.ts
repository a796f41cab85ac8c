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
import { NAMESPACES } from '../../../__testUtils__/hubFixture';
import {
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
/** The last one is decided on only while things happen. */
const CLUSTERS = ['c1', 'c2', 'c3', 'c4', 'late'];
/** An Application that falls ill. */
const DEGRADED = 'c4 gamma-c4';
const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

const application = (name: string) => ({ namespace: NAMESPACE, name });

/** Works that a hub has before anything happens. */
export const WORKS_BEFORE = SETS.flatMap(set =>
  ['c1', 'c2', 'c3', 'c4'].map(cluster => `${cluster} ${set}-${cluster}`),
).sort();

/** Works that it has afterwards. */
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
  'c4 gamma-c4',
  'late gamma-late',
];

/** Works of before that are not to be there any more: of what was deleted, retargeted, no longer pulled, or made again. */
export const WORKS_REMOVED = [
  'c1 beta-c1',
  'c1 gamma-c1',
  'c2 beta-c2',
  'c3 beta-c3',
  'c4 beta-c4',
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
  const owner = await hub.somebody.get('applicationSets', application(set));
  await hub.somebody.create(
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

/** Has a PlacementDecision of the Applications' namespace name these clusters. */
export async function decide(hub: FaultyHub, ...clusters: string[]) {
  await hub.patchStatus('decisions', placementDecision('all').metadata, {
    decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
  });
}

/** Makes everything that nobody but people and other controllers makes. */
export async function furnish(hub: FaultyHub) {
  await hub.somebody.client.create(NAMESPACES, namespace(NAMESPACE));
  await applyRbac(hub.somebody.client, deployedRbacFor(NAMESPACE));
  for (const cluster of CLUSTERS) {
    await hub.somebody.client.create(NAMESPACES, namespace(cluster));
    await hub.somebody.create('clusters', managedCluster(cluster));
  }
  await hub.somebody.create('decisions', placementDecision('all'));
  await decide(hub, 'c1', 'c2', 'c3', 'c4');
  await hub.somebody.create('placements', {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'Placement',
    metadata: application('all'),
    spec: {},
  } as KubernetesObject);
  await hub.somebody.create('gitOpsClusters', {
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
    await hub.somebody.create('applicationSets', pullApplicationSet(set));
    for (const cluster of ['c1', 'c2', 'c3', 'c4']) {
      await createApplication(hub, set, `${set}-${cluster}`, cluster, {
        // One of each kind of deletion.
        ...(cluster === 'c2' && { finalizers: [FINALIZER] }),
      });
    }
  }
  await createApplication(hub, 'gamma', 'gamma-late', 'late');
}

/** Plays the agents of all clusters: each has applied what is in its work now, and compared with that revision. */
export async function reportAll(hub: FaultyHub, revision: string) {
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
  await hub.patchStatus('works', { namespace: cluster, name }, status);
}

/** Everything that can happen to a fleet, once each. */
export async function muchHappens(hub: FaultyHub) {
  const { somebody } = hub;
  const change = (name: string, patch: Record<string, unknown>) =>
    somebody.patch('applications', application(name), patch);
  const works = await hub.works();
  const workOf = (name: string) =>
    works.find(work => workLabel(work).endsWith(` ${name}`))!;

  await change('alpha-c1', { spec: { source: { targetRevision: 'v2' } } });
  await change('alpha-c2', { metadata: { labels: { team: 'blue' } } });
  await somebody.delete('applications', application('beta-c2'));
  await somebody.delete('applications', application('beta-c3'));
  await change('beta-c4', { metadata: { labels: { [PULL_LABEL]: null } } });
  await change('beta-c1', {
    metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: 'c4' } },
  });
  await somebody.delete('applications', application('gamma-c1'));
  await createApplication(hub, 'gamma', 'gamma-c1', 'c1');
  await createApplication(hub, 'alpha', 'alpha-new', 'c2');
  await change('gamma-c2', {
    operation: { sync: { revision: 'abc' } },
  });
  await report(hub, workOf('gamma-c4'), 'Degraded', 'first');
  await somebody.delete('works', workOf('alpha-c4').metadata);
  // The decision for c3 is lost, and with it nothing that is there; that for another cluster arrives.
  await decide(hub, 'c1', 'c2', 'c4', 'late');
}

/** Somebody changes a work by hand. */
export async function meddle(hub: FaultyHub) {
  const works = await hub.works();
  const { metadata } = works.find(work => workLabel(work) === 'c2 alpha-c2')!;
  await hub.somebody.patch('works', metadata, {
    metadata: { labels: { [PULL_LABEL]: 'meddled' } },
    spec: {
      workload: { manifests: [pullApplication('alpha-c2', 'elsewhere')] },
    },
  });
}

/** Changes everything and changes it back, as reason to look at it once more. */
export async function touchAll(hub: FaultyHub) {
  for (const resource of ['applications', 'works'] as const) {
    for (const { metadata } of await hub.somebody.list(resource)) {
      for (const touched of ['yes', null]) {
        await hub.somebody
          .patch(resource, metadata, {
            metadata: { annotations: { 'example.com/touched': touched } },
          })
          .catch(error => {
            // That it was touched may be why it has gone.
            if (!isKubernetesError(error, 'notFound')) {
              throw error;
            }
          });
      }
    }
  }
}

/** As `waitFor`, for looks that are work, and for what may have to be tried again first. */
export function patiently<T>(
  check: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  return waitFor(check, 90_000, 300);
}

/** Resolves once the hub has works with exactly these labels. */
export async function hasWorks(hub: FaultyHub, labels: readonly string[]) {
  await patiently(async () => {
    expect((await hub.works()).map(workLabel).sort()).toEqual(labels);
    return true;
  });
}

/** Plays the agents until the hub says of each Application that has a work, and in each report, that it is in sync with that revision. */
export async function isReported(hub: FaultyHub, revision: string) {
  await patiently(async () => {
    await reportAll(hub, revision);
    const works = await hub.works();
    const applications = await hub.somebody.list('applications');
    const rows = (await hub.somebody.list('reports')).flatMap(
      ({ statuses }) => statuses?.clusterConditions ?? [],
    );
    const told = [
      ...applications.map(({ status }) => status?.sync),
      ...rows.map(({ syncRevision, syncStatus }) => ({
        revision: syncRevision,
        status: syncStatus,
      })),
    ].filter(it => it?.revision === revision && it.status === 'Synced');
    return told.length === 2 * works.length;
  });
}
