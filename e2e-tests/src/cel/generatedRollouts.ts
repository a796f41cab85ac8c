import {
  createDice,
  TEXTS,
  type GeneratedObject,
} from './generatedApplications';

/** So many Argo Rollouts, the same ones for the same seed. */
export function generatedRollouts(
  count: number,
  seed: number,
): GeneratedObject[] {
  const dice = createDice(seed);
  const some = <T>(value: () => T): T | undefined =>
    dice() < 0.7 ? value() : undefined;
  const oneOf = <T>(values: readonly T[]): T =>
    values[Math.floor(dice() * values.length)];
  const step = () => oneOf([{ setWeight: oneOf([0, 5, 100]) }, { pause: {} }]);
  return Array.from({ length: count }, (_, index) => ({
    name: `rollout ${index}`,
    object: {
      spec: some(() => ({
        strategy: some(() => ({
          canary: some(() => ({
            steps: some(() =>
              Array.from({ length: oneOf([0, 1, 4, 40, 41]) }, step),
            ),
          })),
          blueGreen: some(() => ({ activeService: 'web' })),
        })),
      })),
      status: some(() => ({
        phase: some(() => oneOf(['Healthy', 'Paused', 'Degraded'])),
        abort: some(() => oneOf([true, false])),
        currentStepIndex: some(() => oneOf([0, 1, 3, 4, 40, 99])),
        canary: some(() => ({
          weights: some(() => ({ canary: some(() => ({ weight: 25 })) })),
        })),
        message: some(() =>
          oneOf([...TEXTS, '😀'.repeat(499 + oneOf([0, 1, 2]))]),
        ),
      })),
    },
  }));
}
