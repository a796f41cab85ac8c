import type { ArgoApplicationSet } from 'backstage-plugin-argocd-fleet-common';
import { application, applicationSet } from '../__testUtils__/applications';
import { rollingSyncStep } from './rollingSync';

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
