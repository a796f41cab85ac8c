import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES } from '../../fleet';
import {
  hasContent,
  transformReport,
  type StoredReport,
  type StoredStatuses,
} from '../../fleet/transforms';
import {
  findObject,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import { sameJson } from '../../model/json';
import { changedParts, listText } from '../../model/report';

type Report = MulticlusterApplicationSetReport;

/** As they were written, or as the cache stores them. */
export type KnownStatuses = Report['statuses'] | StoredStatuses;

/** The contents of the reports of a hub. */
export interface ReportContents {
  /**
   * The statuses of a report in the version that the cache has; read from the hub if they are not known, as after
   * another client wrote it. A list is either as it was written or a fingerprint. Undefined for a report that is gone.
   */
  of(
    report: StoredReport,
    signal: AbortSignal,
  ): Promise<KnownStatuses | undefined>;
  /** Remembers these statuses for the version of the report that the hub answered with. */
  wrote(answer: Report, statuses: Report['statuses']): void;
  /** @param key - namespace and name */
  forget(key: string): void;
}

interface Known {
  readonly version: string;
  readonly statuses: KnownStatuses;
}

/**
 * Remembers what was written. Watches and the answers to writes bring only the version of a report: a third of a
 * megabyte for each thousand clusters would have to be read twice for each change of one of them.
 */
export function createReportContents(options: {
  readonly client: KubernetesClient;
}): ReportContents {
  const { client } = options;
  const known = new Map<string, Known>();

  function remember(
    { metadata }: Pick<Report, 'metadata'>,
    statuses: KnownStatuses,
  ) {
    known.set(objectKey(metadata), { version: versionOf(metadata), statuses });
  }

  return {
    async of(report, signal) {
      const { metadata, statuses } = report;
      const last = known.get(objectKey(metadata));
      if (last?.version === versionOf(metadata)) {
        return last.statuses;
      }
      if (statuses) {
        return statuses;
      }
      const { namespace, name } = metadata;
      const stored = await findObject(
        client,
        FLEET_RESOURCES.reports,
        { namespace, name },
        { signal },
      );
      if (!stored) {
        return undefined;
      }
      const kept = transformReport(stored);
      if (kept.statuses) {
        remember(kept, kept.statuses);
      }
      return kept.statuses;
    },
    wrote: remember,
    forget: key => void known.delete(key),
  };
}

function versionOf({ uid, resourceVersion }: Report['metadata']): string {
  return `${uid} ${resourceVersion}`;
}

/** Whether a field of a report, as {@link ReportContents} returns it, has the desired value. */
export function isSame(existing: unknown, desired: unknown): boolean {
  if (!Array.isArray(desired)) {
    return sameJson(existing, desired);
  }
  return Array.isArray(existing)
    ? changedParts(existing, desired)?.length === 0
    : hasContent(existing, listText(desired));
}
