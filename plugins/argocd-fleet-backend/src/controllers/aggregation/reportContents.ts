import type { MulticlusterApplicationSetReport } from 'backstage-plugin-argocd-fleet-common';
import { FLEET_RESOURCES } from '../../fleet';
import { hasContent, transformReport } from '../../fleet/transforms';
import {
  isKubernetesError,
  objectKey,
  type KubernetesClient,
} from '../../kubernetes/client';
import { sameJson } from '../../model/json';
import { changedParts, listText } from '../../model/report';

type Report = MulticlusterApplicationSetReport;

/** Without statuses if only its metadata are known. */
type KnownReport = Pick<Report, 'metadata'> & Partial<Pick<Report, 'statuses'>>;

/** The contents of the reports of a hub. */
export interface ReportContents {
  /**
   * The statuses of a report in the version that the cache has; read from the hub if they are not known, as after
   * another client wrote it. A list is either as it was written or a fingerprint. Undefined for a report that is gone.
   */
  of(
    report: KnownReport,
    signal: AbortSignal,
  ): Promise<Report['statuses'] | undefined>;
  /** Remembers these statuses for the version of the report that the hub answered with. */
  wrote(answer: Report, statuses: Report['statuses']): void;
  /** @param key - namespace and name */
  forget(key: string): void;
}

interface Known {
  readonly version: string;
  readonly statuses: Report['statuses'];
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

  function remember({ metadata }: Report, statuses: Report['statuses']) {
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
      try {
        const current = transformReport(
          await client.get(
            FLEET_RESOURCES.reports,
            { namespace, name },
            { signal },
          ),
        );
        remember(current, current.statuses);
        return current.statuses;
      } catch (error) {
        if (isKubernetesError(error, 'notFound')) {
          return undefined;
        }
        throw error;
      }
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
