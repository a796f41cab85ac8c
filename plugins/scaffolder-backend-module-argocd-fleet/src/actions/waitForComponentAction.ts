import { setTimeout } from 'node:timers/promises';
import { ANNOTATION_LOCATION, type Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  applicationSetMatcher,
  parseApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { describeLeftovers } from '../leftovers';
import { waitForComponentExamples } from './waitForComponentAction.examples';

const DEFAULT_TIMEOUT_SECONDS = 120;
const POLL_MS = 1_000;

/** `argocd-fleet:component:wait`: waits until the catalog has a component, so that a link to it works. */
export function createWaitForComponentAction(options: {
  readonly catalog: CatalogService;
  /** Milliseconds between two requests to the catalog. */
  readonly pollMs?: number;
}) {
  const { catalog, pollMs = POLL_MS } = options;
  return createTemplateAction({
    id: 'argocd-fleet:component:wait',
    description:
      'Waits until the catalog has a component that is linked to an ApplicationSet',
    examples: waitForComponentExamples,
    supportsDryRun: true,
    schema: {
      input: {
        entityRef: z =>
          z.string().min(1).describe('Entity reference of the component'),
        applicationSet: z =>
          z
            .string()
            .min(1)
            .describe(
              'ApplicationSet that the annotation of the component must name: <hub>:<namespace>/<name>',
            ),
        timeoutSeconds: z =>
          z
            .number()
            .positive()
            .optional()
            .describe(
              `Fail after this many seconds; by default ${DEFAULT_TIMEOUT_SECONDS}`,
            ),
      },
      output: {
        entityRef: z => z.string(),
      },
    },
    async handler(ctx) {
      const { entityRef, applicationSet } = ctx.input;
      const { timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = ctx.input;
      ctx.output('entityRef', entityRef);
      if (ctx.isDryRun) {
        ctx.logger.info(`Would wait for ${entityRef} in the catalog`);
        return;
      }
      const signal = ctx.signal ?? new AbortController().signal;
      const credentials = await ctx.getInitiatorCredentials();
      const deadline = Date.now() + timeoutSeconds * 1000;
      ctx.logger.info(`Waiting for ${entityRef} in the catalog`);
      for (;;) {
        const entity = await catalog.getEntityByRef(entityRef, { credentials });
        if (entity && isLinked(entity, applicationSet)) {
          ctx.logger.info(`The catalog has ${entityRef}`);
          return;
        }
        if (Date.now() >= deadline) {
          throw new Error(describeTimeout(entityRef, applicationSet, entity));
        }
        await setTimeout(pollMs, undefined, { signal }).catch(() =>
          signal.throwIfAborted(),
        );
      }
    },
  });
}

/** Whether the component's annotation names the ApplicationSet; an entry without a hub names it on every hub. */
function isLinked({ metadata }: Entity, applicationSet: string): boolean {
  const [wanted] = parseApplicationSetAnnotation(applicationSet).refs;
  const isNamed = applicationSetMatcher(
    metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION],
  );
  return wanted !== undefined && isNamed(wanted);
}

function describeTimeout(
  entityRef: string,
  applicationSet: string,
  entity: Entity | undefined,
): string {
  if (!entity) {
    return `The catalog does not have ${entityRef} yet. Is the catalog module of Argo CD Fleet installed, and does its task argocd-fleet:catalog succeed? Are you allowed to read the component?`;
  }
  const location =
    entity.metadata.annotations?.[ANNOTATION_LOCATION] ?? 'an unknown location';
  return [
    `${entityRef} was in the catalog before, from ${location}, and is not linked to the new ApplicationSet. Add the annotation ${APPLICATION_SET_ENTITY_ANNOTATION}: ${applicationSet} to it there, or choose another name.`,
    // With another name, another ApplicationSet is created and this one stays on the hub.
    ...parseApplicationSetAnnotation(applicationSet).refs.map(
      ({ hub = '', namespace, name }) =>
        describeLeftovers(hub, [{ kind: 'ApplicationSet', namespace, name }]),
    ),
  ].join('\n');
}
