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

/** A Rollout that time passes for. */
function life(first: Rollout, failure?: string) {
  let rollout = first;
  const move = (elapsedMs = Infinity) =>
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
    move,
    /** Lets it go until it waits for somebody, and says what it was on the way. */
    settle(): string[] {
      const path: string[] = [];
      for (;;) {
        const { status } = move();
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
    const api = life(rolloutOf(CANARY));
    expect(api.settle()).toEqual(['Progressing 4', 'Healthy 4']);
    expect(api.status).toMatchObject({
      stableRS: podHash(rolloutOf(CANARY)),
      availableReplicas: 5,
    });
  });

  it('goes step by step with a new version, and waits to be promoted', () => {
    const api = life(rolloutOf(CANARY));
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

  it('takes its time', () => {
    const api = life(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    api.settle();
    api.change({ pauseConditions: undefined });
    api.change(api.move().status ?? {});
    expect(api.move(500)).toEqual({ wakeAfterMs: 1500 });
    api.change(api.move().status ?? {});
    expect(api.status.phase).toBe('Paused');
    expect(api.move(10_000)).toEqual({ wakeAfterMs: 20_000 });
  });

  it('is aborted, stays degraded, and is retried', () => {
    const api = life(rolloutOf(CANARY));
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

  it('goes back to the stable version without steps', () => {
    const api = life(rolloutOf(CANARY));
    api.settle();
    api.deploy('2');
    api.settle();
    api.deploy('1');
    expect(api.settle().at(-1)).toBe('Healthy 4');
  });

  it('can be promoted in full', () => {
    const api = life(rolloutOf(CANARY));
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
    const before = life(rolloutOf(CANARY));
    before.settle();
    const api = life(
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
      'when somebody promotes',
      { blueGreen: { autoPromotionEnabled: false } },
      ['Progressing', 'Paused'],
    ],
  ])('switches over %s', (_, strategy, path) => {
    const api = life(rolloutOf(strategy));
    api.settle();
    const old = api.status.stableRS;
    api.deploy('2');
    const begun = api.move().status?.blueGreen;
    expect(begun?.activeSelector).toBe(old);
    expect(begun?.previewSelector).not.toBe(old);
    expect(api.settle()).toEqual(path);
    api.change({ pauseConditions: undefined });
    api.settle();
    expect(api.status.blueGreen?.activeSelector).toBe(begun?.previewSelector);
  });
});
