import type {
  Finding,
  ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applicationManifest,
  clusterId,
  hubApplicationOf,
} from '../model/delivery';
import { sharedClusterFindings, type HubClaims } from '../model/manifestwork';
import type { FleetCache } from './fleetCache';

/**
 * What each configured hub has of clusters that another may have too. It is the only state that hubs share: each writes
 * its own entry and reads those of the others, from memory, so that a failing hub delays no other.
 */
export interface ClaimsRegistry {
  set(claims: HubClaims): void;
  othersOf(hub: string): readonly HubClaims[];
  /** To be called when the claims of a hub have changed. */
  changed(hub: string): void;
  /** Calls back when the claims of another hub may have changed. */
  onOtherChange(hub: string, listener: () => void): void;
}

/** Clusters that a hub shares with another configured one. */
export interface SharedClusters {
  findings(): readonly Finding[];
  /** Calls back when the findings may have changed. */
  onChange(listener: () => void): void;
}

/** Creates the registry of all configured hubs. */
export function createClaimsRegistry(): ClaimsRegistry {
  const all = new Map<string, HubClaims>();
  const listeners: { readonly hub: string; readonly call: () => void }[] = [];
  return {
    set: claims => void all.set(claims.hub, claims),
    othersOf: hub => [...all.values()].filter(each => each.hub !== hub),
    changed(hub) {
      for (const listener of listeners) {
        if (listener.hub !== hub) {
          listener.call();
        }
      }
    },
    onOtherChange: (hub, call) => void listeners.push({ hub, call }),
  };
}

/** Milliseconds of changes after which the findings are made anew, from all works: a rollout changes thousands of them. */
const COALESCE_MS = 1_000;

/** Creates the shared clusters of one hub. The findings are made when they are read, and kept until something changes. */
export function createSharedClusters(
  cache: Pick<FleetCache, 'hub' | 'clusters' | 'works' | 'onChange'>,
  registry: ClaimsRegistry,
): SharedClusters {
  const { hub } = cache;
  const clusters = new Map<string, string>();
  const listeners: (() => void)[] = [];
  const own: HubClaims = { hub, clusters, deliveriesTo };
  let known: readonly Finding[] | undefined;
  let timer: NodeJS.Timeout | undefined;

  registry.set(own);
  registry.onOtherChange(hub, changed);
  cache.onChange(event => {
    if (event.resource === 'clusters') {
      const was = event.before && clusterId(event.before);
      const is = event.after && clusterId(event.after);
      if (was === is) {
        return;
      }
      if (was !== undefined && clusters.get(was) === event.key) {
        clusters.delete(was);
        claim(was, cache.clusters.by('id', was)[0]?.metadata.name);
      }
      claim(is, event.key);
      if ([was, is].some(isShared)) {
        changedHere();
      }
    } else if (event.resource === 'works') {
      const { namespace = '' } = (event.after ?? event.before)!.metadata;
      const cluster = cache.clusters.get(namespace);
      if (
        cluster &&
        isShared(clusterId(cluster)) &&
        deliveryOf(event.before) !== deliveryOf(event.after)
      ) {
        changedHere();
      }
    }
  });

  /** A cluster writes its own ID: another one's does not take the place of the first. */
  function claim(id: string | undefined, cluster: string | undefined) {
    if (id !== undefined && cluster !== undefined && !clusters.has(id)) {
      clusters.set(id, cluster);
    }
  }

  function isShared(id: string | undefined): boolean {
    return (
      id !== undefined &&
      registry.othersOf(hub).some(other => other.clusters.has(id))
    );
  }

  function changed() {
    timer ??= setTimeout(() => {
      timer = undefined;
      known = undefined;
      listeners.forEach(listener => listener());
    }, COALESCE_MS).unref();
  }

  function changedHere() {
    changed();
    registry.changed(hub);
  }

  function deliveriesTo(names: ReadonlySet<string>) {
    const deliveries = new Map<string, Map<string, string>>();
    for (const work of cache.works.list()) {
      const cluster = work.metadata.namespace ?? '';
      const application = names.has(cluster) ? deliveryOf(work) : undefined;
      if (application !== undefined) {
        const same = deliveries.get(cluster) ?? new Map<string, string>();
        deliveries.set(cluster, same.set(application, work.metadata.name));
      }
    }
    return deliveries;
  }

  return {
    findings: () =>
      (known ??= sharedClusterFindings(own, registry.othersOf(hub))),
    onChange: listener => void listeners.push(listener),
  };
}

/** `<namespace>/<name>` on the cluster of the Application that a work delivers. */
function deliveryOf(work: ManifestWork | undefined): string | undefined {
  const metadata =
    work && hubApplicationOf(work) && applicationManifest(work)?.metadata;
  return metadata && `${metadata.namespace}/${metadata.name}`;
}
