import type { AuditorService } from '@backstage/backend-plugin-api';
import { toError } from '@backstage/errors';
import type {
  PlacementSelection,
  PullModelApplicationSet,
  WriteResult,
} from 'backstage-plugin-argocd-fleet-common';
import type { Request } from 'express';
import { shownText } from '../model/text';

/**
 * Carries out a user's request to write an object of a hub, and has the auditor record it: when it begins, and what came of
 * it. Nothing is written that cannot be recorded.
 * @param eventId - of the auditor's events
 * @param write - throws where the write is refused, or fails
 */
export async function auditedWrite(
  auditor: AuditorService,
  eventId: string,
  request: Request,
  write: () => Promise<WriteResult>,
): Promise<WriteResult> {
  const { hub, namespace, name } = request.params;
  const { component, owner = component?.owner } =
    request.body as PlacementSelection & Partial<PullModelApplicationSet>;
  const event = await auditor.createEvent({
    eventId,
    severityLevel: 'medium',
    request,
    meta: {
      hub,
      namespace,
      name,
      ...(owner !== undefined && { owner: shownText(owner) }),
      // Of a dry run, the result is what would have been done.
      ...(String(request.query.dryRun) === 'true' && { dryRun: true }),
    },
  });
  let written: WriteResult;
  try {
    written = await write();
  } catch (error) {
    await event.fail({ error: toError(error) });
    throw error;
  }
  await event.success({ meta: { result: written.result } });
  return written;
}
