import type { ManifestWork } from 'backstage-plugin-argocd-fleet-common';
import type { FleetEvent } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import { operationStartOf } from '../../model/feedback';

/** Argo CD tells a start in whole seconds. */
const SECOND_MS = 1_000;

/** When clusters last told that an operation began. */
export interface OperationStarts {
  /** Takes note of a change of the cache. */
  noticed(change: FleetEvent): void;
  /** Milliseconds for which no other operation may be sent with a work; 0 where one may. */
  waitOf(work: ManifestWork): number;
}

/**
 * An operation is known by its start. One that begins in the second of the one before would never count as begun: its work would carry
 * it on, and for that swallow the next one that is asked for. What is sent a second after the hub was told begins in another second,
 * whatever the cluster's clock says.
 */
export function createOperationStarts(): OperationStarts {
  /** By the work's key; nothing that is longer ago than a second. */
  const toldAt = new Map<string, number>();

  return {
    noticed(change) {
      if (change.resource !== 'works' || !change.after) {
        return;
      }
      const { key, before, after } = change;
      const start = operationStartOf(after);
      if (start && start !== (before && operationStartOf(before))) {
        const now = performance.now();
        for (const [other, at] of toldAt) {
          if (now < at + SECOND_MS) {
            // In the order of time, as a key that is told anew goes to the end.
            break;
          }
          toldAt.delete(other);
        }
        toldAt.delete(key);
        toldAt.set(key, now);
      }
    },
    waitOf({ metadata }) {
      const at = toldAt.get(objectKey(metadata));
      return at === undefined
        ? 0
        : Math.max(0, at + SECOND_MS - performance.now());
    },
  };
}
