import {
  OPERATION_ANNOTATION,
  REFRESH_ANNOTATION,
  REFRESH_MARK_ANNOTATION,
  type ArgoApplication,
  type ManifestWork,
  type OneShotMark,
} from 'backstage-plugin-argocd-fleet-common';
import { z } from 'zod';
import { applicationManifest } from '../delivery';
import type { MergePatch } from '../json';

/** Fields of an Application that are delivered to its cluster once, and the marks that record them in the work. */
export interface OneShotFields {
  readonly operation?: ArgoApplication['operation'];
  readonly refresh?: string;
  readonly marks: Readonly<Record<string, string>>;
}

/** Annotations of a work that are {@link OneShotFields.marks}. */
export const MARK_ANNOTATIONS = [OPERATION_ANNOTATION, REFRESH_MARK_ANNOTATION];

const markSchema = z.object({
  writtenAt: z.iso.datetime(),
  before: z.string(),
});

/** Whether the work contains one-shot fields, which expire. */
export function hasOneShotFields(work: ManifestWork): boolean {
  const { operation, refresh } = oneShotFieldsOf(work);
  return operation !== undefined || refresh !== undefined;
}

/** The one-shot fields of the work's Application. */
export function oneShotFieldsOf(
  work: ManifestWork,
): Pick<OneShotFields, 'operation' | 'refresh'> {
  const payload = applicationManifest(work) as ArgoApplication | undefined;
  return {
    operation: payload?.operation,
    refresh: payload?.metadata.annotations?.[REFRESH_ANNOTATION],
  };
}

/** The work's mark of a one-shot field; undefined if it has none that propagation could have written. */
export function readOneShotMark(
  work: ManifestWork | undefined,
  annotation: string,
): OneShotMark | undefined {
  const text = work?.metadata.annotations?.[annotation];
  if (text === undefined) {
    return undefined;
  }
  try {
    return markSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Anyone can edit annotations. An unreadable mark counts as none.
    return undefined;
  }
}

/** Adds one-shot fields to the Application of a work. */
export function withOneShotFields(
  payload: ArgoApplication,
  { operation, refresh }: Pick<OneShotFields, 'operation' | 'refresh'>,
): ArgoApplication {
  return {
    ...payload,
    ...(operation !== undefined && { operation }),
    ...(refresh !== undefined && {
      metadata: {
        ...payload.metadata,
        annotations: {
          ...payload.metadata.annotations,
          [REFRESH_ANNOTATION]: refresh,
        },
      },
    }),
  };
}

/** The patch that removes the one-shot fields from the hub Application; undefined if it has none. */
export function oneShotFieldsRemoved(
  application: ArgoApplication,
): MergePatch | undefined {
  const refresh = application.metadata.annotations?.[REFRESH_ANNOTATION];
  if (application.operation === undefined && refresh === undefined) {
    return undefined;
  }
  return {
    ...(application.operation !== undefined && { operation: null }),
    ...(refresh !== undefined && {
      metadata: { annotations: { [REFRESH_ANNOTATION]: null } },
    }),
  };
}
