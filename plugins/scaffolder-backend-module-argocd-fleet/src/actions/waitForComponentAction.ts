import { ANNOTATION_LOCATION, type Entity } from '@backstage/catalog-model';
import type { CatalogService } from '@backstage/plugin-catalog-node';
import { createTemplateAction } from '@backstage/plugin-scaffolder-node';
import {
  APPLICATION_SET_ENTITY_ANNOTATION,
  parseApplicationSetAnnotation,
} from 'backstage-plugin-argocd-fleet-common';
import { describeLeftovers } from '../leftovers';
import { pause } from '../pause';
import { waitForComponentExamples } from './waitForComponentAction.examples';

const DEFAULT_TIMEOUT_SECONDS = 120;
const POLL_MS = 1_000;

/** `argocd-fleet:component:wait`: goes on when the catalog has a component, so that a link to it leads somewhere. */
export function createWaitForComponentAction(options: {
  readonly catalog: CatalogService;
  /** Milliseconds between two looks into the catalog. */
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
        entityRef: z => z.string().min(1).describe('The component'),
        applicationSet: z =>
          z
            .string()
            .min(1)
            .describe(
              'ApplicationSet that its annotation must name: <hub>:<namespace>/<name>',
            ),
        timeoutSeconds: z =>
          z
            .number()
            .positive()
            .optional()
            .describe(
              `Fail after this many seconds; ${DEFAULT_TIMEOUT_SECONDS} by default`,
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
          throw new Error(failure(entityRef, applicationSet, entity));
        }
        await pause(pollMs, signal);
        signal.throwIfAborted();
      }
    },
  });
}

function isLinked(entity: Entity, applicationSet: string): boolean {
  const annotation =
    entity.metadata.annotations?.[APPLICATION_SET_ENTITY_ANNOTATION] ?? '';
  return annotation.split(',').some(
    named =>
      named.trim() === applicationSet ||
      // The hub may be left out of an annotation that somebody wrote.
      applicationSet.endsWith(`:${named.trim()}`),
  );
}

function failure(
  entityRef: string,
  applicationSet: string,
  entity: Entity | undefined,
): string {
  return entity
    ? `${entityRef} was in the catalog before, from ${
        entity.metadata.annotations?.[ANNOTATION_LOCATION] ??
        'an unknown location'
      }, and is not linked to the new ApplicationSet. Add the annotation ${APPLICATION_SET_ENTITY_ANNOTATION}: ${applicationSet} to it there, or choose another name.\n${whatStays(
        applicationSet,
      )}`
    : `The catalog does not have ${entityRef} yet. Is the catalog module of Argo CD Fleet installed, and does its task argocd-fleet:catalog succeed? May you read the component?`;
}

/** Under another name it is another ApplicationSet, and this one goes on running. */
function whatStays(applicationSet: string): string {
  const { refs } = parseApplicationSetAnnotation(applicationSet);
  return refs
    .map(({ hub = '', namespace, name }) =>
      describeLeftovers(hub, [{ kind: 'ApplicationSet', namespace, name }]),
    )
    .join('\n');
}
