import { TEXTS, type GeneratedObject } from './generatedApplications';
import { createRandom } from './random';

/** This number of Argo Rollouts, the same for the same seed. */
export function generatedRollouts(
  count: number,
  seed: number,
): GeneratedObject[] {
  const { maybe, oneOf } = createRandom(seed);
  const step = () => oneOf([{ setWeight: oneOf([0, 5, 100]) }, { pause: {} }]);
  return Array.from({ length: count }, (_, index) => ({
    name: `rollout ${index}`,
    object: {
      spec: maybe(() => ({
        strategy: maybe(() => ({
          canary: maybe(() => ({
            steps: maybe(() =>
              Array.from({ length: oneOf([0, 1, 4, 40, 41]) }, step),
            ),
          })),
          blueGreen: maybe(() => ({ activeService: 'web' })),
        })),
      })),
      status: maybe(() => ({
        phase: maybe(() => oneOf(['Healthy', 'Paused', 'Degraded'])),
        abort: maybe(() => oneOf([true, false])),
        currentStepIndex: maybe(() => oneOf([0, 1, 3, 4, 40, 99])),
        canary: maybe(() => ({
          weights: maybe(() => ({ canary: maybe(() => ({ weight: 25 })) })),
        })),
        message: maybe(() =>
          oneOf([...TEXTS, '😀'.repeat(499 + oneOf([0, 1, 2]))]),
        ),
      })),
    },
  }));
}
