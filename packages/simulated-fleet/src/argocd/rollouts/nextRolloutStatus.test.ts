import { Rollout, RolloutStatus } from '../../kubernetes/rolloutTypes';
import { nextRolloutStatus } from './nextRolloutStatus';
import { podHash } from './rolloutStatus';

const NOW = new Date('2026-01-01T10:00:00Z');
const STEP_MS = 2000;

type Strategy = NonNullable<Rollout['spec']>['strategy'];

const CANARY: Strategy = {
  canary: {
    steps: [
      { setWeight: 20 },
      { pause: {} },
      { setWeight: 60 },
      { pause: { duration: '30s' } },
    ],
  },
};

function rolloutOf(strategy: Strategy, version = '1'): Rollout {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'api', namespace: 'shop' },
    spec: {
      replicas: 5,
      template: { metadata: { annotations: { version } } },
      strategy,
    },
  };
}

/** Simulates the controller of one Rollout. */
function simulate(first: Rollout, failure?: string) {
  let rollout = first;
  const step = (elapsedMs = Infinity) =>
    nextRolloutStatus(rollout, {
      stepMs: STEP_MS,
      elapsedMs,
      failure,
      now: NOW,
    });
  const self = {
    get status(): RolloutStatus {
      return rollout.status ?? {};
    },
    step,
    /** Applies steps until the Rollout waits; returns phase, step index and weight after each. */
    settle(): string[] {
      const path: string[] = [];
      for (;;) {
        const { status } = step();
        if (!status) {
          return path;
        }
        rollout = { ...rollout, status };
        const weight = status.canary?.weights?.canary.weight;
        path.push(
          [status.phase, status.currentStepIndex, weight]
            .filter(part => part !== undefined)
            .join(' '),
        );
      }
    },
    deploy(version: string) {
      const { spec } = rolloutOf(rollout.spec?.strategy, version);
      rollout = { ...rollout, spec };
    },
    change(status: RolloutStatus) {
      rollout = { ...rollout, status: { ...rollout.status, ...status } };
    },
  };
  return self;
}

describe('a canary', () => {
  it('skips its steps the first time', () => {
    const api = simulate(rolloutOf(CANARY));
    expect(api.settle()).toEqual(['Progressing 4', 'Healthy 4']);
    expect(api.status).toMatchObject({
      stableRS: podHash(rolloutOf(CANARY)),
      availableReplicas: 5,
    });
  });

  it('updates step by step to a new version, and waits for a promotion', () => {
    const api = simulate(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    expect(api.settle()).toEqual(['Progressing 0 0', 'Paused 1 20']);
    expect(api.status).toMatchObject({
      message: 'CanaryPauseStep',
      controllerPause: true,
      pauseConditions: [
        { reason: 'CanaryPauseStep', startTime: '2026-01-01T10:00:00Z' },
      ],
      updatedReplicas: 1,
      canary: { weights: { stable: { weight: 80 } } },
    });
    expect(
      api.status.conditions?.find(({ type }) => type === 'Paused')?.status,
    ).toBe('True');

    api.change({ pauseConditions: undefined });
    expect(api.settle()).toEqual([
      'Progressing 2 20',
      'Paused 3 60',
      'Progressing 4 60',
      'Healthy 4',
    ]);
  });

  it('takes the configured time', () => {
    const api = simulate(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    api.settle();
    api.change({ pauseConditions: undefined });
    api.change(api.step().status ?? {});
    expect(api.step(500)).toEqual({ requeueAfterMs: 1500 });
    api.change(api.step().status ?? {});
    expect(api.status.phase).toBe('Paused');
    expect(api.step(10_000)).toEqual({ requeueAfterMs: 20_000 });
  });

  it('stays Degraded after an abort until a retry', () => {
    const api = simulate(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    api.settle();
    api.change({ abort: true, phase: 'Progressing' });
    expect(api.settle()).toEqual(['Degraded 0 0']);
    expect(api.status.message).toMatch(
      /^RolloutAborted: Rollout aborted update to /,
    );

    api.change({ abort: undefined, phase: 'Progressing' });
    expect(api.settle()).toEqual(['Paused 1 20']);
  });

  it('returns to the stable version without steps', () => {
    const api = simulate(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    api.settle();
    api.deploy('1');
    expect(api.settle().at(-1)).toBe('Healthy 4');
  });

  it('skips all remaining steps after a full promotion', () => {
    const api = simulate(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    api.settle();
    api.change({ promoteFull: true, pauseConditions: undefined });
    expect(api.settle()).toEqual(['Healthy 4']);
    expect(api.status.promoteFull).toBeUndefined();
  });

  it.each([
    [
      'at first is past its deadline',
      false,
      /^ProgressDeadlineExceeded: crash/,
    ],
    ['later aborts itself', true, /^RolloutAborted: .*: crash$/],
  ])('whose pods never come up %s', (_, wasThere, message) => {
    const before = simulate(rolloutOf(CANARY));
    before.settle();
    const api = simulate(
      {
        ...rolloutOf(CANARY, '2'),
        ...(wasThere && { status: before.status }),
      },
      'crash',
    );
    expect(api.settle().at(-1)).toMatch(/^Degraded/);
    expect(api.status.message).toMatch(message);
  });
});

describe('blue-green', () => {
  it.each<[string, Strategy, string[]]>([
    ['by itself', { blueGreen: {} }, ['Progressing', 'Healthy']],
    [
      'after a while',
      { blueGreen: { autoPromotionSeconds: 5 } },
      ['Progressing', 'Paused', 'Healthy'],
    ],
    [
      'after a promotion',
      { blueGreen: { autoPromotionEnabled: false } },
      ['Progressing', 'Paused'],
    ],
  ])('switches over %s', (_, strategy, path) => {
    const api = simulate(rolloutOf(strategy));
    api.settle();
    const old = api.status.stableRS;
    api.deploy('2');
    const begun = api.step().status?.blueGreen;
    expect(begun?.activeSelector).toBe(old);
    expect(begun?.previewSelector).not.toBe(old);
    expect(api.settle()).toEqual(path);
    api.change({ pauseConditions: undefined });
    api.settle();
    expect(api.status.blueGreen?.activeSelector).toBe(begun?.previewSelector);
  });
});
