import type { ArgoApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { application, applicationSet } from '../__testUtils__/applications';
import {
  reportedRollingSyncPosition,
  rollingSyncPosition,
  rollingSyncProgress,
  rollingSyncStep,
} from './rollingSync';

const wave = (operator: string, ...values: string[]) => ({
  matchExpressions: [{ key: 'wave', operator, values }],
});

function setWith(strategy: object): ArgoApplicationSet {
  const set = applicationSet();
  return { ...set, spec: { ...set.spec, strategy } };
}

const rolling = (...steps: object[]) =>
  setWith({ type: 'RollingSync', rollingSync: { steps } });

describe('the step of a progressive sync that selects an Application', () => {
  it.each<[string, ArgoApplicationSet | undefined, object, number | undefined]>(
    [
      ['is undefined without ApplicationSet', undefined, {}, undefined],
      ['is undefined without strategy', applicationSet(), {}, undefined],
      [
        'is undefined with strategy AllAtOnce',
        setWith({ type: 'AllAtOnce' }),
        {},
        undefined,
      ],
      [
        'is undefined without steps',
        setWith({ type: 'RollingSync' }),
        {},
        undefined,
      ],
      [
        'is the step that selects its labels',
        rolling(wave('In', 'a'), wave('In', 'b', 'c')),
        { wave: 'c' },
        1,
      ],
      [
        'is the first of several matching steps',
        rolling(wave('In', 'a'), wave('In', 'a')),
        { wave: 'a' },
        0,
      ],
      [
        'is undefined if the steps select other values',
        rolling(wave('In', 'a')),
        { wave: 'b' },
        undefined,
      ],
      [
        'is undefined if the Application lacks the label',
        rolling(wave('In', 'a')),
        {},
        undefined,
      ],
      [
        'can match by NotIn',
        rolling(wave('In', 'a'), wave('NotIn', 'a')),
        { wave: 'b' },
        1,
      ],
      [
        'can match by NotIn without the label',
        rolling(wave('NotIn', 'a')),
        {},
        0,
      ],
      [
        'is undefined for an operator that Argo CD does not support',
        rolling(wave('Exists')),
        { wave: 'a' },
        undefined,
      ],
      [
        'can be a step without expressions',
        rolling(wave('In', 'a'), {}),
        {},
        1,
      ],
    ],
  )('%s', (_, set, labels, step) => {
    const app = application({ metadata: { labels: { ...labels } } });
    expect(rollingSyncStep(set, app)).toBe(step);
  });
});

describe('the position of an Application in a rolling sync', () => {
  const set = rolling(wave('In', 'a'), wave('In', 'b'));
  const labelled = (value: string) =>
    application({ metadata: { labels: { wave: value } } });

  it('is the number of its step, or none', () => {
    expect(rollingSyncPosition(set, labelled('b'))).toEqual({
      steps: 2,
      step: 2,
    });
    expect(rollingSyncPosition(set, labelled('c'))).toEqual({ steps: 2 });
    expect(
      rollingSyncPosition(applicationSet(), labelled('a')),
    ).toBeUndefined();
  });

  it('has what the controller reports of the Application', () => {
    const app = labelled('b');
    const own = { application: app.metadata.name, status: 'Pending' };
    const all = [{ application: 'other', status: 'Healthy' }, own];
    const reporting = { ...set, status: { applicationStatus: all } };
    const position = { steps: 2, step: 2 };
    expect(reportedRollingSyncPosition(reporting, app)).toEqual({
      ...position,
      status: 'Pending',
    });
    expect(reportedRollingSyncPosition(set, app)).toEqual(position);
    // What is left of an earlier strategy says nothing.
    const earlier = { ...applicationSet(), status: reporting.status };
    expect(reportedRollingSyncPosition(earlier, app)).toBeUndefined();
  });
});

describe('the progress of a rolling sync', () => {
  const at = '2026-11-21T10:00:00Z';

  function progress(progressing: string | undefined, ...statuses: string[]) {
    return rollingSyncProgress({
      ...rolling(wave('In', 'a'), wave('In', 'b'), wave('In', 'c')),
      status: {
        conditions: progressing
          ? [
              {
                type: 'RolloutProgressing',
                status: progressing,
                lastTransitionTime: at,
              },
            ]
          : [],
        applicationStatus: statuses.map((text, index) => {
          const [step, status] = text.split(' ');
          return { application: `app-${index}`, step, status };
        }),
      },
    });
  }

  it('is the first step with Applications that are not done, and their number', () => {
    expect(
      progress('True', '1 Healthy', '2 Pending', '2 Waiting', '3 Waiting'),
    ).toEqual({
      steps: 3,
      reported: true,
      step: 2,
      waiting: 2,
      waitsFor: ['app-1', 'app-2'],
      since: at,
    });
  });

  it('names the first three of them', () => {
    const statuses = Array.from({ length: 12 }, () => '1 Waiting');
    expect(progress('True', ...statuses)).toMatchObject({
      waiting: 12,
      waitsFor: ['app-0', 'app-1', 'app-10'],
    });
  });

  it('does not count what no step selects', () => {
    expect(progress('True', '-1 Waiting', '7 Waiting', '3 Waiting')).toEqual({
      steps: 3,
      reported: true,
      step: 3,
      waiting: 1,
      waitsFor: ['app-2'],
      since: at,
    });
  });

  it('is done where the controller says so', () => {
    expect(progress('False', '1 Healthy', '2 Waiting')).toEqual({
      steps: 3,
      reported: true,
      since: at,
    });
  });

  it('is not reported where progressive syncs are not enabled', () => {
    expect(progress(undefined)).toEqual({ steps: 3, reported: false });
    expect(rollingSyncProgress(applicationSet())).toBeUndefined();
  });
});
