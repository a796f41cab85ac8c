import { objectKey, type KubernetesError } from '../kubernetes/client';
import { propagatingDeployment } from '../model/delivery';
import { hubFindings } from '../model/findings';
import type { FleetCache } from './fleetCache';
import type { StoredManifestWork } from './transforms';
import type { Deployment, Finding } from 'backstage-plugin-argocd-fleet-common';

/** Detects another controller that writes our ManifestWorks or reports on a hub: two would overwrite each other. */
export interface CompetingController {
  /** Waits until RHACM's Deployment and ConfigMap are read, or cannot be read. */
  prepare(signal: AbortSignal): Promise<void>;
  /** Why propagation must only observe now; undefined while it may write. */
  blocksPropagation(): Finding | undefined;
  /** Why aggregation must only observe now: RHACM writes its reports too, as long as it propagates. */
  blocksAggregation(): Finding | undefined;
  /** The findings of propagation. */
  findings(): readonly Finding[];
  /**
   * Call it for each work whose spec was overwritten, or would be in `observe` mode, with the work as it was before.
   */
  recordOverwrite(work: StoredManifestWork): void;
}

/** So many overwrites of one work by one manager come from a controller: a person changes a work once. */
const MIN_OVERWRITES = 2;

/** Milliseconds after its last write at which the other controller counts as gone. */
const QUIET_MS = 10 * 60 * 1000;

interface SpecOverwrite {
  readonly namespace: string;
  readonly name: string;
  readonly manager: string;
  readonly count: number;
  /** Time of the other manager's last write, RFC 3339. */
  readonly at: string;
}

/** Creates the detection for one hub. */
export function createCompetingController(options: {
  readonly cache: FleetCache;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}): CompetingController {
  const { cache, now = Date.now } = options;
  const overwrites = new Map<string, SpecOverwrite>();

  /** A work that another controller overwrites again and again. */
  function repeatedOverwrite(): SpecOverwrite | undefined {
    if (overwrites.size === 0) {
      return undefined;
    }
    const since = now() - QUIET_MS;
    for (const [key, overwrite] of overwrites) {
      if (Date.parse(overwrite.at) < since) {
        overwrites.delete(key);
      }
    }
    return [...overwrites.values()].find(
      ({ count }) => count >= MIN_OVERWRITES,
    );
  }

  let rhacm: { readonly deployment: Deployment | undefined } | undefined;
  cache.onChange(({ resource }) => {
    if (resource === 'rhacmDeployments' || resource === 'rhacmConfigMaps') {
      rhacm = undefined;
    }
  });

  /** Remembered: it is called for each key, and the ConfigMap has YAML to parse. */
  function rhacmDeployment(): Deployment | undefined {
    rhacm ??= {
      deployment: propagatingDeployment(
        [...cache.rhacmDeployments.list()],
        [...cache.rhacmConfigMaps.list()],
      ),
    };
    return rhacm.deployment;
  }

  let unreadable: KubernetesError | undefined;

  function blocksPropagation(): Finding | undefined {
    const deployment = rhacmDeployment();
    if (deployment) {
      return hubFindings.rhacmPropagates(
        cache.hub,
        deployment.metadata.namespace ?? '',
        deployment.metadata.name,
      );
    }
    const overwrite = repeatedOverwrite();
    return (
      overwrite &&
      hubFindings.worksOverwritten(
        cache.hub,
        overwrite.namespace,
        overwrite.name,
        overwrite.manager,
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
      const deployment = rhacmDeployment();
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
      const sameManager = before?.manager === specWriter.manager;
      overwrites.set(key, {
        namespace,
        name,
        ...specWriter,
        count: sameManager ? before.count + 1 : 1,
      });
    },
  };
}
