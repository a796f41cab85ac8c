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
import {
  changedParts,
  listText,
  type ReportParts,
  type SameField,
  type WrittenReport,
} from '../../model/report';

type Report = MulticlusterApplicationSetReport;

/** As they were written, or as the cache stores them. */
export type KnownStatuses = Report['statuses'] | StoredStatuses;

/** Contents of a report, as they were written or as the cache stores them. */
export interface ReportContent {
  readonly statuses: Report['statuses'] | StoredStatuses;
  /** The parts of its lists as they were written; undefined where the lists are known as fingerprints only. */
  readonly parts?: ReportParts;
}

/** The contents of the reports of a hub. */
export interface ReportContents {
  /**
   * The content of a report in the version that the cache has; read from the hub if it is not known, as after another
   * client wrote it. Undefined for a report that is gone.
   */
  of(
    report: StoredReport,
    signal: AbortSignal,
  ): Promise<ReportContent | undefined>;
  /** Remembers what was written, with the version in the hub's answer. */
  wrote(answer: Report, desired: WrittenReport): void;
  /** @param key - namespace and name */
  forget(key: string): void;
}

interface Known {
  readonly version: string;
  readonly content: ReportContent;
}

/**
 * Remembers what was written. Watch events and answers to writes are kept without a report's lists, only with its
 * version. Without this memory, a third of a megabyte for each thousand clusters would have to be read twice for each
 * change of one of them.
 */
export function createReportContents(options: {
  readonly client: KubernetesClient;
}): ReportContents {
  const { client } = options;
  const known = new Map<string, Known>();

  function remember(
    { metadata }: Pick<Report, 'metadata'>,
    content: ReportContent,
  ) {
    known.set(objectKey(metadata), { version: versionOf(metadata), content });
  }

  return {
    async of(report, signal) {
      const { metadata, statuses } = report;
      const last = known.get(objectKey(metadata));
      if (last?.version === versionOf(metadata)) {
        return last.content;
      }
      if (statuses) {
        return { statuses };
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
      if (!kept.statuses) {
        return undefined;
      }
      const content = { statuses: kept.statuses };
      remember(kept, content);
      return content;
    },
    wrote: (answer, { report: { statuses }, parts }) =>
      remember(answer, { statuses, parts }),
    forget: key => void known.delete(key),
  };
}

function versionOf({ uid, resourceVersion }: Report['metadata']): string {
  return `${uid} ${resourceVersion}`;
}

/** Compares the fields of a report with those that it should have. */
export function compareFields(
  existing: ReportContent,
  desired: WrittenReport,
): SameField {
  return (before, after, field) => {
    if (field !== 'clusterConditions' && field !== 'resources') {
      return sameJson(before, after);
    }
    const parts = desired.parts[field];
    return existing.parts
      ? changedParts(existing.parts[field], parts)?.length === 0
      : hasContent(before, listText(parts));
  };
}
