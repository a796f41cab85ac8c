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
import { createRolloutJudge, type Look, type Verdict } from './rolloutVerdict';

const TIMEOUT = 300_000;
const FAIL_AFTER = 30_000;
const SETTLE = 2_000;

const ABSENT: Look = { absent: true, message: 'waiting for it to appear' };
const NO_ANSWER: Look = { message: 'the API does not answer' };

function sight(detail: ApplicationSetDetail): Look {
  const progress = rolloutProgress(detail, 1);
  return { seen: { detail, progress }, message: progress.summary };
}

function unknownRevision(
  evidence = 'nope',
  details: Partial<ApplicationSetDetail> = {},
): Look {
  return sight(
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

const nothingSelected = sight(
  applicationSetOn([], { findings: [NOTHING_SELECTED] }),
);
const progressing = sight(
  applicationSetOn([onCluster('cluster1', 'Progressing')]),
);
const well = sight(applicationSetOn([onCluster('cluster1')]));

describe('the verdict on a rollout', () => {
  /** Judges looks at the given seconds, and returns the last verdict. */
  function judge(...looks: [number, Look][]): Verdict {
    const next = createRolloutJudge({
      ref: REF,
      startedAt: 0,
      timeoutMs: TIMEOUT,
      failAfterMs: FAIL_AFTER,
      settleMs: SETTLE,
    });
    return looks.map(([at, look]) => next(look, at * 1000)).at(-1)!;
  }

  function messageOf(verdict: Verdict): string | undefined {
    return verdict.kind === 'failed' ? verdict.message : undefined;
  }

  it('fails when no cluster is selected for too long, with evidence and fix', () => {
    expect(judge([1, nothingSelected], [30, nothingSelected])).toEqual({
      kind: 'waiting',
      lookAgainBy: 31_000,
    });
    expect(messageOf(judge([1, nothingSelected], [31, nothingSelected]))).toBe(
      [
        'The ApplicationSet openshift-gitops/guestbook on the hub "hub" has an error that has not gone away for 30 s: No cluster selected',
        'AFC-303 No cluster selected: The Placement guestbook selects no cluster, so there is nothing to deploy to.',
        '  Evidence: No valid ManagedCluster found',
        '  What to do: Check the bindings and the labels:',
        '    kubectl describe placement guestbook -n openshift-gitops',
        'ApplicationSet openshift-gitops/guestbook and Placement openshift-gitops/guestbook stay on the hub "hub". Run this again with the same name to change them, or, where nothing else needs them, remove them (which takes the application off its clusters):',
        '    kubectl delete applicationsets.argoproj.io guestbook -n openshift-gitops',
        '    kubectl delete placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
      ].join('\n'),
    );
  });

  it('fails when a step fails for too long, and counts the clusters', () => {
    const message = messageOf(
      judge([0, unknownRevision()], [30, unknownRevision()]),
    );
    expect(message).toContain(
      'for 30 s: Unknown revision or path (cluster1 and 1 more)',
    );
    expect(message).toContain(
      '  Evidence: nope\n  What to do: Push it, or correct targetRevision.',
    );
  });

  it.each<[string, [number, Look][]]>([
    [
      'the error was gone meanwhile',
      [
        [0, unknownRevision()],
        [15, progressing],
        [16, unknownRevision()],
        [45, unknownRevision()],
      ],
    ],
    [
      'all was well meanwhile',
      [
        [0, unknownRevision()],
        [15, well],
        [16, unknownRevision()],
        [45, unknownRevision()],
      ],
    ],
    [
      'the hub cannot be read: what is known may be old',
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
      'a warning is no obstacle where something is deployed',
      [0, 40].map(at => [
        at,
        sight(
          applicationSetOn([onCluster('cluster1', 'Progressing')], {
            findings: [NOTHING_SELECTED],
          }),
        ),
      ]),
    ],
    [
      'a cluster that is ready had a sync that failed, and another is on its way',
      [0, 40].map(at => [
        at,
        sight(
          applicationSetOn([
            { ...onCluster('cluster1'), steps: [SYNC_FAILED] },
            onCluster('cluster2', 'Progressing'),
          ]),
        ),
      ]),
    ],
    [
      'it did not appear yet',
      [
        [0, ABSENT],
        [40, ABSENT],
      ],
    ],
    [
      'it is absent for a moment only',
      [
        [0, progressing],
        [5, ABSENT],
        [6, progressing],
        [8, ABSENT],
      ],
    ],
    [
      'the API did not answer between two absences',
      [
        [0, progressing],
        [5, ABSENT],
        [6, NO_ANSWER],
        [8, ABSENT],
      ],
    ],
  ])('waits while %s', (_, looks) => {
    expect(judge(...looks)).toMatchObject({ kind: 'waiting' });
  });

  it('takes an error in other words for the same one', () => {
    expect(
      judge([0, unknownRevision('try 1')], [30, unknownRevision('try 2')]),
    ).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Evidence: try 2'),
    });
  });

  it('fails with the errors of a hub that does not let us read what is needed', () => {
    const look = sight(
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
    expect(messageOf(judge([0, look], [30, look]))).toContain(
      'for 30 s: ManifestWork may not be read on hub hub',
    );
  });

  it('fails when what was seen is deleted, and names what stays', () => {
    expect(messageOf(judge([0, well], [1, ABSENT], [3, ABSENT]))).toBe(
      [
        'The ApplicationSet openshift-gitops/guestbook on the hub "hub" was there and is not any more: it was deleted while its rollout was waited for. Run this again to create it anew.',
        'Placement openshift-gitops/guestbook stays on the hub "hub". Run this again with the same name to change it, or, where nothing else needs it, remove it:',
        '    kubectl delete placements.cluster.open-cluster-management.io guestbook -n openshift-gitops',
      ].join('\n'),
    );
  });

  it('advises to remove nothing that something else created', () => {
    const theirs = unknownRevision('nope', { labels: {} });
    expect(messageOf(judge([0, theirs], [30, theirs]))).not.toContain(
      'kubectl delete',
    );
  });

  it('fails when time is up, and ends when all stays well', () => {
    expect(messageOf(judge([0, progressing], [300, progressing]))).toContain(
      'is not there yet after 300 s: 0 of 1 clusters synced and healthy\n- cluster1: Progressing',
    );
    expect(judge([0, well], [1, well])).toEqual({
      kind: 'waiting',
      lookAgainBy: 2_000,
    });
    expect(judge([0, well], [2, well])).toMatchObject({ kind: 'done' });
  });
});
