import type { RemovalStore, StoredOrder } from '../database';
import type { Wish } from '../model/removal';

/** What the controllers have decided about the deletion of works, on every replica. */
export interface RemovalState {
  /** Reads what is stored. Rejects if the database fails; then the last state remains. */
  refresh(): Promise<void>;
  /** Works that are held, of the ApplicationSet `<namespace>/<name>`. */
  heldOf(applicationSet: string): readonly Wish[];
  /** Works that are held, of the Application `<namespace>/<name>` of an ApplicationSet. */
  heldOfApplication(application: string): readonly Wish[];
  /** What a person ordered for the works of the ApplicationSet. */
  orderOf(applicationSet: string): StoredOrder | undefined;
  /** Calls back with the keys of ApplicationSets whose state changed, until the returned function is called. */
  onChange(listener: (applicationSets: readonly string[]) => void): () => void;
}

interface StateOfSet {
  readonly held: readonly Wish[];
  readonly order?: StoredOrder;
}

const NOTHING: StateOfSet = { held: [] };
const SET = 'ApplicationSet/';

/** Creates the state of one hub. */
export function createRemovalState(
  hub: string,
  store: Pick<RemovalStore, 'wishes' | 'orders'>,
): RemovalState {
  const listeners = new Set<(applicationSets: readonly string[]) => void>();
  let states = new Map<string, StateOfSet>();
  let heldOfApplications = new Map<string, Wish[]>();

  async function read() {
    const found = new Map<string, StateOfSet>();
    const held = (await store.wishes(hub)).filter(
      ({ applicationSet, state }) =>
        applicationSet !== undefined && state === 'held',
    );
    heldOfApplications = groupBy(held, ({ application }) => application);
    for (const [set, wishes] of groupBy(held, wish => wish.applicationSet!)) {
      found.set(set, { held: wishes });
    }
    for (const order of await store.orders(hub)) {
      if (order.owner.startsWith(SET)) {
        const key = order.owner.slice(SET.length);
        found.set(key, { ...(found.get(key) ?? NOTHING), order });
      }
    }
    return found;
  }

  return {
    async refresh() {
      const before = states;
      states = await read();
      const keys = new Set([...before.keys(), ...states.keys()]);
      const changed = [...keys].filter(
        key =>
          JSON.stringify(before.get(key)) !== JSON.stringify(states.get(key)),
      );
      if (changed.length > 0) {
        listeners.forEach(listener => listener(changed));
      }
    },
    heldOf: set => (states.get(set) ?? NOTHING).held,
    heldOfApplication: application =>
      heldOfApplications.get(application) ?? NOTHING.held,
    orderOf: set => states.get(set)?.order,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function groupBy(
  wishes: readonly Wish[],
  keyOf: (wish: Wish) => string,
): Map<string, Wish[]> {
  const groups = new Map<string, Wish[]>();
  for (const wish of wishes) {
    const key = keyOf(wish);
    const group = groups.get(key);
    if (group) {
      group.push(wish);
    } else {
      groups.set(key, [wish]);
    }
  }
  return groups;
}
