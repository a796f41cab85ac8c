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

describe('the step of a progressive sync that an Application belongs to', () => {
  it.each<[string, ArgoApplicationSet | undefined, object, number | undefined]>(
    [
      ['is none without ApplicationSet', undefined, {}, undefined],
      ['is none without strategy', applicationSet(), {}, undefined],
      [
        'is none where all go at once',
        setWith({ type: 'AllAtOnce' }),
        {},
        undefined,
      ],
      [
        'is none without steps',
        setWith({ type: 'RollingSync' }),
        {},
        undefined,
      ],
      [
        'is that whose labels it has',
        rolling(wave('In', 'a'), wave('In', 'b', 'c')),
        { wave: 'c' },
        1,
      ],
      [
        'is the first of several',
        rolling(wave('In', 'a'), wave('In', 'a')),
        { wave: 'a' },
        0,
      ],
      [
        'is none of those that ask for other labels',
        rolling(wave('In', 'a')),
        { wave: 'b' },
        undefined,
      ],
      [
        'is none of those that ask for a label that it lacks',
        rolling(wave('In', 'a')),
        {},
        undefined,
      ],
      [
        'is one that excludes others',
        rolling(wave('In', 'a'), wave('NotIn', 'a')),
        { wave: 'b' },
        1,
      ],
      [
        'is one that excludes others, without the label',
        rolling(wave('NotIn', 'a')),
        {},
        0,
      ],
      [
        'is none by an operator that Argo CD does not have',
        rolling(wave('Exists')),
        { wave: 'a' },
        undefined,
      ],
      ['is one that asks for nothing', rolling(wave('In', 'a'), {}), {}, 1],
    ],
  )('%s', (_, set, labels, step) => {
    const app = application({ metadata: { labels: { ...labels } } });
    expect(rollingSyncStep(set, app)).toBe(step);
  });
});
