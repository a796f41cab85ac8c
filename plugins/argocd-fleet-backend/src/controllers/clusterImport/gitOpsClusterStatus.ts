import type {
  Finding,
  GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../../async';
import type { FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  clusterOfSecretName,
  importStatus,
  importTarget,
  isImportedSecret,
} from '../../model/clusterimport';
import {
  applicationFindings,
  clusterImportFindings,
} from '../../model/findings';
import type { Authorisation } from '../../model/placement';
import type { ReconcileContext, RewriteDamper } from '../../runtime';
import {
  clustersOf,
  importAuthorisation,
  secretsUnreadable,
  type Importer,
  type Importers,
} from './importers';
import type { ImportPermissions } from './importPermissions';
import { argoNamespaceKeys, secretKey } from './importKeys';
import type { ImportOutcomes, Problem } from './importOutcomes';

/** What the status of a GitOpsCluster is made of. */
interface Inputs {
  readonly cache: FleetCache;
  readonly importers: Importers;
  readonly permissions: ImportPermissions;
  readonly outcomes: Pick<ImportOutcomes, 'of'>;
  readonly damper: RewriteDamper;
}

/** Clusters that a finding names. */
const SHOWN = 20;

/** What the clusters of a GitOpsCluster came to. */
interface Summary {
  readonly imported: number;
  /** Those of a GitOpsCluster with argocd-agent. */
  readonly agents: number;
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
  inputs: Inputs,
  { writer, signal }: ReconcileContext,
): Promise<readonly Finding[]> {
  const importer = inputs.importers.of(gitOpsCluster);
  const summary: Summary = importer
    ? await summarize(importer, inputs, signal)
    : {
        imported: 0,
        agents: 0,
        findings: gitOpsCluster.metadata.deletionTimestamp
          ? []
          : [whyNotImported(gitOpsCluster, inputs)],
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
      agents: summary.agents,
      argoNamespace: importer?.target.argoNamespace,
      problems: [
        ...problems.filter(isError),
        ...problems.filter(problem => !isError(problem)),
      ],
    },
    new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
  );
  if (status) {
    const { phase, message } = status;
    await inputs.damper.write(
      objectKey(gitOpsCluster.metadata),
      `${phase} ${message}`,
      () => writer.patchStatus('gitOpsClusters', gitOpsCluster, status),
    );
  }
  return summary.findings;
}

function whyNotImported(gitOpsCluster: GitOpsCluster, inputs: Inputs): Finding {
  const target = importTarget(gitOpsCluster);
  const { namespace = '', name } = gitOpsCluster.metadata;
  if (target.kind === 'invalid') {
    return target.finding;
  }
  const { argoNamespace, serviceAccount = '' } = target;
  const details = { object: { kind: 'GitOpsCluster', namespace, name } };
  return inputs.permissions.permits(namespace, argoNamespace)
    ? clusterImportFindings.accountNotPermitted(
        argoNamespace,
        serviceAccount,
        details,
      )
    : clusterImportFindings.importNotPermitted(
        namespace,
        argoNamespace,
        hasImported({ gitOpsCluster, target }, inputs),
        details,
      );
}

/** Whether Secrets of its clusters exist that no other GitOpsCluster has a right to. */
function hasImported(
  importer: Importer,
  { cache, importers }: Inputs,
): boolean {
  const { argoNamespace } = importer.target;
  return cache.clusterSecrets
    .by('namespace', argoNamespace)
    .filter(isImportedSecret)
    .some(({ metadata }) => {
      const cluster = clusterOfSecretName(metadata.name);
      return (
        cluster !== undefined &&
        importAuthorisation(importer, cluster, cache).verdict ===
          'authorised' &&
        !importers.deciding(argoNamespace, cluster)
      );
    });
}

async function summarize(
  importer: Importer,
  { cache, importers, outcomes }: Inputs,
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
    return {
      imported: 0,
      agents: 0,
      findings: [obstacle],
      outcomes: ofNamespace,
    };
  }
  const refusals = createRefusals();
  const ofClusters: (readonly Problem[] | undefined)[] = [];
  const conflicts: Finding[] = [];
  const all = importers.into(argoNamespace);
  const yieldSometimes = createYield();
  let known = 0;
  for (const cluster of [...clustersOf(importer, cache)].sort()) {
    await yieldSometimes();
    const authorisation = importAuthorisation(importer, cluster, cache);
    const { verdict } = authorisation;
    const deciding = importers.deciding(argoNamespace, cluster, all)?.importer;
    if (verdict !== 'authorised' && verdict !== 'unverified') {
      refusals.add(cluster, authorisation);
    } else if (deciding && deciding.gitOpsCluster !== importer.gitOpsCluster) {
      const conflict = conflictWith(deciding, importer, cluster);
      conflicts.push(...conflict);
      known += conflict.length === 0 ? 1 : 0;
    } else {
      const outcome = outcomes.of(secretKey(argoNamespace, cluster));
      ofClusters.push(outcome);
      known += outcome?.length === 0 ? 1 : 0;
    }
  }
  const { isAgents } = importer.target;
  return {
    imported: isAgents ? 0 : known,
    agents: isAgents ? known : 0,
    findings: [...refusals.findings(), ...conflicts],
    outcomes: [...ofClusters, ...ofNamespace],
  };
}

/** Clusters whose decision does not count: one finding for each decision and reason, with the first clusters. */
function createRefusals() {
  const refused = new Map<
    string,
    { readonly authorisation: Authorisation; readonly clusters: string[] }
  >();
  return {
    add(cluster: string, authorisation: Authorisation) {
      const { decision, reason } = authorisation;
      const key = `${decision?.name} ${reason}`;
      const same = refused.get(key) ?? { authorisation, clusters: [] };
      refused.set(key, same);
      same.clusters.push(cluster);
    },
    findings: (): Finding[] =>
      Array.from(refused.values(), ({ authorisation, clusters }) => {
        const more = clusters.length - 1;
        return applicationFindings.decisionDoesNotCount(
          more > 0 ? `${clusters[0]} and ${more} more` : clusters[0],
          authorisation,
          {
            evidence: [
              authorisation.reason,
              clusters.slice(0, SHOWN).join(', '),
            ].join('\n'),
            object: {
              kind: 'PlacementDecision',
              ...(authorisation.decision ?? { name: '' }),
            },
          },
        );
      }),
  };
}

/** Two GitOpsClusters may import a cluster into one Argo CD only in the same form. */
function conflictWith(
  deciding: Importer,
  { target, gitOpsCluster }: Importer,
  cluster: string,
): Finding[] {
  const decider = deciding.gitOpsCluster.metadata;
  return deciding.target.isAgents === target.isAgents &&
    (target.isAgents ||
      deciding.target.serviceAccount === target.serviceAccount)
    ? []
    : [
        clusterImportFindings.conflictingGitOpsCluster(
          cluster,
          // The text is written to a status that may be read by tenants who know nothing of other namespaces.
          decider.namespace === gitOpsCluster.metadata.namespace
            ? `The GitOpsCluster ${decider.name}`
            : 'A GitOpsCluster of another namespace',
          { object: { kind: 'ManagedCluster', name: cluster } },
        ),
      ];
}
