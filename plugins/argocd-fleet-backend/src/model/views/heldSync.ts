import type {
  ArgoApplicationSpec,
  DeliveryStep,
  Finding,
  NamespacedName,
} from 'backstage-plugin-argocd-fleet-common';
import type { ApplicationState } from '../feedback';
import { clusterFindings } from '../findings';
import type { FleetApplication } from './fleetApplication';

/** Argo CD's messages about a running operation that does nothing at present, by their beginnings. */
const WINDOW_MESSAGE = 'Sync operation blocked by sync window';
const CONFIRMATION_MESSAGE = 'Waiting for pruning confirmation of ';

/** Why a cluster stays out of sync although nothing failed, and whether a person is awaited. */
export interface HeldSync {
  readonly state: Extract<DeliveryStep['state'], 'paused' | 'blocked'>;
  readonly finding: Finding;
}

/**
 * Why an Application that is out of sync does not become synced by itself; undefined where it does, as far as is known.
 * A closed sync window is known of an operation that was started, not of an automated sync that does not start.
 * @param options - names of the cluster, and of the Application on the hub and where Argo CD reconciles it
 */
export function heldSync(
  state: ApplicationState,
  { syncPolicy }: ArgoApplicationSpec,
  options: {
    readonly cluster: string;
    readonly onHub: Required<NamespacedName>;
    readonly application: Required<NamespacedName>;
    /** Its AppProject. */
    readonly project: string;
    readonly rollingSync?: FleetApplication['rollingSync'];
  },
): HeldSync | undefined {
  const { cluster, application, rollingSync } = options;
  if (state.sync !== 'OutOfSync') {
    return undefined;
  }
  if (state.phase === 'Running') {
    const evidence = state.operationMessage ?? '';
    if (evidence.startsWith(WINDOW_MESSAGE)) {
      const finding = clusterFindings.syncWindowClosed(
        cluster,
        { namespace: application.namespace, name: options.project },
        { evidence },
        rollingSync,
      );
      return { state: 'blocked', finding };
    }
    return evidence.startsWith(CONFIRMATION_MESSAGE)
      ? {
          state: 'paused',
          finding: clusterFindings.pruningUnconfirmed(cluster, application, {
            evidence,
          }),
        }
      : undefined;
  }
  if (state.phase === 'Terminating' || rollingSync?.step !== undefined) {
    return undefined;
  }
  if (rollingSync) {
    const finding = clusterFindings.inNoStep(cluster, options.onHub);
    return { state: 'paused', finding };
  }
  const { automated } = (syncPolicy ?? {}) as { automated?: Automated };
  if (!automated || automated.enabled === false) {
    const finding = clusterFindings.outOfSync(cluster, options.onHub);
    return { state: 'paused', finding };
  }
  const prunes = automated.prune === true;
  if (!prunes && isOnlyPruningLeft(state)) {
    // Argo CD starts no automated sync for that.
    return {
      state: 'blocked',
      finding: clusterFindings.onlyPruningLeft(cluster),
    };
  }
  if (!hasSyncedWanted(state)) {
    return undefined;
  }
  if (automated.selfHeal !== true) {
    const finding = clusterFindings.selfHealOff(cluster, prunes);
    return { state: 'blocked', finding };
  }
  // With both, Argo CD is about to heal what differs.
  return prunes
    ? undefined
    : { state: 'blocked', finding: clusterFindings.onlyPruningLeft(cluster) };
}

interface Automated {
  readonly enabled?: boolean;
  readonly prune?: boolean;
  readonly selfHeal?: boolean;
}

/** As far as all resources are known; clusters with an older version of the digest do not say it. */
function isOnlyPruningLeft({
  resources,
  resourcesOmitted,
}: ApplicationState): boolean {
  const differing = resources.filter(({ sync }) => sync === 'OutOfSync');
  return (
    resourcesOmitted === 0 &&
    differing.length > 0 &&
    differing.every(({ requiresPruning }) => requiresPruning)
  );
}

/** Whether the last sync was of what Argo CD compares with: an automated sync does not repeat that. */
function hasSyncedWanted({
  phase,
  history,
  revision,
  revisions = [],
}: ApplicationState): boolean {
  const [last] = history;
  if (phase !== 'Succeeded' || !last) {
    return false;
  }
  return revisions.length > 0
    ? revisions.join() === last.revisions?.join()
    : revision !== undefined && revision === last.revision;
}
