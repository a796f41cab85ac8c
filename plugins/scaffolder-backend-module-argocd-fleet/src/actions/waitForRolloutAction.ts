import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import { describeRef, type FleetAccess } from '../fleetAccess';
import {
  ROLLOUT_TIMING,
  waitForRollout,
  type RolloutTiming,
} from '../rollout/waitForRollout';
import { waitForRolloutExamples } from './waitForRolloutAction.examples';

const DEFAULT_TIMEOUT_SECONDS = 300;
const DEFAULT_FAIL_AFTER_SECONDS = 30;

/** `argocd-fleet:wait-for-rollout`: waits until an application runs on its clusters. */
export function createWaitForRolloutAction(options: {
  readonly fleet: FleetAccess;
  readonly timing?: RolloutTiming;
}) {
  const { fleet, timing = ROLLOUT_TIMING } = options;
  return createTemplateAction({
    id: 'argocd-fleet:wait-for-rollout',
    description:
      'Waits until an ApplicationSet is synced and healthy on all its clusters',
    examples: waitForRolloutExamples,
    supportsDryRun: true,
    schema: {
      input: {
        hub: z => z.string().min(1).describe('Name of the hub'),
        namespace: z => z.string().min(1).describe('Namespace on the hub'),
        name: z => z.string().min(1).describe('Name of the ApplicationSet'),
        timeoutSeconds: z =>
          z
            .number()
            .positive()
            .optional()
            .describe(
              `Fail after this many seconds; by default ${DEFAULT_TIMEOUT_SECONDS}`,
            ),
        failAfterSeconds: z =>
          z
            .number()
            .positive()
            .optional()
            .describe(
              `Fail when the same error lasts this many seconds; by default ${DEFAULT_FAIL_AFTER_SECONDS}`,
            ),
        minimumClusters: z =>
          z
            .number()
            .int()
            .min(1)
            .optional()
            .describe('Minimum number of clusters; by default 1'),
      },
      output: {
        clusters: z =>
          z.array(z.string()).describe('Clusters that the application runs on'),
        summary: z => z.string().describe('The result in one line'),
      },
    },
    async handler(ctx) {
      const { hub, namespace, name, minimumClusters = 1 } = ctx.input;
      const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = ctx.input;
      const { failAfterSeconds = DEFAULT_FAIL_AFTER_SECONDS } = ctx.input;
      const ref = { hub, namespace, name };
      if (ctx.isDryRun) {
        const summary = `Would wait for the ApplicationSet ${describeRef(ref)}`;
        ctx.logger.info(summary);
        ctx.output('clusters', []);
        ctx.output('summary', summary);
        return;
      }
      const credentials = await ctx.getInitiatorCredentials();
      const { readyClusters, summary } = await waitForRollout({
        fleet,
        getToken: () => fleet.getToken(credentials),
        ref,
        minimumClusters,
        timeoutMs: timeoutSeconds * 1000,
        failAfterMs: failAfterSeconds * 1000,
        logger: ctx.logger,
        signal: ctx.signal ?? new AbortController().signal,
        timing,
      });
      ctx.output('clusters', [...readyClusters]);
      ctx.output('summary', summary);
    },
  });
}
