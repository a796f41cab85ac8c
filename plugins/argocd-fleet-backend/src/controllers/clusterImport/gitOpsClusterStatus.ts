import type {
  Finding,
  GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import { importStatus, importTarget } from '../../model/clusterimport';
import { clusterImportFindings } from '../../model/findings';
import type { ReconcileContext } from '../../runtime';
import {
  clustersOf,
  decidingImporter,
  importerOf,
  importersInto,
  secretsUnreadable,
  type Importer,
} from './importers';
import { argoNamespaceKeys, secretKey } from './importKeys';
import type { ImportOutcomes, Problem } from './importOutcomes';

/** What the clusters of a GitOpsCluster came to. */
interface Summary {
  readonly imported: number;
  /** Found here, and by no other key. */
  readonly findings: readonly Finding[];
  /** Undefined for a key that was not reconciled yet. */
  readonly outcomes: readonly (readonly Problem[] | undefined)[];
}

/**
 * Writes the status of a GitOpsCluster once all keys that it sums up have been reconciled: those of its clusters and of
 * its Argo CD namespace. Answers with what is wrong with the GitOpsCluster itself.
 */
export async function reconcileGitOpsCluster(
  gitOpsCluster: GitOpsCluster,
  cache: FleetCache,
  outcomes: Pick<ImportOutcomes, 'of'>,
  { writer, signal }: ReconcileContext,
): Promise<readonly Finding[]> {
  const target = importTarget(gitOpsCluster);
  const importer = importerOf(gitOpsCluster);
  const summary: Summary = importer
    ? await summarize(importer, cache, outcomes, signal)
    : {
        imported: 0,
        findings: target.kind === 'invalid' ? [target.finding] : [],
        outcomes: [],
      };
  const known = summary.outcomes.filter(outcome => outcome !== undefined);
  if (
    gitOpsCluster.metadata.deletionTimestamp ||
    known.length < summary.outcomes.length
  ) {
    return summary.findings;
  }
  const problems = [...summary.findings, ...known.flat()];
  const isError = ({ severity }: Problem) => severity === 'error';
  const status = importStatus(
    gitOpsCluster,
    {
      imported: summary.imported,
      argoNamespace: importer?.target.argoNamespace,
      problems: [
        ...problems.filter(isError),
        ...problems.filter(problem => !isError(problem)),
      ],
    },
    new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  );
  if (status) {
    await writer.patchStatus('gitOpsClusters', gitOpsCluster, status);
  }
  return summary.findings;
}

async function summarize(
  importer: Importer,
  cache: FleetCache,
  outcomes: Pick<ImportOutcomes, 'of'>,
  signal: AbortSignal,
): Promise<Summary> {
  const { placement, argoNamespace } = importer.target;
  const { namespace, name } = importer.gitOpsCluster.metadata;
  const ofNamespace = argoNamespaceKeys(argoNamespace).map(outcomes.of);
  const obstacle = cache.placements.get(objectKey(placement))
    ? await secretsUnreadable(importer, cache, signal)
    : clusterImportFindings.noPlacement(placement.name, placement.namespace, {
        object: { kind: 'GitOpsCluster', namespace, name },
      });
  if (obstacle) {
    return { imported: 0, findings: [obstacle], outcomes: ofNamespace };
  }
  const importers = importersInto(argoNamespace, cache);
  const ofClusters: (readonly Problem[] | undefined)[] = [];
  const conflicts: Finding[] = [];
  let imported = 0;
  for (const cluster of [...clustersOf(importer, cache)].sort()) {
    const deciding = decidingImporter(importers, cluster, cache);
    if (deciding && deciding.gitOpsCluster !== importer.gitOpsCluster) {
      const conflict = conflictWith(deciding, importer, cluster);
      conflicts.push(...conflict);
      imported += conflict.length === 0 ? 1 : 0;
    } else {
      const outcome = outcomes.of(secretKey(argoNamespace, cluster));
      ofClusters.push(outcome);
      imported += outcome?.length === 0 ? 1 : 0;
    }
  }
  return {
    imported,
    findings: conflicts,
    outcomes: [...ofClusters, ...ofNamespace],
  };
}

/** Two GitOpsClusters may import a cluster into one Argo CD only with the same service account. */
function conflictWith(
  deciding: Importer,
  { target }: Importer,
  cluster: string,
): Finding[] {
  return deciding.target.serviceAccount === target.serviceAccount
    ? []
    : [
        clusterImportFindings.conflictingGitOpsCluster(
          cluster,
          objectKey(deciding.gitOpsCluster.metadata),
          { object: { kind: 'ManagedCluster', name: cluster } },
        ),
      ];
}
