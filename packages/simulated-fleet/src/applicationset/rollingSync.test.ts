import {
  Application,
  ApplicationSet,
  ApplicationSetRolloutStep,
} from '../kubernetes/argocdTypes';
import { maxUpdateOf, rolloutOf, wavesOf } from './rollingSync';
import { withOperations } from './rolloutOperations';

const NOW = new Date('2026-01-01T00:00:00Z');

const application = (
  name: string,
  env: string,
  status?: Application['status'],
): Application => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name, labels: { env } },
  spec: {
    syncPolicy: { automated: { prune: true }, syncOptions: ['A=true'] },
  },
  status,
});

const outOfSync = {
  sync: { status: 'OutOfSync', revision: 'r1' },
  health: { status: 'Missing' },
};
const healthy = {
  sync: { status: 'Synced', revision: 'r1' },
  health: { status: 'Healthy' },
};

const inEnv = (env: string, maxUpdate?: number | string) => ({
  matchExpressions: [{ key: 'env', operator: 'In', values: [env] }],
  maxUpdate,
});

const rollingSet = (
  steps: ApplicationSetRolloutStep[],
  statuses: Record<string, string> = {},
): ApplicationSet => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'ApplicationSet',
  metadata: { name: 'set' },
  spec: { strategy: { type: 'RollingSync', rollingSync: { steps } } },
  status: {
    applicationStatus: Object.entries(statuses).map(([name, status]) => ({
      application: name,
      status,
      step: '1',
      message: '',
      targetRevisions: ['r1'],
    })),
  },
});

const statusesOf = (set: ApplicationSet, applications: Application[]) =>
  Object.fromEntries(
    rolloutOf(set, applications, applications, NOW).applicationStatus.map(
      ({ application: name, status }) => [name, status],
    ),
  );

describe('rolloutOf', () => {
  const steps = [inEnv('dev'), inEnv('prod', 1)];

  it('moves the first wave to Pending while the others wait', () => {
    const applications = [
      application('a', 'dev', outOfSync),
      application('b', 'prod', outOfSync),
      application('c', 'prod', outOfSync),
    ];
    expect(statusesOf(rollingSet(steps), applications)).toEqual({
      a: 'Pending',
      b: 'Waiting',
      c: 'Waiting',
    });
  });

  it('continues with the next wave, up to maxUpdate Applications at once', () => {
    const applications = [
      application('a', 'dev', healthy),
      application('b', 'prod', outOfSync),
      application('c', 'prod', outOfSync),
    ];
    const set = rollingSet(steps, {
      a: 'Healthy',
      b: 'Waiting',
      c: 'Waiting',
    });
    expect(statusesOf(set, applications)).toEqual({
      a: 'Healthy',
      b: 'Pending',
      c: 'Waiting',
    });
  });

  it.each<[string, NonNullable<Application['status']>, string, string]>([
    [
      'Pending',
      { ...outOfSync, operationState: operation('Running') },
      'Progressing',
      'runs',
    ],
    [
      'Pending',
      { ...healthy, operationState: operation('Succeeded') },
      'Healthy',
      'is done',
    ],
    [
      'Pending',
      { ...outOfSync, operationState: operation('Failed') },
      'Pending',
      'failed',
    ],
    ['Progressing', outOfSync, 'Pending', 'is out of sync again'],
    ['Waiting', healthy, 'Healthy', 'is healthy already'],
    [
      'Healthy',
      { ...outOfSync, sync: { status: 'OutOfSync', revision: 'r2' } },
      'Pending',
      'has a new revision',
    ],
  ])(
    'moves a %s Application with the status %j to %s: it %s',
    (from, status, to) => {
      const set = rollingSet([inEnv('dev')], { a: from });
      expect(statusesOf(set, [application('a', 'dev', status)])).toEqual({
        a: to,
      });
    },
  );

  it('returns the first incomplete step, and none if all are complete', () => {
    const rollout = (status: NonNullable<Application['status']>) =>
      rolloutOf(
        rollingSet([inEnv('dev')], { a: 'Waiting' }),
        [application('a', 'dev', status)],
        [application('a', 'dev')],
        NOW,
      );
    expect(rollout(outOfSync).progressingStep).toBe(1);
    expect(rollout(healthy).progressingStep).toBeUndefined();
  });

  it('returns nothing without steps', () => {
    expect(rolloutOf(rollingSet([]), [], [], NOW).applicationStatus).toEqual(
      [],
    );
  });
});

describe('withOperations', () => {
  it('removes automated sync from all Applications, and syncs those that are due', () => {
    const applications = [
      application('a', 'dev', outOfSync),
      application('b', 'prod', outOfSync),
    ];
    const set = rollingSet([inEnv('dev'), inEnv('prod')], {
      a: 'Pending',
      b: 'Waiting',
    });
    const rollout = rolloutOf(set, applications, applications, NOW);
    const [a, b] = withOperations(set, applications, applications, rollout);
    expect(a.spec?.syncPolicy).toEqual({ syncOptions: ['A=true'] });
    expect(a.operation).toMatchObject({
      sync: { prune: true, syncOptions: ['A=true'] },
      retry: { limit: 5 },
      initiatedBy: { username: 'applicationset-controller', automated: true },
    });
    expect(b.spec?.syncPolicy).toEqual({ syncOptions: ['A=true'] });
    expect(b.operation).toBeUndefined();
  });
});

describe('wavesOf', () => {
  it.each([
    ['In', ['dev'], ['a']],
    ['NotIn', ['dev'], ['b', 'none']],
    ['Exists', [], ['none']],
  ])('reads %s %j', (operator, values, expected) => {
    const unlabelled = application('none', 'x');
    unlabelled.metadata.labels = {};
    const waves = wavesOf(
      [{ matchExpressions: [{ key: 'env', operator, values }] }],
      [application('a', 'dev'), application('b', 'prod'), unlabelled],
    );
    expect(waves).toEqual([expected]);
  });
});

describe('maxUpdateOf', () => {
  it.each<[number | string | undefined, number, number]>([
    [undefined, 5, Infinity],
    [2, 5, 2],
    ['50%', 5, 2],
    ['1%', 5, 1],
    ['0%', 5, 0],
  ])('of %j, %d Applications: %d', (maxUpdate, total, expected) => {
    expect(maxUpdateOf(maxUpdate, total)).toBe(expected);
  });
});

function operation(phase: string) {
  return { phase, startedAt: '2026-01-01T00:00:00Z', operation: {} };
}
