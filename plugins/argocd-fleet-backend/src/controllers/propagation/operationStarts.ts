import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import { operationStarted, type FleetEvent } from '../../fleet';
import { objectKey } from '../../kubernetes/client';

/** Argo CD reports the start of an operation in whole seconds. */
const SECOND_MS = 1_000;

/** When clusters last reported that an operation began. */
export interface OperationStarts {
  /** Must be called with each event of the cache. */
  observe(event: FleetEvent): void;
  /** Milliseconds during which no other operation may be sent with a work; 0 if one may be sent. */
  waitOf(work: ManifestWork): number;
}

/**
 * An operation is identified by its start. One that begins in the same second as the one before would never count as
 * begun: its work would keep carrying it and drop the next one that is requested. What is sent a second after the hub
 * received the report begins in another second, whatever the cluster's clock says.
 */
export function createOperationStarts(): OperationStarts {
  /** By the work's key, in the order of time; entries older than a second are dropped. */
  const reportedAt = new Map<string, number>();

  return {
    observe(event) {
      if (event.resource !== 'works' || !operationStarted(event)) {
        return;
      }
      const now = performance.now();
      for (const [key, at] of reportedAt) {
        if (now < at + SECOND_MS) {
          break;
        }
        reportedAt.delete(key);
      }
      reportedAt.delete(event.key);
      reportedAt.set(event.key, now);
    },
    waitOf({ metadata }) {
      const at = reportedAt.get(objectKey(metadata));
      return at === undefined
        ? 0
        : Math.max(0, at + SECOND_MS - performance.now());
    },
  };
}
