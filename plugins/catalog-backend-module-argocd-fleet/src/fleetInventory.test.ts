import {
  aCluster,
  aHub,
  anApplicationSet,
  createInventoryAnswers,
  type Fleet,
} from './__testUtils__/fleet';
import {
  needsFullAnswer,
  updateFleetInventory,
  type FleetInventory,
} from './fleetInventory';

const READY = [aHub('east'), aHub('west')];

const BEFORE: Fleet = {
  clusters: [aCluster('east/e1'), aCluster('west/w1', 'shop')],
  applicationSets: [anApplicationSet('west/shop')],
  hubs: READY,
};

/** A reader of one replica, or of several by turns. */
function createReader() {
  const replica = createInventoryAnswers('first');
  let inventory: FleetInventory | undefined;

  return (fleet: Fleet, from = replica) => {
    let answer = from(fleet, inventory?.next);
    const asked = [answer.full];
    if (inventory && needsFullAnswer(inventory, answer)) {
      answer = from(fleet);
      asked.push(answer.full);
    }
    const update = updateFleetInventory(inventory, answer);
    inventory = update.inventory;
    return {
      ...update,
      /** Whether each answer was full. */
      asked,
      names: [...inventory.hubs].flatMap(([hub, known]) => [
        ...Array.from(known.clusters.keys(), name => `${hub}/${name}`),
        ...Array.from(known.applicationSets.keys(), key => `${hub}/${key}`),
      ]),
    };
  };
}

const after = (parts: Partial<Fleet>): Fleet => ({
  clusters: [],
  applicationSets: [],
  hubs: READY,
  ...parts,
});

describe.each([
  ['by changes', undefined],
  ['by full answers', 'second'],
])('the inventory of the fleet, updated %s', (_, secondReplica) => {
  const second = () =>
    secondReplica ? createInventoryAnswers(secondReplica) : undefined;

  it('removes objects that a ready hub no longer has', () => {
    const read = createReader();
    read(BEFORE);
    const { inventory, names } = read(
      after({ clusters: [aCluster('west/w2')] }),
      second(),
    );
    expect(inventory.complete).toBe(true);
    expect(names).toEqual(['west/w2']);
  });

  it.each(['unreachable', 'starting'] as const)(
    'keeps all objects of a hub that is %s, until it is ready again',
    state => {
      const read = createReader();
      read(BEFORE);
      const clusters = [aCluster('west/w2')];
      const { inventory, names } = read(
        after({ clusters, hubs: [aHub('east'), aHub('west', state)] }),
        second(),
      );
      expect(inventory.complete).toBe(false);
      expect(inventory.starting).toBe(state === 'starting');
      expect(names.sort()).toEqual([
        'west/openshift-gitops/shop',
        'west/w1',
        'west/w2',
      ]);
      // Nothing has changed since, but what was kept may be gone.
      const again = read(after({ clusters }));
      expect(again.names).toEqual(['west/w2']);
      expect(again.inventory.complete).toBe(true);
    },
  );

  it('removes a hub that is no longer configured', () => {
    const read = createReader();
    read(BEFORE);
    const { inventory, changed } = read(
      after({ hubs: [aHub('east')] }),
      // Another configuration is another process.
      createInventoryAnswers('restarted'),
    );
    expect([...inventory.hubs.keys()]).toEqual(['east']);
    expect(changed).toEqual({
      clusters: [
        { hub: 'east', name: 'e1' },
        { hub: 'west', name: 'w1' },
      ],
      applicationSets: [
        { hub: 'west', namespace: 'openshift-gitops', name: 'shop' },
      ],
    });
  });

  it('says that an ApplicationSet changed when a cluster leaves it', () => {
    const read = createReader();
    read(BEFORE);
    const { changed } = read(
      { ...BEFORE, clusters: [aCluster('east/e1'), aCluster('west/w1')] },
      second(),
    );
    expect(changed).toEqual({
      clusters: [{ hub: 'west', name: 'w1' }],
      applicationSets: [
        { hub: 'west', namespace: 'openshift-gitops', name: 'shop' },
      ],
    });
  });

  it('keeps the ApplicationSets of a cluster while Applications cannot be read', () => {
    const read = createReader();
    read(BEFORE);
    const clusters = [aCluster('east/e1'), aCluster('west/w1', 'books')];
    const { inventory } = read(
      {
        ...BEFORE,
        clusters,
        hubs: [aHub('east'), aHub('west', 'ready', ['applications'])],
      },
      second(),
    );
    const setsOfW1 = (known: FleetInventory) =>
      known.hubs
        .get('west')
        ?.clusters.get('w1')
        ?.applicationSets.map(({ name }) => name);
    expect(setsOfW1(inventory)).toEqual(['shop', 'books']);
    expect(setsOfW1(read({ ...BEFORE, clusters }).inventory)).toEqual([
      'books',
    ]);
  });
});

describe('the inventory of the fleet', () => {
  it('is the same object of a hub of which nothing changed', () => {
    const read = createReader();
    const { inventory: first } = read(BEFORE);
    const { inventory, changed, asked } = read(BEFORE);
    expect(asked).toEqual([false]);
    expect(changed).toEqual({ clusters: [], applicationSets: [] });
    expect(inventory.hubs.get('west')).toBe(first.hubs.get('west'));
  });

  it('asks for everything once a resource can be read of which objects were kept, and not before', () => {
    const read = createReader();
    const hubs = [aHub('east'), aHub('west', 'unreachable')];
    read({ ...BEFORE, hubs });
    expect(read({ ...BEFORE, hubs }).asked).toEqual([false]);
    expect(read(BEFORE).asked).toEqual([false, true]);
    expect(read(BEFORE).asked).toEqual([false]);
  });

  it('mentions what changed and changed back in between, since another replica may have published it', () => {
    const inventory = createReader()(BEFORE).inventory;
    const [, w1] = BEFORE.clusters;
    const { changed } = updateFleetInventory(inventory, {
      full: false,
      next: 'first.2',
      clusters: [w1],
      applicationSets: [],
      removedClusters: [{ hub: 'east', name: 'e2' }],
      removedApplicationSets: [],
      hubs: [...READY],
    });
    expect(changed).toEqual({
      clusters: [
        { hub: 'east', name: 'e2' },
        { hub: 'west', name: 'w1' },
      ],
      applicationSets: [
        { hub: 'west', namespace: 'openshift-gitops', name: 'shop' },
      ],
    });
  });
});
