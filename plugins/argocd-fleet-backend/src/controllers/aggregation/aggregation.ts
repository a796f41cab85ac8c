import { createHash } from 'node:crypto';
import {
  HOSTING_APPLICATION_SET_LABEL,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  type MulticlusterApplicationSetReport,
} from 'backstage-plugin-argocd-fleet-common';
import { yieldToEventLoop } from '../../async';
import type {
  FleetCache,
  FleetReader,
  ResourceDetails,
  CompetingController,
} from '../../fleet';
import type { StoredReport } from '../../fleet/transforms';
import { parseKey, type KubernetesClient } from '../../kubernetes/client';
import {
  aggregateReport,
  listText,
  reportPatch,
  rowOperations,
  type WrittenReport,
} from '../../model/report';
import {
  createRewriteDamper,
  mapEventToKeys,
  objectOfKind,
  undoneFinding,
  type Controller,
  type ReconcileContext,
  type ReconcileResult,
} from '../../runtime';
import { aggregationWatches } from './aggregationWatches';
import {
  compareFields,
  createReportContents,
  type ReportContent,
} from './reportContents';
import { createReportPacing } from './reportPacing';
import { createReportRows } from './reportRows';

/**
 * Keeps one MulticlusterApplicationSetReport for each ApplicationSet with pulled Applications. A key is an
 * ApplicationSet that exists or of which only the report exists.
 *
 * A report is removed only if it carries both labels that we set: its ApplicationSet, and the controller that created
 * it. One that RHACM created is taken over, label included, with the first change that it needs; until then we do not
 * remove it.
 */
export function createAggregation(options: {
  readonly cache: FleetCache;
  readonly reader: FleetReader;
  readonly client: KubernetesClient;
  readonly competitor: CompetingController;
  readonly details?: ResourceDetails;
  /** Whether other controllers have writes to make on this hub: a report waits for them. */
  readonly hasUrgentWrites?: () => boolean;
}): Controller {
  const {
    cache,
    reader,
    client,
    competitor,
    details,
    hasUrgentWrites = () => false,
  } = options;
  const rows = createReportRows({ cache, reader });
  const contents = createReportContents({ client });
  const pacing = createReportPacing(hasUrgentWrites);
  const damper = createRewriteDamper();
  /** Keys of the reports that are being written. */
  const writing = new Set<string>();
  const watches = aggregationWatches({
    cache,
    reader,
    rows,
    details,
    isBeingWritten: key => writing.has(key),
  });
  /**
   * Number of the last event that concerned an ApplicationSet; a list of all that its report depends on would be long.
   */
  const lastEvents = new Map<string, number>();
  let events = 0;
  const noteEvent = (keys: Iterable<string>) => {
    for (const key of keys) {
      events += 1;
      lastEvents.set(key, events);
      pacing.changed(key);
    }
  };
  // Also between runs: the next run must not skip what was invalidated then.
  cache.onChange(event => noteEvent(mapEventToKeys(watches, event)));
  watches.onOutsideEvent?.(noteEvent);

  async function reconcile(
    key: string,
    { writer, signal }: ReconcileContext,
  ): Promise<ReconcileResult> {
    const wait = pacing.waitOf(key);
    if (wait > 0) {
      return { requeueAfterMs: wait };
    }
    const startedAt = performance.now();
    const reported = await rows.of(key);
    // The report of thousands of rows takes a turn of its own.
    await yieldToEventLoop();
    const existing = cache.reports.get(key);
    if (reported.length === 0) {
      lastEvents.delete(key);
      pacing.forget(key);
      contents.forget(key);
      if (existing && isOurs(existing)) {
        await writer.delete('reports', existing);
      }
      return {};
    }
    const desired = aggregateReport(parseKey(key), reported);
    const patch =
      existing &&
      patchOf(existing, await contents.of(existing, signal), desired);
    if (existing && !patch) {
      pacing.unchanged(key);
      return {};
    }
    const { waitMs, stored } = await damper.write(
      key,
      contentOf(desired),
      async () => {
        writing.add(key);
        try {
          return existing && patch
            ? await writer.patch('reports', existing, patch)
            : await writer.create('reports', withMark(desired.report));
        } finally {
          writing.delete(key);
        }
      },
    );
    if (waitMs > 0) {
      return { requeueAfterMs: waitMs };
    }
    // Nothing is stored in `observe` mode, and a wait would drop the finding about the withheld write.
    if (!stored) {
      return {};
    }
    contents.wrote(stored, desired);
    pacing.wrote(key, performance.now() - startedAt);
    // Its events were ignored during the write: another client may have changed it meanwhile.
    return isStored(key, stored) ? {} : { requeueAfterMs: pacing.waitOf(key) };
  }

  function isStored(
    key: string,
    { metadata }: MulticlusterApplicationSetReport,
  ): boolean {
    return (
      cache.reports.get(key)?.metadata.resourceVersion ===
      metadata.resourceVersion
    );
  }

  return {
    name: 'aggregation',
    watches,
    failureContext: {
      objectOf: objectOfKind('ApplicationSet'),
      rbacFile: 'aggregation.yaml',
    },
    hubChecks: {
      prepare: ({ signal }) => competitor.prepare(signal),
      writeBlockedBy: competitor.blocksAggregation,
      findings: () => [
        ...[competitor.blocksAggregation() ?? []].flat(),
        ...undoneFinding(
          cache.hub,
          { kind: 'MulticlusterApplicationSetReport' },
          damper.contested(),
        ),
      ],
    },
    *listKeys() {
      yield* cache.applications.values('applicationSet');
      yield* cache.reports.keys();
    },
    dependencies: key =>
      pacing.waitOf(key) > 0 || damper.isWaiting(key)
        ? undefined
        : [lastEvents.get(key)],
    reconcile,
  };
}

/** By the row as it was made: of thousands, few change between two writes. */
const rowDigests = new WeakMap<object, string>();

function rowDigest(row: WrittenReport['parts']['clusterConditions'][number]) {
  const known = rowDigests.get(row);
  const digest = known ?? createHash('sha1').update(row.text).digest('base64');
  if (known === undefined) {
    rowDigests.set(row, digest);
  }
  return digest;
}

/** Fingerprint of a report as it is wanted. */
function contentOf({ report, parts }: WrittenReport): string {
  const { metadata, statuses } = report;
  return createHash('sha1')
    .update(JSON.stringify([metadata.labels, statuses?.summary]))
    .update(parts.clusterConditions.map(rowDigest).join(''))
    .update(listText(parts.resources))
    .digest('hex');
}

/** @param content - undefined where the report is gone */
function patchOf(
  existing: StoredReport,
  content: ReportContent | undefined,
  desired: WrittenReport,
) {
  const patch =
    content &&
    reportPatch(
      { ...existing, statuses: content.statuses },
      desired.report,
      compareFields(content, desired),
    );
  if (!patch) {
    return undefined;
  }
  return isOurs(existing)
    ? (rowOperations(patch, content.parts, desired) ?? patch)
    : withMark(patch);
}

function isOurs({ metadata }: StoredReport): boolean {
  return (
    metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY &&
    metadata.labels[HOSTING_APPLICATION_SET_LABEL] !== undefined
  );
}

/** Marks a report, or a patch of one, as made by us. */
function withMark<T extends { readonly metadata?: unknown }>(object: T): T {
  const metadata = object.metadata as
    { readonly labels?: Readonly<Record<string, string>> } | undefined;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...metadata?.labels, [MANAGED_BY_LABEL]: MANAGED_BY },
    },
  };
}
