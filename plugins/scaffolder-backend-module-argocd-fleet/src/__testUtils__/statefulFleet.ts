import type {
  ApplicationSetDetail,
  ArgocdFleetClient,
  ObjectRef,
  PlacementInUse,
  PlacementSelection,
  Release,
} from 'backstage-plugin-argocd-fleet-common';
import { refused } from './actionRun';
import { applicationSetOn, onCluster } from './applicationSet';

interface Set {
  readonly placement: string;
  readonly body?: unknown;
  release?: Release;
  /** Requests until the controllers have stored the order. */
  storedIn?: number;
  /** Requests until it is gone. */
  goneIn?: number;
}

/** What is on a hub. */
export interface StatefulFleet {
  readonly placements: Map<string, PlacementSelection>;
  readonly sets: Map<string, Set>;
  /** What was created, changed and deleted, in the order. */
  readonly effects: string[];
  readonly client: Partial<ArgocdFleetClient>;
}

/** Clusters that a selection has: one for each label. */
const clustersOf = ({ matchLabels = {} }: PlacementSelection) =>
  Object.values(matchLabels);

const names = (list: readonly string[]) => ({
  count: list.length,
  names: [...list],
});

const missing = (kind: string, { name }: ObjectRef) =>
  refused(404, `There is no ${kind} ${name}`);

/** A stand-in for the API with the states that its answers depend on. An order is stored, and a set gone, some requests later. */
export function createStatefulFleet(): StatefulFleet {
  const placements = new Map<string, PlacementSelection>();
  const sets = new Map<string, Set>();
  const effects: string[] = [];
  const imported: string[] = [];
  /** Clusters that a set of the Placement has left, and which still end there. */
  const leaving = new Map<string, string[]>();

  async function find(ref: ObjectRef): Promise<Set> {
    const set = sets.get(ref.name);
    if (!set) {
      throw await missing('ApplicationSet', ref);
    }
    return set;
  }

  function write<T>(map: Map<string, T>, ref: ObjectRef, value: T) {
    const before = map.get(ref.name);
    if (JSON.stringify(before) === JSON.stringify(value)) {
      return { ref, result: 'unchanged' as const };
    }
    const result = before ? ('updated' as const) : ('created' as const);
    effects.push(`${result} ${ref.name}`);
    map.set(ref.name, value);
    return { ref, result };
  }

  const client: Partial<ArgocdFleetClient> = {
    async putPlacement(ref, body) {
      const before = placements.get(ref.name);
      if (before) {
        const stays = clustersOf(body);
        const left = clustersOf(before).filter(each => !stays.includes(each));
        leaving.set(ref.name, [...(leaving.get(ref.name) ?? []), ...left]);
      }
      return write(placements, ref, body);
    },
    async putApplicationSet(ref, body) {
      return write(sets, ref, { placement: body.placement, body });
    },
    async putGitOpsCluster(ref, { placement }) {
      if (imported.includes(placement)) {
        return { ref, result: 'unchanged' };
      }
      imported.push(placement);
      effects.push(`imported ${placement}`);
      return { ref, result: 'created' };
    },
    async renderManifests(ref, { applicationSet }) {
      if (sets.has(ref.name)) {
        throw await refused(409, 'exists already');
      }
      const manifest = (kind: string, name: string) => ({
        ...{ apiVersion: 'v1', kind, metadata: { name }, spec: {} },
      });
      return {
        applicationSet: manifest('ApplicationSet', ref.name),
        placement: manifest('Placement', applicationSet.placement),
      };
    },
    async orderRelease(ref, release) {
      const set = await find(ref);
      if (set.release !== release) {
        effects.push(`ordered ${release} for ${ref.name}`);
        Object.assign(set, { release, storedIn: 1 });
      } else if (set.storedIn) {
        set.storedIn -= 1;
      }
      const stored = set.storedIn === 0;
      return { ref, release, stored, placements: [set.placement] };
    },
    async withdrawRelease(ref) {
      const set = await find(ref);
      if (set.release) {
        effects.push(`withdrew ${set.release} for ${ref.name}`);
        set.release = undefined;
        return { ref, stored: true };
      }
      return { ref, stored: false };
    },
    async deleteApplicationSet(ref) {
      const set = await find(ref);
      if (set.storedIn !== 0) {
        throw await refused(409, 'is not deleted: it is not stored');
      }
      if (set.goneIn === undefined) {
        effects.push(`deleted ${ref.name}`);
        set.goneIn = 2;
      }
      return { ref };
    },
    async getApplicationSet(ref): Promise<ApplicationSetDetail> {
      const set = await find(ref);
      if (set.goneIn === 0) {
        sets.delete(ref.name);
        throw await missing('ApplicationSet', ref);
      }
      if (set.goneIn) {
        set.goneIn -= 1;
      }
      return applicationSetOn([onCluster('one')]);
    },
    async deletePlacement(ref) {
      if (!placements.has(ref.name)) {
        throw await missing('Placement', ref);
      }
      effects.push(`deleted Placement ${ref.name}`);
      placements.delete(ref.name);
      return { ref };
    },
    async getPlacementInUse(ref, selection): Promise<PlacementInUse> {
      const { placement } = await find(ref);
      const now = clustersOf(placements.get(placement)!);
      const next = clustersOf(selection ?? {});
      const ending = leaving.get(placement) ?? [];
      const left = [...now.filter(each => !next.includes(each)), ...ending];
      leaving.set(placement, ending.slice(1));
      return {
        placement: { ...ref, name: placement },
        selection: { owner: 'group:default/retail' },
        change: {
          preview: { selected: next.length } as never,
          joining: names(next.filter(each => !now.includes(each))),
          leaving: names(left),
          resources: names([]),
        },
      };
    },
  };
  return { placements, sets, effects, client };
}
