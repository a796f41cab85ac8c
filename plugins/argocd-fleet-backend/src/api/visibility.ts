import type {
  ApplicationSetList,
  ClusterList,
  ControllerList,
  Finding,
  HubState,
  Inventory,
  NamespacedName,
  ObjectRef,
} from 'backstage-plugin-argocd-fleet-common';
import type {
  ApplicationSetFacts,
  ClusterFacts,
} from 'backstage-plugin-argocd-fleet-node';
import { revealedBy } from '../model/findings';
import type { Decision } from './access';
import type { FleetFacts } from './fleetFacts';
import { NO_HUB } from './fleetViews';

/** What one caller may see of the answers. What may not be seen is neither in an answer nor in its numbers. */
export interface Visibility {
  readonly allClusters: boolean;
  applicationSet(ref: ObjectRef): boolean;
  cluster(hub: string, name: string): boolean;
  /** Those findings of a cluster that the caller may see: each is about an ApplicationSet. */
  clusterFindings(
    cluster: { readonly hub: string; readonly name: string },
    findings: readonly Finding[],
  ): Finding[];
  hubStates(states: readonly HubState[]): HubState[];
  applicationSetList(list: ApplicationSetList): ApplicationSetList;
  clusterList(list: ClusterList): ClusterList;
  controllerList(list: ControllerList): ControllerList;
  inventory(inventory: Inventory): Inventory;
}

/** `next` of an answer that is not everything: every answer to it is full again. */
const NO_TOKEN = 'filtered';

/** What others see of a hub's state: without addresses, file paths and account names. */
const GENERAL_MESSAGE =
  'The hub does not answer: what is shown is the last that was known of it. Administrators of this portal see the reason.';
const GENERAL_UNREAD =
  'Some resources of the hub cannot be read, so not everything is shown. Administrators of this portal see the reason.';

const GENERAL_ERROR =
  'The last attempt failed. Administrators of this portal see the reason.';

/** Creates what a caller sees by these decisions. */
export function createVisibility(
  decisions: {
    readonly sets: Decision<ApplicationSetFacts>;
    readonly clusters: Decision<ClusterFacts>;
    readonly hubs: Decision<unknown>;
  },
  facts: FleetFacts,
): Visibility {
  const { sets, clusters, hubs } = decisions;
  const seesAll = sets.all && clusters.all;

  function applicationSet(ref: ObjectRef): boolean {
    return sets.all || sets.allows(facts.applicationSet(ref));
  }

  function cluster(hub: string, name: string): boolean {
    return clusters.all || clusters.allows(facts.cluster(hub, name));
  }

  /** Thousands of clusters have the same ApplicationSets: each is decided once, by the identity of its reference. */
  function withVisibleSets<
    T extends {
      readonly hub: string;
      readonly name: string;
      readonly applicationSets: readonly NamespacedName[];
    },
  >(items: readonly T[]): T[] {
    const known = new Map<NamespacedName, boolean>();
    function isVisible(hub: string, ref: NamespacedName): boolean {
      let visible = known.get(ref);
      if (visible === undefined) {
        visible = applicationSet({ hub, ...ref });
        known.set(ref, visible);
      }
      return visible;
    }
    const made: T[] = [];
    for (const item of items) {
      if (cluster(item.hub, item.name)) {
        const seen = sets.all
          ? item.applicationSets
          : item.applicationSets.filter(ref => isVisible(item.hub, ref));
        made.push(
          seen.length === item.applicationSets.length
            ? item
            : { ...item, applicationSets: seen },
        );
      }
    }
    return made;
  }

  /** Whoever sees a cluster need not see what others deliver there: a finding is shown with what it is about. */
  function isFindingVisible(hub: string, { object }: Finding): boolean {
    const { kind, namespace = '', name = '' } = object ?? {};
    switch (kind) {
      case 'ApplicationSet':
        return applicationSet({ hub, namespace, name });
      case 'Application':
        // A standalone one has neither the labels nor the owner of an ApplicationSet.
        return applicationSet({ hub, namespace, name: '' });
      case 'ManagedCluster':
        // About the cluster itself, which the caller sees: it shows nothing of what is delivered there.
        return true;
      default:
        return sets.all;
    }
  }

  function visibleFindings(
    { hub, name }: { readonly hub: string; readonly name: string },
    findings: readonly Finding[],
  ): Finding[] {
    return cluster(hub, name)
      ? findings.filter(finding => isFindingVisible(hub, finding))
      : [];
  }

  function hubState(state: HubState): HubState {
    if (!hubs.all) {
      return state === NO_HUB ? state : generalState(state);
    }
    // They are about everybody's objects.
    const isVisible = ({ code }: Finding) => {
      const revealed = revealedBy(code);
      return (
        revealed === 'nothing' ||
        (clusters.all && (sets.all || revealed === 'clusters'))
      );
    };
    return state.findings
      ? { ...state, findings: state.findings.filter(isVisible) }
      : state;
  }

  const hubStates = (states: readonly HubState[]) => states.map(hubState);

  return {
    allClusters: clusters.all,
    applicationSet,
    cluster,
    clusterFindings: visibleFindings,
    hubStates,
    applicationSetList: ({ items, hubs: states, findings }) => ({
      items: sets.all ? items : items.filter(({ ref }) => applicationSet(ref)),
      hubs: hubStates(states),
      // They name and count ApplicationSets of everybody.
      ...(findings && { findings: sets.all ? findings : [] }),
    }),
    clusterList: ({ items, hubs: states }) => ({
      items: withVisibleSets(items).map(item =>
        item.findings.length > 0
          ? { ...item, findings: visibleFindings(item, item.findings) }
          : item,
      ),
      hubs: hubStates(states),
    }),
    controllerList: ({ items, hubs: states }) => ({
      items: hubs.all ? items : items.map(generalStatus),
      hubs: hubStates(states),
    }),
    inventory: inventory => ({
      ...inventory,
      hubs: hubStates(inventory.hubs),
      ...(!seesAll && {
        next: NO_TOKEN,
        clusters: withVisibleSets(inventory.clusters),
        applicationSets: inventory.applicationSets.filter(({ ref }) =>
          applicationSet(ref),
        ),
      }),
    }),
  };
}

function generalStatus({
  lastError,
  findings,
  ...status
}: ControllerList['items'][number]) {
  return {
    ...status,
    ...(lastError !== undefined && { lastError: GENERAL_ERROR }),
    findings: findings.map(({ evidence: _, ...finding }) => finding),
  };
}

function generalState({ name, state, since, unread, message }: HubState) {
  return {
    name,
    state,
    since,
    unread,
    ...(state === 'unreachable' && { message: GENERAL_MESSAGE }),
    ...(state === 'starting' && message && { message }),
    ...(state === 'ready' &&
      unread &&
      unread.length > 0 && { message: GENERAL_UNREAD }),
  } satisfies HubState;
}
