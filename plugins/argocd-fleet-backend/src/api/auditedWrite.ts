import type { AuditorService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import type { JsonObject } from '@backstage/types';
import type {
  ManifestsRequest,
  PlacementSelection,
  PromotionRequest,
  ReleaseRequest,
  PullModelApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import type { Request } from 'express';
import { shownText } from '../model/text';

/**
 * Carries out a user's request to change an object of a hub, and has the auditor record it: when it begins, and what came of
 * it. Nothing is written that cannot be recorded.
 * @param eventId - of the auditor's events
 * @param write - throws where the write is refused, or fails
 * @param describe - what the record says of its result
 */
export async function auditedWrite<Result>(
  auditor: AuditorService,
  eventId: string,
  request: Request,
  write: () => Promise<Result>,
  describe: (result: Result) => JsonObject,
): Promise<Result> {
  const { hub, namespace, name } = request.params;
  // A request to delete has no body.
  const { from, release, applicationSet, ...body } = (request.body ??
    {}) as PlacementSelection &
    Partial<
      PullModelApplicationSet &
        PromotionRequest &
        ReleaseRequest &
        Pick<ManifestsRequest, 'applicationSet'>
    >;
  const { component, owner = component?.owner } = applicationSet ?? body;
  const event = await auditor.createEvent({
    eventId,
    severityLevel: 'medium',
    request,
    meta: {
      hub,
      namespace,
      name,
      ...(owner !== undefined && { owner: shownText(owner) }),
      ...(from && {
        from: shownText(`${from.hub}:${from.namespace}/${from.name}`),
      }),
      ...(release !== undefined && { release }),
      // Of a dry run, the result is what would have been done.
      ...(String(request.query.dryRun) === 'true' && { dryRun: true }),
    },
  });
  let written: Result;
  try {
    written = await write();
  } catch (error) {
    await event.fail({ error: toError(error) });
    throw error;
  }
  await event.success({ meta: describe(written) });
  return written;
}
