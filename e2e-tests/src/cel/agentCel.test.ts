import { evaluateMessage } from 'simulated-fleet';
import {
  digestExpression,
  READY_EXPRESSION,
} from '../../../plugins/argocd-fleet-backend/src/model/feedback/digestExpression';
import {
  PROMOTED_EXPRESSION,
  ROLLOUT_EXPRESSION,
} from '../../../plugins/argocd-fleet-backend/src/model/feedback/rolloutExpression';
import { startAgentCel, type AgentCel } from './agentCel';
import {
  generatedApplications,
  type GeneratedObject,
} from './generatedApplications';
import { generatedRollouts } from './generatedRollouts';

/** The program of `real-hub/cel`: cel-go with what OCM's work agent gives it. */
const BINARY = process.env.ARGOCD_FLEET_AGENT_CEL;

/** What the agent may spend on all rules of an object where it counts; on messages it does not. */
const COST_BUDGET = 10_000_000;

const BOUNDS = [1_000, 8_000, 30_000];
const SEED = 20261122;

jest.setTimeout(600_000);

// Built by `npm run test:real-hub`, where there is a Go; elsewhere this is skipped and counted.
(BINARY ? describe : describe.skip)(
  "cel-go with the work agent's libraries (of `npm run test:real-hub`, which needs Go) makes the same of 200 Applications",
  () => {
    let agent: AgentCel;
    beforeAll(() => {
      agent = startAgentCel(BINARY!);
    });
    afterAll(() => agent.stop());

    it.each(BOUNDS)(
      'a digest of at most %d characters, the same as the simulated agent',
      async bound => {
        const expression = digestExpression(bound);
        for (const { name, object } of generatedApplications(
          200,
          SEED + bound,
          bound,
        )) {
          const { value, error, cost } = await agent.evaluate(
            expression,
            object,
          );
          expect({ name, error }).toEqual({ name, error: undefined });
          expect({ name, value }).toEqual({
            name,
            value: evaluateMessage(expression, object, false),
          });
          expect([...String(value)].length).toBeLessThanOrEqual(bound);
          expect(cost).toBeLessThan(COST_BUDGET);
        }
      },
    );

    it('whether it is ready', async () => {
      const applications = generatedApplications(200, SEED, 1_000);
      expect(await asTheAgent(READY_EXPRESSION, applications)).toEqual(
        asSimulated(READY_EXPRESSION, applications),
      );
    });

    it.each([
      ['where each is', ROLLOUT_EXPRESSION],
      ['whether it is promoted', PROMOTED_EXPRESSION],
    ])('and of 200 Rollouts %s', async (_, expression) => {
      const rollouts = generatedRollouts(200, SEED);
      expect(await asTheAgent(expression, rollouts)).toEqual(
        asSimulated(expression, rollouts),
      );
    });

    async function asTheAgent(
      expression: string,
      objects: readonly GeneratedObject[],
    ) {
      const answers = [];
      for (const { name, object } of objects) {
        const { value, error } = await agent.evaluate(expression, object);
        answers.push({ name, value: error ?? value });
      }
      return answers;
    }

    function asSimulated(
      expression: string,
      objects: readonly GeneratedObject[],
    ) {
      return objects.map(({ name, object }) => ({
        name,
        value: evaluateMessage(expression, object, false),
      }));
    }
  },
);
