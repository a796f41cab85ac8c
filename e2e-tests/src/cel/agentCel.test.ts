import { evaluateMessage } from 'simulated-fleet';
import { AGENT_CEL_BINARY } from '../environment';
import { numberOfCases } from '../../../plugins/argocd-fleet-backend/src/__testUtils__/randomCases';
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

/** The agent's cost limit for all rules of an object. It does not count the cost of messages. */
const COST_BUDGET = 10_000_000;

const BOUNDS = [1_000, 8_000, 30_000];
const SEED = 20261122;
/** Applications for each bound; about thirty known edge cases come first. */
const DIGESTS = numberOfCases({ test: 60, long: 200 });

// Skipped without the program: to build it takes Go, which `npm test` does without and `npm run test:real-hub` uses.
(AGENT_CEL_BINARY ? describe : describe.skip)(
  "cel-go with the work agent's libraries (`npm run test:real-hub`, needs Go) and the simulated agent agree",
  () => {
    let agent: AgentCel;
    beforeAll(() => {
      agent = startAgentCel(AGENT_CEL_BINARY!);
    });
    afterAll(() => agent.stop());

    it.each(BOUNDS)(
      `on a digest of at most %d characters for ${DIGESTS} Applications`,
      async bound => {
        const expression = digestExpression(bound);
        for (const { name, object } of generatedApplications(
          DIGESTS,
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

    it('on whether 200 Applications are ready', async () => {
      const applications = generatedApplications(200, SEED, 1_000);
      expect(await evaluateWithAgent(READY_EXPRESSION, applications)).toEqual(
        evaluateSimulated(READY_EXPRESSION, applications),
      );
    });

    it.each([
      ['the progress', ROLLOUT_EXPRESSION],
      ['the promotion', PROMOTED_EXPRESSION],
    ])('on %s of 200 Rollouts', async (_, expression) => {
      const rollouts = generatedRollouts(200, SEED);
      expect(await evaluateWithAgent(expression, rollouts)).toEqual(
        evaluateSimulated(expression, rollouts),
      );
    });

    async function evaluateWithAgent(
      expression: string,
      objects: readonly GeneratedObject[],
    ) {
      const results = [];
      for (const { name, object } of objects) {
        const { value, error } = await agent.evaluate(expression, object);
        results.push({ name, value: error ?? value });
      }
      return results;
    }

    function evaluateSimulated(
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
