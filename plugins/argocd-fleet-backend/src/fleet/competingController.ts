import { objectKey, type KubernetesError } from '../kubernetes/client';
import { propagatingDeployment } from '../model/delivery';
import { hubFindings } from '../model/findings';
import type { FleetCache } from './indexes';
import type { FleetObject } from './resources';
import type { Deployment, Finding } from 'backstage-plugin-argocd-fleet-common';

/** Whether another controller does our work on a hub, so that two would fight over each ManifestWork, or report. */
export interface CompetingController {
  /** Waits until it is known whether RHACM is there, or that it cannot be known. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Why propagation must only observe now; undefined while it may write. */
  blocksPropagation(): Finding | undefined;
  /** Why aggregation must only observe now: RHACM writes its reports too, as long as it propagates. */
  blocksAggregation(): Finding | undefined;
  /** What is to be told of it all to propagation. */
  findings(): readonly Finding[];
  /** To be told of each work that was put right, as it was before; also where that was only withheld. */
  recordOverwrite(work: FleetObject<'works'>): void;
}

/** A writer that undoes what we write is one that does it again: a person changes something once. */
const ROUNDS = 2;

/** Milliseconds after which what was written counts as another quarrel, and a rival that was not heard of again as gone. */
const QUIET_MS = 10 * 60 * 1000;

interface SpecOverwrite {
  readonly namespace: string;
  readonly name: string;
  readonly manager: string;
  readonly rounds: number;
  /** When the other writer last wrote, RFC 3339. */
  readonly at: string;
}

/** Creates the watch over one hub. */
export function createCompetingController(options: {
  readonly cache: FleetCache;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}): CompetingController {
  const { cache, now = Date.now } = options;
  const overwrites = new Map<string, SpecOverwrite>();

  /** Where what we write does not last. */
  function lost(): SpecOverwrite | undefined {
    if (overwrites.size === 0) {
      return undefined;
    }
    const since = now() - QUIET_MS;
    for (const [key, quarrel] of overwrites) {
      if (Date.parse(quarrel.at) < since) {
        overwrites.delete(key);
      }
    }
    return [...overwrites.values()].find(({ rounds }) => rounds >= ROUNDS);
  }

  let read: { readonly found: Deployment | undefined } | undefined;
  cache.onChange(({ resource }) => {
    if (resource === 'rhacmDeployments' || resource === 'rhacmConfigMaps') {
      read = undefined;
    }
  });

  /** Asked for each key, and the switch is a text to be parsed. */
  function rhacm(): Deployment | undefined {
    read ??= {
      found: propagatingDeployment(
        [...cache.rhacmDeployments.list()],
        [...cache.rhacmConfigMaps.list()],
      ),
    };
    return read.found;
  }

  let unreadable: KubernetesError | undefined;

  function blocksPropagation(): Finding | undefined {
    const deployment = rhacm();
    if (deployment) {
      return hubFindings.rhacmPropagates(
        cache.hub,
        deployment.metadata.namespace ?? '',
        deployment.metadata.name,
      );
    }
    const quarrel = lost();
    return (
      quarrel &&
      hubFindings.worksOverwritten(
        cache.hub,
        quarrel.namespace,
        quarrel.name,
        quarrel.manager,
      )
    );
  }

  return {
    async prepare(signal) {
      const outcome = await cache.waitForNamespaceSync(
        ['rhacmDeployments', 'rhacmConfigMaps'],
        '',
        signal,
      );
      unreadable = outcome?.error;
    },
    blocksPropagation,
    blocksAggregation() {
      const deployment = rhacm();
      return (
        deployment &&
        hubFindings.rhacmReports(
          cache.hub,
          deployment.metadata.namespace ?? '',
          deployment.metadata.name,
        )
      );
    },
    findings() {
      const found = blocksPropagation();
      if (found) {
        return [found];
      }
      return unreadable?.kind === 'forbidden'
        ? [
            hubFindings.rhacmUnknown(cache.hub, {
              evidence: unreadable.message,
            }),
          ]
        : [];
    },
    recordOverwrite(work) {
      const { specWriter } = work;
      const key = objectKey(work.metadata);
      const before = overwrites.get(key);
      if (!specWriter || before?.at === specWriter.at) {
        return;
      }
      const { namespace = '', name } = work.metadata;
      const again = before?.manager === specWriter.manager;
      overwrites.set(key, {
        namespace,
        name,
        ...specWriter,
        rounds: again ? before.rounds + 1 : 1,
      });
    },
  };
}
