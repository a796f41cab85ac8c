import type { Finding } from 'backstage-plugin-argocd-fleet-common';
import { sameJson } from '../../model/json';

/** What is wrong, as the status of a GitOpsCluster shows it. */
export type Problem = Pick<Finding, 'severity' | 'title'>;

/** What the last reconcile of each key found, for the status of the GitOpsClusters. */
export interface ImportOutcomes {
  /** Undefined for a key that was not reconciled yet; empty if nothing is wrong. */
  of(key: string): readonly Problem[] | undefined;
  set(key: string, problems: readonly Problem[]): void;
  delete(key: string): void;
  /** Calls back with a key whose outcome has changed, until the returned function is called. */
  onChange(listener: (key: string) => void): () => void;
}

const NONE: readonly Problem[] = [];

/** Creates the outcomes of one hub. */
export function createImportOutcomes(): ImportOutcomes {
  const outcomes = new Map<string, readonly Problem[]>();
  const listeners = new Set<(key: string) => void>();
  return {
    of: key => outcomes.get(key),
    set(key, problems) {
      const before = outcomes.get(key);
      const after =
        problems.length > 0
          ? problems.map(({ severity, title }) => ({ severity, title }))
          : NONE;
      if (before && sameJson(before, after)) {
        return;
      }
      outcomes.set(key, after);
      listeners.forEach(listener => listener(key));
    },
    delete: key => void outcomes.delete(key),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
