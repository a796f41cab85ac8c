import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  RELEASES,
  type ClusterNames,
  type ObjectRef,
  type PlacementInUse,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import { describeRef, type FleetAccess } from '../fleetAccess';
import { readRef, REF_INPUT } from './applicationSetRef';
import { changePlacementExamples } from './changePlacementAction.examples';
import { hubRequests, notStored } from './hubRequests';
import { checkLeaving, describeNames, plannedChange } from './placementMove';
import { readSelection, SELECTION_INPUT } from './selectionInput';

const DEFAULT_TIMEOUT_SECONDS = 600;

/** `argocd-fleet:placement:change`: brings an application to other clusters, and takes it from those that it leaves. */
export function createChangePlacementAction(options: {
  readonly fleet: FleetAccess;
  readonly pollMs?: number;
}) {
  const { fleet, pollMs } = options;
  return createTemplateAction({
    id: 'argocd-fleet:placement:change',
    description:
      'Changes which clusters the Placement of an ApplicationSet selects: orders what becomes of what runs on those that it leaves, changes it, and waits until they are left',
    examples: changePlacementExamples,
    supportsDryRun: true,
    schema: {
      input: {
        ...REF_INPUT,
        ...SELECTION_INPUT,
        leaving: z =>
          z
            .enum(RELEASES)
            .optional()
            .describe(
              'What becomes of what runs on clusters that it leaves, as in argocd-fleet:applicationset:delete; must be given where it leaves any',
            ),
        timeoutSeconds: z =>
          z
            .number()
            .positive()
            .optional()
            .describe(
              `Fail where it has not left them after this many seconds; by default ${DEFAULT_TIMEOUT_SECONDS}`,
            ),
      },
      output: {
        hub: z => z.string(),
        namespace: z => z.string(),
        name: z => z.string(),
        result: z =>
          z
            .enum(['updated', 'unchanged', 'dryRun'])
            .describe('What was done to the Placement'),
        summary: z =>
          z
            .string()
            .describe('Which clusters it came to and left, in Markdown'),
      },
    },
    async handler(ctx) {
      const { leaving: release, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } =
        ctx.input;
      const ref = readRef(ctx.input.applicationSet);
      const what = `change where ${describeRef(ref)} runs`;
      const selection = readSelection(ctx.input, describeRef(ref));

      function finish(
        result: 'updated' | 'unchanged' | 'dryRun',
        summary: string,
      ) {
        ctx.logger.info(summary.replaceAll('**', ''));
        ctx.output('hub', ref.hub);
        ctx.output('namespace', ref.namespace);
        ctx.output('name', ref.name);
        ctx.output('result', result);
        ctx.output('summary', summary);
      }

      if (ctx.isDryRun) {
        finish('dryRun', `Would ${what}: ${JSON.stringify(selection)}`);
        return;
      }
      const { answered, pause, send } = hubRequests({
        ...{ ctx, fleet, what, timeoutSeconds, pollMs },
      });
      const ask = () =>
        send(request =>
          fleet.client.getPlacementInUse(ref, selection, request),
        );
      // After a restart, the change may be half done, and would look as if fewer clusters were left.
      const { placement, owner, joining, leaving } = await ctx.checkpoint({
        key: 'change',
        fn: async () => plannedChange(ref, onHub(ref, await ask())),
      });
      const clusters = describeNames(leaving);
      checkLeaving(ref, leaving, release);
      const mustOrder = leaving.count > 0 && release;
      const withdraw = () =>
        send(request => fleet.client.withdrawRelease(ref, request));
      // The order is not given anew by who finds all clusters left: it would hold for what others do then.
      const { result } = await ctx.checkpoint({
        key: 'moved',
        fn: async () => {
          if (mustOrder) {
            await orderAndWait(mustOrder);
          }
          const written = await write();
          if (mustOrder) {
            await untilLeft();
          }
          return {
            result:
              written?.result === 'unchanged'
                ? ('unchanged' as const)
                : ('updated' as const),
          };
        },
      });
      if (mustOrder) {
        const isWithdrawn = async () => (await withdraw())?.stored !== true;
        while (!(await answered(isWithdrawn))?.value) {
          await pause(notLeft(ref, undefined));
        }
      }

      async function orderAndWait(ordered: Release) {
        const isStored = async () =>
          (
            await send(request =>
              fleet.client.orderRelease(ref, ordered, request),
            )
          )?.stored;
        while (!(await answered(isStored))?.value) {
          await pause(notStored(ref, ordered, 'changed'));
        }
        ctx.logger.info(`Ordered ${ordered} for ${clusters}`);
      }

      async function write() {
        try {
          return await send(request =>
            fleet.client.putPlacement(
              { ...ref, name: placement },
              { ...selection, ...(owner !== null && { owner }) },
              request,
            ),
          );
        } catch (error) {
          if (mustOrder) {
            // It must not hold for what others do later.
            await withdraw().catch(({ message }) => ctx.logger.warn(message));
          }
          throw error;
        }
      }

      async function untilLeft() {
        const left = async () => (await ask())?.change?.leaving;
        for (;;) {
          const now = (await answered(left))?.value;
          if (now?.count === 0) {
            return;
          }
          await pause(notLeft(ref, now));
        }
      }

      finish(
        result,
        joining.count === 0 && leaving.count === 0
          ? `**${ref.name}** stays where it is.`
          : [
              ...(joining.count > 0
                ? [`**${ref.name}** comes to ${describeNames(joining)}.`]
                : []),
              ...(leaving.count > 0
                ? [
                    `**${ref.name}** left ${clusters}; what it ran there ${release === 'remove' ? 'is removed' : 'stays'}.`,
                  ]
                : []),
            ].join('\n\n'),
      );
    },
  });
}

/** @throws InputError where a repository keeps the Placement */
function onHub(
  ref: ObjectRef,
  used: PlacementInUse | undefined,
): PlacementInUse | undefined {
  if (used?.keptInGit) {
    throw new InputError(
      `A repository keeps the Placement of ${describeRef(ref)}: change it there, for example with a pull request by argocd-fleet:placement:propose`,
    );
  }
  return used;
}

function notLeft(ref: ObjectRef, left: ClusterNames | undefined): string {
  return `The Placement of ${describeRef(ref)} is changed, and the application has not left ${left ? describeNames(left) : 'every cluster'} yet. It goes on by itself. When it has, take back the order for its ManifestWorks, which else holds for an hour: remove the annotation argocd-fleet/release of ApplicationSet ${ref.namespace}/${ref.name}.`;
}
