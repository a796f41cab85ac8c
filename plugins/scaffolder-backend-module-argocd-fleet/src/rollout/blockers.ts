import type {
  ApplicationSetDetail,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';

/** A finding that a rollout cannot get past until its cause is fixed. */
export interface Blocker {
  readonly finding: Finding;
  /** The affected cluster; undefined when the finding is about the ApplicationSet as a whole. */
  readonly cluster?: string;
  /**
   * Identifies the problem over time. Evidence is not part of it, because it may hold a count of attempts or a time.
   */
  readonly key: string;
}

/**
 * The blockers of a rollout: errors of the ApplicationSet, and of the steps on its clusters. While nothing is deployed,
 * warnings about the ApplicationSet count too: a Placement that selects no cluster is only a warning, but nothing can
 * be deployed. If the hub's data is incomplete (`unreliableBecause`), only the hub's own errors count; if the hub is
 * not ready, none do.
 */
export function blockersOf(
  detail: ApplicationSetDetail,
  unreliableBecause: string | undefined,
): Blocker[] {
  const { applications, hubState } = detail;
  if (hubState.state !== 'ready') {
    return [];
  }
  if (unreliableBecause) {
    return (hubState.findings ?? [])
      .filter(({ severity }) => severity === 'error')
      .map(finding => ({ finding, key: `${finding.code}/${finding.title}` }));
  }
  return [
    ...applicationSetFindings(detail)
      .filter(
        ({ severity }) => severity === 'error' || applications.length === 0,
      )
      .map(finding => ({ finding, key: finding.code })),
    ...applications.flatMap(({ application, cluster, revision, steps }) =>
      steps
        // A step that is done may still carry the finding of a failed attempt, and one that waits that of the state before
        // the change that is on its way: neither blocks anything.
        .flatMap(({ state, finding }) =>
          finding && state !== 'done' && state !== 'waiting' ? [finding] : [],
        )
        .filter(({ severity }) => severity === 'error')
        .map(finding => ({
          finding,
          cluster: cluster.name,
          key: [finding.code, application.namespace, application.name, revision]
            .filter(Boolean)
            .join('/'),
        })),
    ),
  ];
}

/** Errors and warnings about the ApplicationSet as a whole. */
export function applicationSetFindings({
  findings,
}: ApplicationSetDetail): Finding[] {
  return findings.filter(({ severity }) => severity !== 'info');
}
