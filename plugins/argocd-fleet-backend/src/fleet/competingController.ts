import { objectKey, type KubernetesError } from '../kubernetes/client';
import { deploymentsLikeRhacm, propagatingDeployment } from '../model/delivery';
import { hubFindings, writerFindings } from '../model/findings';
import type { FleetCache } from './fleetCache';
import type { StoredManifestWork } from './transforms';
import type {
  Deployment,
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';

/** Detects another controller that writes our ManifestWorks or reports on a hub: two would overwrite each other. */
export interface CompetingController {
  /** Waits until RHACM's Deployment and ConfigMap are read, or cannot be read. */
  prepare(signal: AbortSignal): Promise<void>;
  /**
   * Why propagation must only observe now; undefined while it may write.
   * @param namespaces - of the clusters that are written to; without it, of the hub as a whole
   */
  blocksPropagation(namespaces?: () => Iterable<string>): Finding | undefined;
  /** Why aggregation must only observe now: RHACM writes its reports too, as long as it propagates. */
  blocksAggregation(): Finding | undefined;
  /** The findings of propagation. */
  findings(): readonly Finding[];
  /**
   * Call it for each work whose spec was overwritten, or would be in `observe` mode.
   * @param before - the work as it was
   * @param written - the work as it was stored by us; undefined where nothing was written
   */
  recordOverwrite(
    before: StoredManifestWork,
    written: ManifestWork | undefined,
  ): void;
}

/** So many overwrites of one work come from a controller: a person changes a work once. */
const MIN_OVERWRITES = 2;

/**
 * Where the works of so many clusters are overwritten, the writer works on the hub: at least three, and this share of
 * all. The agent of a cluster, which may be compromised, can write the works of that cluster only, and a few of them must
 * not stop those of thousands.
 */
const MIN_CLUSTERS = 3;
const MIN_CLUSTER_SHARE = 0.05;

/** Milliseconds after its last write at which the other controller counts as gone. */
const QUIET_MS = 10 * 60 * 1000;

/** The spec of a work, as last seen or written by us, and how often others overwrote it. */
interface SeenSpec {
  readonly namespace: string;
  readonly name: string;
  /** Field manager of the last other writer, where the work says it. */
  readonly manager?: string;
  readonly overwrites: number;
  /** The API server counts it: whoever writes the work cannot set it. */
  readonly generation: number;
  /** When it was seen, in milliseconds since the epoch by our clock: a writer can give its own time any value. */
  readonly at: number;
}

/** Creates the detection for one hub. */
export function createCompetingController(options: {
  readonly cache: FleetCache;
  /** Only there RHACM's Deployment and ConfigMap count. */
  readonly rhacmNamespace: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}): CompetingController {
  const { cache, rhacmNamespace, now = Date.now } = options;
  const { hub } = cache;
  /** By work, those seen last at the end. */
  const seen = new Map<string, SeenSpec>();
  /** The last one that was overwritten again, by namespace. */
  const contested = new Map<string, SeenSpec>();

  function isQuiet({ at }: SeenSpec): boolean {
    return at < now() - QUIET_MS;
  }

  function forgetQuiet() {
    for (const [key, work] of seen) {
      if (!isQuiet(work)) {
        break;
      }
      seen.delete(key);
    }
    for (const [namespace, work] of contested) {
      if (isQuiet(work)) {
        contested.delete(namespace);
      }
    }
  }

  let rhacm: { readonly deployment: Deployment | undefined } | undefined;
  cache.onChange(({ resource, key }) => {
    if (
      (resource === 'rhacmDeployments' || resource === 'rhacmConfigMaps') &&
      key.startsWith(`${rhacmNamespace}/`)
    ) {
      rhacm = undefined;
    }
  });

  /** Remembered: it is called for each key, and the ConfigMap has YAML to parse. */
  function rhacmDeployment(): Deployment | undefined {
    rhacm ??= {
      deployment: propagatingDeployment(
        rhacmNamespace,
        cache.rhacmDeployments.list(),
        [...cache.rhacmConfigMaps.list()],
      ),
    };
    return rhacm.deployment;
  }

  function ignoredFindings(): Finding[] {
    const namespaces = deploymentsLikeRhacm(
      rhacmNamespace,
      cache.rhacmDeployments.list(),
    ).map(({ metadata }) => metadata.namespace ?? '');
    return namespaces.length > 0
      ? [
          writerFindings.notRhacm(
            hub,
            { namespaces: namespaces.sort() },
            rhacmNamespace,
          ),
        ]
      : [];
  }

  let unreadable: KubernetesError | undefined;

  function blocksHub(): Finding | undefined {
    const deployment = rhacmDeployment();
    if (deployment) {
      return hubFindings.rhacmPropagates(
        hub,
        deployment.metadata.namespace ?? '',
        deployment.metadata.name,
      );
    }
    const [work] = contested.values();
    const enough = Math.max(
      MIN_CLUSTERS,
      cache.clusters.size * MIN_CLUSTER_SHARE,
    );
    return contested.size < enough
      ? undefined
      : hubFindings.worksOverwritten(hub, work, work.manager, 'hub');
  }

  function overwrittenFor(work: SeenSpec): Finding {
    return hubFindings.worksOverwritten(hub, work, work.manager, 'cluster');
  }

  return {
    async prepare(signal) {
      const [deployments, configMaps] = await Promise.all([
        cache.waitForNamespaceSync(['rhacmDeployments'], '', signal),
        cache.waitForNamespaceSync(['rhacmConfigMaps'], rhacmNamespace, signal),
      ]);
      unreadable = (deployments ?? configMaps)?.error;
    },
    blocksPropagation(namespaces) {
      forgetQuiet();
      const forHub = blocksHub();
      if (forHub || !namespaces || contested.size === 0) {
        return forHub;
      }
      for (const namespace of namespaces()) {
        const work = contested.get(namespace);
        if (work) {
          return overwrittenFor(work);
        }
      }
      return undefined;
    },
    blocksAggregation() {
      const deployment = rhacmDeployment();
      return (
        deployment &&
        hubFindings.rhacmReports(
          hub,
          deployment.metadata.namespace ?? '',
          deployment.metadata.name,
        )
      );
    },
    findings() {
      forgetQuiet();
      const forHub = blocksHub();
      if (forHub) {
        return [forHub, ...ignoredFindings()];
      }
      return [
        ...[...contested.values()].map(overwrittenFor),
        ...ignoredFindings(),
        ...(unreadable?.kind === 'forbidden'
          ? [hubFindings.rhacmUnknown(hub, { evidence: unreadable.message })]
          : []),
      ];
    },
    recordOverwrite(before, written) {
      const { namespace = '', name, generation = 0 } = before.metadata;
      const key = objectKey(before.metadata);
      const known = seen.get(key);
      // The field managers of a work can be forged by whoever may write it, but only they show the first overwrite.
      const isOverwritten = known
        ? generation > known.generation
        : before.specWriter !== undefined;
      const work = {
        namespace,
        name,
        manager: before.specWriter?.manager ?? known?.manager,
        overwrites: (known?.overwrites ?? 0) + (isOverwritten ? 1 : 0),
        generation: Math.max(generation, written?.metadata.generation ?? 0),
        at: isOverwritten || !known ? now() : known.at,
      };
      if (isOverwritten) {
        seen.delete(key);
      }
      seen.set(key, work);
      if (isOverwritten && work.overwrites >= MIN_OVERWRITES) {
        contested.set(namespace, work);
      }
    },
  };
}
