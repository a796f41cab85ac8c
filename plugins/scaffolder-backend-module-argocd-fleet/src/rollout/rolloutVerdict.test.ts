import type { ApplicationSetDetail } from 'backstage-plugin-argocd-fleet-common';
import {
  applicationSetOn,
  NOTHING_SELECTED,
  onCluster,
  REF,
  REVISION_UNKNOWN,
  SYNC_FAILED,
} from '../__testUtils__/applicationSet';
import { rolloutProgress } from './rolloutProgress';
import {
  createRolloutEvaluator,
  type Observation,
  type Verdict,
} from './rolloutVerdict';

const TIMEOUT = 300_000;
const FAIL_AFTER = 30_000;
const SETTLE = 2_000;

const NOT_FOUND: Observation = {
  notFound: true,
  message: 'waiting for it to appear',
};
const NO_ANSWER: Observation = { message: 'the API does not answer' };

function observationOf(detail: ApplicationSetDetail): Observation {
  const progress = rolloutProgress(detail, 1);
  return { state: { detail, progress }, message: progress.summary };
}

function unknownRevision(
  evidence = 'nope',
  details: Partial<ApplicationSetDetail> = {},
): Observation {
  return observationOf(
    applicationSetOn(
      ['cluster1', 'cluster2'].map(cluster =>
        onCluster(cluster, 'Unknown', 'Unknown', {
          error: evidence,
          finding: { ...REVISION_UNKNOWN, evidence },
        }),
      ),
      details,
    ),
  );
}

const nothingSelected = observationOf(
  applicationSetOn([], { findings: [NOTHING_SELECTED] }),
);
const progressing = observationOf(
  applicationSetOn([onCluster('cluster1', 'Progressing')]),
);
const done = observationOf(applicationSetOn([onCluster('cluster1')]));

describe('the verdict on a rollout', () => {
  /** Evaluates observations at the given seconds, and returns the last verdict. */
  function evaluate(...observations: [number, Observation][]): Verdict {
    const next = createRolloutEvaluator({
      ref: REF,
      startedAt: 0,
      timeoutMs: TIMEOUT,
      failAfterMs: FAIL_AFTER,
      settleMs: SETTLE,
    });
    return observations
      .map(([at, observation]) => next(observation, at * 1000))
      .at(-1)!;
  }

  function messageOf(verdict: Verdict): string | undefined {
    return verdict.kind === 'failed' ? verdict.message : undefined;
  }

  it('fails when no cluster is selected for too long, with evidence and fix', () => {
    expect(evaluate([1, nothingSelected], [30, nothingSelected])).toEqual({
      kind: 'waiting',
      recheckAt: 31_000,
    });
    expect(
      messageOf(evaluate([1, nothingSelected], [31, nothingSelected])),
    ).toBe(
      [
        'The ApplicationSet openshift-gitops/guestbook on the hub "hub" has had the same error for 30 s: No cluster selected',
        '',
        'AFC-303 No cluster selected: The Placement guestbook selects no cluster, so there is nothing to deploy to.',
        '',
        'Evidence: `No valid ManagedCluster found`',
        '',
        'What to do: Check the bindings and the labels:',
        '',
        '    kubectl describe placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
        '',
        'ApplicationSet openshift-gitops/guestbook and Placement openshift-gitops/guestbook stay on the hub "hub". Run this again with the same name to change them, or, if nothing else needs them, remove them (which removes the application from its clusters):',
        '',
        '    kubectl delete applicationsets.argoproj.io guestbook -n openshift-gitops',
        '    kubectl delete placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
      ].join('\n'),
    );
  });

  it('fails when a step fails for too long, and counts the clusters', () => {
    const message = messageOf(
      evaluate([0, unknownRevision()], [30, unknownRevision()]),
    );
    expect(message).toContain(
      'for 30 s: Unknown revision or path (cluster1 and 1 more)',
    );
    expect(message).toContain(
      'Evidence: `nope`\n\nWhat to do: Push it, or correct targetRevision.',
    );
  });

  it('fails when the same error comes back again and again, since Argo CD tries again', () => {
    const attempts = (end: number) =>
      Array.from({ length: end + 1 }, (_, at): [number, Observation] => [
        at,
        at % 2 === 0 ? unknownRevision() : progressing,
      ]);
    expect(evaluate(...attempts(28)).kind).toBe('waiting');
    expect(messageOf(evaluate(...attempts(30)))).toContain(
      'Unknown revision or path',
    );
  });

  it.each<[string, [number, Observation][]]>([
    [
      'the error was gone in between',
      [
        [0, unknownRevision()],
        [15, progressing],
        [16, unknownRevision()],
        [45, unknownRevision()],
      ],
    ],
    [
      'the rollout was done in between',
      [
        [0, unknownRevision()],
        [15, done],
        [16, unknownRevision()],
        [45, unknownRevision()],
      ],
    ],
    [
      'the hub is unreachable: the data may be outdated',
      [
        [0, unknownRevision()],
        [
          40,
          unknownRevision('nope', {
            hubState: { name: 'hub', state: 'unreachable' },
          }),
        ],
      ],
    ],
    [
      'there is only a warning, and something is deployed',
      [0, 40].map(at => [
        at,
        observationOf(
          applicationSetOn([onCluster('cluster1', 'Progressing')], {
            findings: [NOTHING_SELECTED],
          }),
        ),
      ]),
    ],
    [
      'a ready cluster had a failed sync, and another is progressing',
      [0, 40].map(at => [
        at,
        observationOf(
          applicationSetOn([
            { ...onCluster('cluster1'), steps: [SYNC_FAILED] },
            onCluster('cluster2', 'Progressing'),
          ]),
        ),
      ]),
    ],
    [
      'the ApplicationSet does not exist yet',
      [
        [0, NOT_FOUND],
        [40, NOT_FOUND],
      ],
    ],
    [
      'the ApplicationSet is not found only briefly',
      [
        [0, progressing],
        [5, NOT_FOUND],
        [6, progressing],
        [8, NOT_FOUND],
      ],
    ],
    [
      'the API did not answer between two times that it was not found',
      [
        [0, progressing],
        [5, NOT_FOUND],
        [6, NO_ANSWER],
        [8, NOT_FOUND],
      ],
    ],
  ])('waits while %s', (_, observations) => {
    expect(evaluate(...observations)).toMatchObject({ kind: 'waiting' });
  });

  it('takes an error with other evidence for the same one', () => {
    expect(
      evaluate([0, unknownRevision('try 1')], [30, unknownRevision('try 2')]),
    ).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Evidence: `try 2`'),
    });
  });

  it('fails with the errors of a hub that does not let the backend read what is needed', () => {
    const observation = observationOf(
      applicationSetOn([onCluster('cluster1')], {
        hubState: {
          name: 'hub',
          state: 'ready',
          unread: ['manifestworks'],
          findings: [
            {
              code: 'AFC-402',
              severity: 'error',
              title: 'ManifestWork may not be read on hub hub',
              message: 'The user may not list them.',
              fix: { description: 'Add this rule:' },
            },
          ],
        },
      }),
    );
    expect(messageOf(evaluate([0, observation], [30, observation]))).toContain(
      'for 30 s: ManifestWork may not be read on hub hub',
    );
  });

  it('fails when the ApplicationSet is deleted, and names what stays on the hub', () => {
    expect(messageOf(evaluate([0, done], [1, NOT_FOUND], [3, NOT_FOUND]))).toBe(
      [
        'The ApplicationSet openshift-gitops/guestbook on the hub "hub" was deleted during its rollout. Run this again to create it.',
        '',
        'Placement openshift-gitops/guestbook stays on the hub "hub". Run this again with the same name to change it, or, if nothing else needs it, remove it:',
        '',
        '    kubectl delete placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
      ].join('\n'),
    );
  });

  it('suggests to remove nothing that something else created', () => {
    const theirs = unknownRevision('nope', { labels: {} });
    expect(messageOf(evaluate([0, theirs], [30, theirs]))).not.toContain(
      'kubectl delete',
    );
  });

  it('fails at the timeout, and ends when the rollout stays done', () => {
    expect(messageOf(evaluate([0, progressing], [300, progressing]))).toContain(
      'is not synced and healthy on its clusters after 300 s: 0 of 1 clusters synced and healthy\n- cluster1: Progressing',
    );
    expect(evaluate([0, done], [1, done])).toEqual({
      kind: 'waiting',
      recheckAt: 2_000,
    });
    expect(evaluate([0, done], [2, done])).toMatchObject({ kind: 'done' });
  });
});
