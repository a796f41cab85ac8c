import type {
  ArgoApplication,
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { applicationManifest } from '../delivery';
import { readTrouble } from '../feedback';
import { argocdFindings, clusterFault, isClusterFault } from '../findings';

/** How far apart the Applications of a cluster become OutOfSync that do for one cause. */
const AT_ONCE_MS = 60_000;

/** Of a cluster, this many works with faults are read: its agent may write any number of them. */
const MAX_WORKS = 500;

/** Whether what a work reports may be about its whole cluster: few works do. */
export function mayReportFault(work: ManifestWork): boolean {
  const { conditions = [], everythingPruned = false } = readTrouble(work) ?? {};
  return everythingPruned || conditions.some(isClusterFault);
}

interface Report {
  /** That the Application deploys to. */
  readonly namespace: string;
  readonly since: string;
}

/**
 * What is wrong with a cluster as a whole, as Applications that deploy into at least two namespaces report it: one alone
 * may have a chart that takes too long, or an empty path. Nothing in a finding is from one of the Applications.
 * @param works - of the cluster, for which {@link mayReportFault} is true
 * @param applications - number of all Applications that the hub wants there
 */
export function clusterFaults(
  cluster: string,
  works: readonly ManifestWork[],
  applications: number,
): Finding[] {
  const found = new Map<string, { finding: Finding; reports: Report[] }>();
  const pruned: Report[] = [];
  for (const work of works.slice(0, MAX_WORKS)) {
    const {
      since = '',
      conditions = [],
      everythingPruned = false,
    } = readTrouble(work) ?? {};
    const manifest = applicationManifest(work) as ArgoApplication | undefined;
    const namespace = manifest?.spec?.destination?.namespace ?? '';
    const report = { namespace, since };
    for (const condition of conditions.filter(isClusterFault)) {
      const finding = clusterFault(cluster, condition);
      const known = found.get(finding.title) ?? { finding, reports: [] };
      found.set(finding.title, known);
      known.reports.push(report);
    }
    if (everythingPruned) {
      pruned.push(report);
    }
  }
  if (pruned.length >= applications && isAtOnce(pruned)) {
    const finding = argocdFindings.everythingPruned(cluster);
    found.set(finding.title, { finding, reports: pruned });
  }
  return [...found.values()]
    .filter(({ reports }) => countNamespaces(reports) > 1)
    .map(({ finding, reports }) => {
      const [since] = reports.map(report => report.since).sort();
      return {
        ...finding,
        object: { kind: 'ManagedCluster', name: cluster },
        ...(since && { since }),
      };
    });
}

function countNamespaces(reports: readonly Report[]): number {
  return new Set(reports.map(({ namespace }) => namespace)).size;
}

function isAtOnce(reports: readonly Report[]): boolean {
  const times = reports.map(({ since }) => Date.parse(since));
  return Math.max(...times) - Math.min(...times) <= AT_ONCE_MS;
}
