import { Application, ApplicationSet } from '../kubernetes/argocdTypes';
import { isDeletedInReverse, nextInReverse } from './reverseDeletion';

const inEnv = (env: string) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
});

const setWith = (
  strategy: NonNullable<ApplicationSet['spec']>['strategy'],
): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'set' },
  spec: { strategy },
});

const set = setWith({
  type: 'RollingSync',
  deletionOrder: 'Reverse',
  rollingSync: { steps: [inEnv('dev'), inEnv('prod')] },
});

const application = (name: string, env: string): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, labels: { env } },
});

describe('the deletion of an ApplicationSet', () => {
  it.each([
    ['with deletionOrder Reverse', set, true],
    [
      'with the order in another case',
      setWith({ ...set.spec?.strategy, deletionOrder: 'reverse' }),
      true,
    ],
    [
      'without an order',
      setWith({ type: 'RollingSync', rollingSync: {} }),
      false,
    ],
    ['without steps', setWith({ deletionOrder: 'Reverse' }), false],
  ])('is in reverse as the set says: %s', (_, each, expected) => {
    expect(isDeletedInReverse(each)).toBe(expected);
  });

  it('begins with the last step, and leaves those in no step to the garbage collector', () => {
    const existing = [
      application('a', 'dev'),
      application('b', 'prod'),
      application('c', 'dev'),
      application('d', 'other'),
    ];
    const order = [];
    for (
      let next = nextInReverse(set, existing);
      next;
      next = nextInReverse(set, existing)
    ) {
      order.push(next.metadata.name);
      existing.splice(existing.indexOf(next), 1);
    }
    expect(order).toEqual(['b', 'a', 'c']);
  });
});
