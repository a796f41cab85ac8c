import type {
  ArgoApplication,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { reportedWork } from '../plugins/argocd-fleet-backend/src/model/__testUtils__/works';
import { expect, type Stack } from './stack';

/** What the work agent of a cluster reports of the Application in its ManifestWork. */
export interface Report {
  readonly health: string;
  readonly sync: string;
  /** Commit of the comparison. */
  readonly revision: string;
  readonly phase?: string;
  /** Message of the last operation. */
  readonly operation?: string;
  /** Commit of the last successful sync. */
  readonly deployed: string;
}

/** Time of the last successful sync. */
const DEPLOYED_AT = '2026-11-21T10:02:00Z';

/** Kubernetes' times have whole seconds. */
const now = () => new Date().toISOString().replace(/\.\d+/, '');

const NAMESPACE = 'openshift-gitops';
const PLACEMENT = 'reporting-clusters';
const LABELS = { 'reported-by': 'test' };
const CLUSTER_SET = 'edge-clusters';

/**
 * Managed clusters without an agent, whose reports a test writes. A Placement of their own selects them in Argo CD's
 * namespace, and none of the example does.
 */
export function reportingClusters({ hub }: Stack) {
  const setAvailable = (name: string, status: 'True' | 'Unknown') =>
    hub.patchStatus('managedclusters', undefined, name, {
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status,
          reason: 'Test',
          message: '',
          lastTransitionTime: now(),
        },
      ],
    });

  /** The ManifestWork that delivers the Application at this revision. */
  async function workOf(cluster: string, targetRevision: string) {
    let found: ManifestWork | undefined;
    await expect
      .poll(async () => {
        const works = await hub.list('manifestworks', cluster);
        [found] = works as unknown as ManifestWork[];
        const payload = found?.spec.workload?.manifests?.find(
          ({ kind }) => kind === 'Application',
        ) as ArgoApplication | undefined;
        return payload?.spec.source?.targetRevision;
      })
      .toBe(targetRevision);
    return found!;
  }

  return {
    async create(names: readonly string[]) {
      await hub.create({
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'Placement',
        metadata: { name: PLACEMENT, namespace: NAMESPACE },
        spec: {
          clusterSets: [CLUSTER_SET],
          predicates: [
            {
              requiredClusterSelector: {
                labelSelector: { matchLabels: LABELS },
              },
            },
          ],
        },
      });
      for (const name of names) {
        await hub.create({
          apiVersion: 'v1',
          kind: 'Namespace',
          metadata: { name },
        });
        await hub.create({
          apiVersion: 'cluster.open-cluster-management.io/v1',
          kind: 'ManagedCluster',
          metadata: {
            name,
            labels: {
              ...LABELS,
              'cluster.open-cluster-management.io/clusterset': CLUSTER_SET,
            },
          },
          spec: { hubAcceptsClient: true },
        });
        await setAvailable(name, 'True');
      }
    },
    goSilent: (name: string) => setAvailable(name, 'Unknown'),
    /** Reports about the Application as the hub wants it at this revision, which the work has to have by then. */
    async report(cluster: string, targetRevision: string, report: Report) {
      const work = await workOf(cluster, targetRevision);
      const { health, sync, revision, phase = 'Succeeded' } = report;
      const startedAt = now();
      const { status } = reportedWork({
        work,
        feedback: {
          healthStatus: health,
          syncStatus: sync,
          operationStatePhase: phase,
          operationStateStartedAt: startedAt,
          syncRevision: revision,
        },
        digest: [
          ...(report.operation
            ? [['o', phase, '0', startedAt, report.operation]]
            : []),
          ['h', '1', DEPLOYED_AT, report.deployed],
        ],
        compared: true,
      });
      await hub.patchStatus(
        'manifestworks',
        cluster,
        work.metadata.name,
        status!,
      );
    },
    async remove(names: readonly string[]) {
      for (const name of names) {
        for (const { metadata } of await hub.list('manifestworks', name)) {
          await hub.deleteIfPresent('manifestworks', name, metadata.name);
        }
        await hub.delete('managedclusters', undefined, name);
        await hub.delete('namespaces', undefined, name);
      }
      await hub.delete('placements', NAMESPACE, PLACEMENT);
    },
  };
}
