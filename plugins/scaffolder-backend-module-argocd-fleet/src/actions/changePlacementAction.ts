import { InputError } from '@backstage/errors';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  RELEASES,
  type ClusterNames,
  type ObjectRef,
  type Release,
} from 'backstage-plugin-argocd-fleet-common';
import { describeRef, type FleetAccess } from '../fleetAccess';
import { readRef } from './applicationSetRef';
import { changePlacementExamples } from './changePlacementAction.examples';
import { hubRequests, notStored } from './hubRequests';
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
        applicationSet: z =>
          z
            .string()
            .min(1)
            .describe('The ApplicationSet, as hub:namespace/name'),
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
        fn: async () => plannedChange(ref, await ask()),
      });
      const clusters = describeNames(leaving);
      if (leaving.count > 0 && !release) {
        throw new InputError(
          `${describeRef(ref)} would leave ${clusters}: say what becomes of what runs there (leaving: ${RELEASES.join(', ')})`,
        );
      }
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

/** What a run is going to do. @throws InputError where the portal cannot do it */
function plannedChange(
  ref: ObjectRef,
  used:
    Awaited<ReturnType<FleetAccess['client']['getPlacementInUse']>> | undefined,
) {
  const { placement, fixed, selection, change } = used ?? {};
  if (!used) {
    throw new InputError(
      `There is no ApplicationSet ${describeRef(ref)} that you may see`,
    );
  }
  if (fixed !== undefined || !placement || !change) {
    throw new InputError(
      `Where ${describeRef(ref)} runs cannot be changed by the portal. ${fixed}`,
    );
  }
  if (change.preview.selected === 0) {
    throw new InputError(
      `No cluster matches: ${describeRef(ref)} would run nowhere. To end it, retire it.`,
    );
  }
  return {
    placement: placement.name,
    owner: selection?.owner ?? null,
    joining: { ...change.joining },
    leaving: { ...change.leaving },
  };
}

function describeNames({ count, names }: ClusterNames): string {
  const number = count === 1 ? 'one cluster' : `${count} clusters`;
  const more = count - names.length;
  if (names.length === 0) {
    return `${number}, as the hub chooses`;
  }
  return `${number}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function notLeft(ref: ObjectRef, left: ClusterNames | undefined): string {
  return `The Placement of ${describeRef(ref)} is changed, and the application has not left ${left ? describeNames(left) : 'every cluster'} yet. It goes on by itself. When it has, take back the order for its ManifestWorks, which else holds for an hour: remove the annotation argocd-fleet/release of ApplicationSet ${ref.namespace}/${ref.name}.`;
}
