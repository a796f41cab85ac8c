import type {
  ApplicationSetDetail,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import { code, commandLines } from '../markdown';
import {
  describeCluster,
  type ClusterProgress,
  type RolloutProgress,
} from './rolloutProgress';

const MAX_NAMED_CLUSTERS = 5;

/**
 * Explains why a rollout did not finish and what to do: the clusters with their first errors, then the findings with
 * their fixes.
 * @param first - findings to list before all others
 */
export function describeRolloutFailure(
  detail: ApplicationSetDetail,
  progress: RolloutProgress,
  first: readonly Finding[] = [],
): string {
  const named = progress.otherClusters.slice(0, MAX_NAMED_CLUSTERS);
  const unnamed = progress.otherClusters.length - named.length;
  const findings = [
    ...first,
    ...(detail.hubState.findings ?? []),
    ...detail.findings,
    ...progress.otherClusters.flatMap(stepFindings),
  ];
  return [
    ...named.map(
      cluster =>
        `- ${describeCluster(cluster)}${
          cluster.error ? `: ${code(cluster.error)}` : ''
        }`,
    ),
    ...(unnamed > 0 ? [`- and ${unnamed} more clusters`] : []),
    ...(progress.otherClusters.length === 0 &&
    progress.readyClusters.length === 0 &&
    findings.length === 0
      ? [
          '- No cluster runs it. Does the Placement name cluster sets that are bound to the namespace, and labels that clusters have?',
        ]
      : []),
    ...describeFindings(findings),
  ].join('\n');
}

/** The first finding of each code with its fix, as lines of Markdown. */
export function describeFindings(findings: readonly Finding[]): string[] {
  return oneOfEachCode(findings).flatMap(describeFinding);
}

function describeFinding({
  code: number,
  title,
  message,
  evidence,
  fix,
}: Finding): string[] {
  return [
    '',
    `${number} ${title}: ${message}`,
    ...(evidence ? ['', `Evidence: ${code(evidence)}`] : []),
    ...(fix ? ['', `What to do: ${fix.description}`] : []),
    ...(fix?.command ? commandLines(fix.command) : []),
  ];
}

function stepFindings(cluster: ClusterProgress): Finding[] {
  return cluster.applications.flatMap(({ steps }) =>
    steps.flatMap(({ finding }) => finding ?? []),
  );
}

/** Many clusters may fail for one reason: keeps the first finding of each code. */
function oneOfEachCode(findings: readonly Finding[]): Finding[] {
  const byCode = new Map<string, Finding>();
  for (const finding of findings) {
    if (!byCode.has(finding.code)) {
      byCode.set(finding.code, finding);
    }
  }
  return [...byCode.values()];
}
