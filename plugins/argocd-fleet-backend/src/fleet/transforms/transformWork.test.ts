import { reportedWork } from '../../model/__testUtils__/works';
import { readFeedback } from '../../model/feedback/feedback';
import { transformWork } from './transformWork';

const digest = [
  ['s', 'Degraded', 'OutOfSync', 'abc', '2026-11-21T10:00:00Z', ''],
  ['r', 'apps', 'v1', 'Deployment', 'shop', 'web', 'Synced', 'Degraded', ''],
  ['i', 'registry.example.com/shop/web:v1'],
];

it.each([
  ['a digest', { digest }],
  ['a short message', { ready: { message: 'no digest' } }],
  [
    'an error of several lines',
    {
      ready: {
        status: 'False',
        reason: 'ConditionRuleExpressionError',
        message: 'no such key\n1 | object.status\n  | ^\n  | here\n',
      },
    },
  ],
])('reads the same feedback from a stored work: %s', (_, parts) => {
  const work = reportedWork(parts);
  expect(readFeedback(transformWork(work))).toEqual(readFeedback(work));
});

it('stores a digest as its lines', () => {
  const conditions = (work: ReturnType<typeof reportedWork>) =>
    (work.status?.resourceStatus?.manifests ?? []).flatMap(
      manifest => manifest.conditions ?? [],
    );
  const work = reportedWork({ digest });
  const [whole] = conditions(work).filter(it => it.message?.includes('\n'));
  expect(conditions(transformWork(work))).toContainEqual(
    expect.objectContaining({ messageLines: whole.message?.split('\n') }),
  );
});

describe('texts of a cluster', () => {
  const long = `${'x'.repeat(200_000)} the end`;
  const hostile = '\u202Eevil https://user:hunter2@git.example/x?token=hunter2';

  /** All texts of the state, with the feedback's. */
  function textsOf(work: ReturnType<typeof reportedWork>) {
    return JSON.stringify(readFeedback(transformWork(work)));
  }

  const parts = (text: string) => ({
    feedback: { healthStatus: 'Degraded', syncError: text },
    applied: { status: 'False' as const, message: text },
    available: { status: 'False' as const, message: text },
    ready: { message: text },
  });
  const digestOf = (text: string) => [
    ['s', 'Degraded', 'OutOfSync', text, '', ''],
    ['o', 'Failed', '1', '2026-11-21T10:00:00Z', text, ''],
    ['c', 'SyncError', text],
    ['f', '', 'v1', 'Service', 'shop', 'web', text],
    ['r', '', 'v1', 'Service', 'shop', 'web', 'OutOfSync', 'Degraded', text],
  ];

  it('are cut where they are stored', () => {
    const work = reportedWork(parts(long));
    expect(textsOf(work)).not.toContain('the end');
    expect(textsOf(work)).toContain('x… [cut]');
    expect(JSON.stringify(transformWork(work).status).length).toBeLessThan(
      30_000,
    );
  });

  it('are cut in each field of a digest, which stays complete', () => {
    const text = `${'x'.repeat(5_000)} the end`;
    const state = readFeedback(
      transformWork(reportedWork({ digest: digestOf(text) })),
    );
    expect(JSON.stringify(state)).not.toContain('the end');
    expect(state.conditions[0].message).toMatch(/x… \[cut\]$/);
    expect(state.resources[0].message).toMatch(/x… \[cut\]$/);
    expect(state).toMatchObject({ health: 'Degraded', phase: 'Failed' });
  });

  /** Feedback of an agent that sends all matches of a path, as JSON. */
  function withListFeedback(text: string) {
    const jsonRaw = JSON.stringify([text]);
    const work = JSON.parse(
      JSON.stringify(reportedWork({ feedback: { syncError: 'replaced' } })),
    );
    work.status.resourceStatus.manifests[1].statusFeedback.values[0].fieldValue =
      { type: 'JsonRaw', jsonRaw };
    return work;
  }

  it.each([
    ['conditions and feedback', reportedWork(parts(hostile))],
    ['a digest', reportedWork({ digest: digestOf(hostile) })],
    ['feedback that is a list', withListFeedback(hostile)],
  ])('show no secrets of URLs and no invisible characters: %s', (_, work) => {
    const texts = textsOf(work);
    expect(texts).toContain('\uFFFDevil https://git.example/x?…');
    expect(texts).not.toContain('hunter2');
    expect(texts).not.toMatch(/\p{Bidi_Control}/u);
  });

  it('leave alone what is compared with the spec', () => {
    const repoURL = 'https://user:hunter2@git.example/x?token=hunter2';
    const work = reportedWork({
      digest: [
        ['s', 'Healthy', 'Synced', 'abc', '', ''],
        ['t', repoURL, 'apps', '', 'main', ''],
        ['d', 'https://kubernetes.default.svc', '', 'shop', '='],
      ],
    });
    expect(
      readFeedback(transformWork(work)).comparedTo?.sources[0].repoURL,
    ).toBe(repoURL);
  });
});
