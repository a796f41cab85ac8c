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
