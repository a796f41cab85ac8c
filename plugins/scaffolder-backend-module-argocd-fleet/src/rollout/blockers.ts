import type {
  ApplicationSetDetail,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';

/** Something that keeps a rollout from its end until somebody does something about it. */
export interface Blocker {
  readonly finding: Finding;
  /** The cluster that it is about; undefined where it is about the ApplicationSet as a whole. */
  readonly cluster?: string;
  /** What stays the same for as long as it is the same trouble: evidence may count attempts or tell the time. */
  readonly key: string;
}

/**
 * What is in the way: errors of the set and of the steps on its clusters. Where nothing is deployed at all, what the set is warned
 * of is in the way too: a Placement that selects no cluster is only a warning, and yet there is nothing to wait for.
 * Of a hub that cannot be read fully only its own errors are known; while it does not answer, not even those.
 */
export function blockersOf(
  detail: ApplicationSetDetail,
  doubt: string | undefined,
): Blocker[] {
  const { applications, hubState } = detail;
  if (hubState.state !== 'ready') {
    return [];
  }
  if (doubt) {
    return (hubState.findings ?? [])
      .filter(({ severity }) => severity === 'error')
      .map(finding => ({ finding, key: `${finding.code}/${finding.title}` }));
  }
  return [
    ...setFindings(detail)
      .filter(
        ({ severity }) => severity === 'error' || applications.length === 0,
      )
      .map(finding => ({ finding, key: finding.code })),
    ...applications.flatMap(({ application, cluster, revision, steps }) =>
      steps
        // What went wrong on the way of a step that is done all the same is in nobody's way.
        .flatMap(({ state, finding }) =>
          finding && state !== 'done' ? [finding] : [],
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

/** Findings about the set as a whole that are worth a word while it is waited for. */
export function setFindings({ findings }: ApplicationSetDetail): Finding[] {
  return findings.filter(({ severity }) => severity !== 'info');
}
