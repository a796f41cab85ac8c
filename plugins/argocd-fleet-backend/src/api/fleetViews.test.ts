import {
  APP_NAMESPACE_ANNOTATION,
  HOSTING_APPLICATION_SET_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  PULL_LABEL,
  SKIP_RECONCILE_ANNOTATION,
  STATUS_CONDITION,
  createArgocdFleetClient,
  type ApplicationSetRows,
  type ArgoApplication,
  type ArgoApplicationSet,
  type Inventory,
  type KubernetesObject,
  type ManagedCluster,
} from 'backstage-plugin-argocd-fleet-common';
import fc from 'fast-check';
import { completeList } from '../__testUtils__/completeList';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  boundSet,
  GLOBAL_SET,
  placement as placementNamed,
} from '../__testUtils__/objects';
import { IN_LONG_RUN, numberOfCases, SEED } from '../__testUtils__/randomCases';
import type { FleetCache } from '../fleet/fleetCache';
import { createFleetReader } from '../fleet/fleetReader';
import { createRemovalState, type RemovalState } from '../fleet/removalState';
import { objectKey } from '../kubernetes/client/client';
import {
  application,
  applicationSet,
} from '../model/__testUtils__/applications';
import { reportedWork, workOf } from '../model/__testUtils__/works';
import { workNames } from '../model/delivery/workName';
import { desiredSpec, fingerprint } from '../model/manifestwork/comparedSpec';
import { DEFAULT_PROPAGATION } from '../model/manifestwork/workPlan';
import type { Wish } from '../model/removal/brake';
import type { SourcedDetails } from '../model/status/sourcedDetails';
import type { ApiHub } from './apiHub';
import { createFleetViews, type FleetViews } from './fleetViews';

if (IN_LONG_RUN) {
  // All histories together compute for about 20 seconds on an idle machine.
  jest.setTimeout(300_000);
}

const NAMESPACE = 'openshift-gitops';
/** Applications of both may be delivered to the second one. */
const NAMESPACES = [NAMESPACE, 'elsewhere'];

const PROPAGATION = {
  ...DEFAULT_PROPAGATION,
  appNamespaces: new Map([[NAMESPACE, NAMESPACES]]),
};
const SETS = ['shop', 'books'];
const NAMES = ['a', 'b', 'c'];
const CLUSTERS = ['one', 'two'];
const PLACEMENTS = ['everywhere', 'nowhere'];

interface World {
  readonly cache: FleetCache;
  readonly views: FleetViews;
  readonly freshViews: () => FleetViews;
  readonly setDetails: (key: string, message: string) => void;
  /** What the database has of works that are wanted gone. */
  readonly wishes: Wish[];
  readonly removalState: RemovalState;
  /** ApplicationSets that pages were told about, `<namespace>/<name>`. */
  readonly notified: Set<string>;
  /** No version comes twice. */
  readonly next: () => string;
}

const NO_WRITES: ApiHub['writes'] = {
  key: 'argocdFleet.hubs[0].writes',
  grants: [],
  argocdNamespace: 'openshift-gitops',
};

function createWorld(cache = emptyCache()): World {
  const sourced = new Map<string, readonly SourcedDetails[]>();
  const listeners = new Set<(keys: readonly string[]) => void>();
  const wishes: Wish[] = [];
  const removalState = createRemovalState('hub', {
    wishes: async () => [...wishes],
    orders: async () => [],
  });
  const hub: ApiHub = {
    name: 'hub',
    client: {} as ApiHub['client'],
    cache,
    reader: createFleetReader({
      cache,
      propagation: () => PROPAGATION,
      sourced: key => sourced.get(key),
      removals: removalState,
    }),
    writes: NO_WRITES,
    runners: [],
    removalState,
    resourceSources: {
      findings: () => [],
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  };
  const notified = new Set<string>();
  const viewsFor = (
    applicationSetsChanged: (
      refs: readonly { namespace: string; name: string }[],
    ) => void,
  ) =>
    createFleetViews({
      hubs: [hub],
      listener: { applicationSetsChanged, hubChanged() {} },
    });
  let last = 0;
  return {
    cache,
    views: viewsFor(refs => refs.forEach(ref => notified.add(objectKey(ref)))),
    freshViews: () => viewsFor(() => {}),
    setDetails(key, message) {
      const [namespace, name] = key.split('/');
      sourced.set(key, [
        {
          source: 'search',
          changedAt: '2026-11-21T12:00:00Z',
          details: {
            application: { namespace, name },
            conditions: [{ type: 'SyncError', message }],
          },
        },
      ]);
      listeners.forEach(listener => listener([key]));
    },
    notified,
    wishes,
    removalState,
    next: () => String((last += 1)),
  };
}

/** Puts an object as the answer to a write; one that exists keeps its UID unless another is given. */
function put(
  { cache, next }: World,
  resource:
    | 'applications'
    | 'applicationSets'
    | 'works'
    | 'clusters'
    | 'clusterSecrets'
    | 'clusterSets'
    | 'clusterSetBindings'
    | 'placements'
    | 'decisions',
  object: KubernetesObject,
  uid?: string,
) {
  const known = cache[resource].get(objectKey(object.metadata));
  cache.applyWriteResult(resource, {
    ...object,
    metadata: {
      ...object.metadata,
      uid: uid ?? known?.metadata.uid ?? next(),
      resourceVersion: next(),
    },
  } as never);
}

interface ApplicationParts {
  readonly namespace?: string;
  readonly name: string;
  readonly cluster: string;
  readonly owner: string;
  readonly ownerUid: string;
  readonly pulled: boolean;
  readonly skipped: boolean;
  readonly remapped: boolean;
  readonly health: string;
  readonly revision?: string;
  readonly automated?: boolean;
  /** What its status remembers of its spec: that the cluster compared with it, or has not yet; undefined for nothing. */
  readonly compared?: boolean;
}

function applicationOf(parts: ApplicationParts): ArgoApplication {
  const { name, cluster, pulled, skipped, remapped, health } = parts;
  const { namespace = NAMESPACE, revision, compared } = parts;
  const { automated = true } = parts;
  const made = application({ cluster });
  const object = {
    ...made,
    metadata: {
      ...made.metadata,
      name,
      namespace,
      labels: pulled ? { [PULL_LABEL]: 'true' } : {},
      annotations: {
        [MANAGED_CLUSTER_ANNOTATION]: cluster,
        ...(skipped && { [SKIP_RECONCILE_ANNOTATION]: 'true' }),
        [APP_NAMESPACE_ANNOTATION]: remapped ? NAMESPACES[1] : namespace,
      },
      ownerReferences: [
        {
          ...made.metadata.ownerReferences![0],
          name: parts.owner,
          uid: `${parts.owner}-${parts.ownerUid}`,
        },
      ],
    },
    spec: {
      ...made.spec,
      source: { ...made.spec.source!, targetRevision: revision },
      ...(!automated && { syncPolicy: {} }),
      ...(!pulled && {
        destination: skipped
          ? { server: 'https://kubernetes.default.svc', namespace: 'shop' }
          : { name: cluster, namespace: 'shop' },
      }),
    },
    status: { health: { status: health }, sync: { status: 'OutOfSync' } },
  } as ArgoApplication;
  const spec = fingerprint(desiredSpec(object, undefined, false));
  const conditions = [
    {
      type: STATUS_CONDITION,
      message: `[spec ${spec}${compared ? '' : ', not yet reported after 0123456789'}]`,
    },
  ];
  return compared === undefined
    ? object
    : { ...object, status: { ...object.status, conditions } };
}

const anyApplication = fc
  .record({
    name: fc.constantFrom(...NAMES),
    namespace: fc.constantFrom(...NAMESPACES),
    cluster: fc.constantFrom('one', 'one', 'two'),
    owner: fc.constantFrom(...SETS),
    ownerUid: fc.constantFrom('first', 'first', 'first', 'second'),
    pulled: fc.constantFrom(true, true, true, false),
    skipped: fc.boolean(),
    remapped: fc.constantFrom(false, false, true),
    health: fc.constantFrom('Healthy', 'Degraded'),
    revision: fc.constantFrom('main', '1.9'),
    automated: fc.boolean(),
    compared: fc.constantFrom(undefined, true, false),
  })
  .map(parts => ({ parts, object: applicationOf(parts) }));

/** A work that no Application made. */
function foreignWork(namespace: string, name: string): KubernetesObject {
  return {
    apiVersion: 'work.open-cluster-management.io/v1',
    kind: 'ManifestWork',
    metadata: { namespace, name },
    spec: {},
  } as KubernetesObject;
}

function clusterOf(
  name: string,
  local = 'false',
  silentSince?: string,
  message?: string,
  version?: string,
): ManagedCluster {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: { name, labels: { 'local-cluster': local } },
    status: {
      version: { kubernetes: version },
      conditions: [
        {
          type: 'ManagedClusterConditionAvailable',
          status: silentSince ? 'Unknown' : 'True',
          message,
          lastTransitionTime: silentSince,
        },
      ],
    },
  } as ManagedCluster;
}

function placementUid(namespace: string, name: string, uid: string) {
  return `placement-${namespace}-${name}-${uid}`;
}

function placementIn(
  namespace: string,
  name: string,
  clusterSets?: readonly string[],
): KubernetesObject {
  return {
    ...placementNamed(name, namespace),
    spec: { clusterSets },
  } as KubernetesObject;
}

function decisionOf(
  namespace: string,
  placement: string,
  clusters: readonly string[],
  uid = 'first',
): KubernetesObject {
  return {
    apiVersion: 'cluster.open-cluster-management.io/v1beta1',
    kind: 'PlacementDecision',
    metadata: {
      name: 'decision',
      namespace,
      labels: { [PLACEMENT_LABEL]: placement },
      ownerReferences: [
        {
          apiVersion: 'cluster.open-cluster-management.io/v1beta1',
          kind: 'Placement',
          name: placement,
          uid: placementUid(namespace, placement, uid),
          controller: true,
        },
      ],
    },
    status: {
      decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
    },
  } as KubernetesObject;
}

type Event = (world: World) => void | Promise<void>;

const resource = fc.constantFrom(
  'applications' as const,
  'applicationSets' as const,
  'works' as const,
  'clusters' as const,
  'clusterSets' as const,
  'clusterSetBindings' as const,
  'placements' as const,
  'decisions' as const,
);

const event: fc.Arbitrary<Event> = fc.oneof(
  anyApplication.map(({ parts, object }): Event => world => {
    // Its UID stays: it decides whether a work belongs to it.
    put(
      world,
      'applications',
      object,
      `uid-of-${parts.namespace}-${parts.name}`,
    );
  }),
  fc
    .record({
      of: anyApplication,
      health: fc.constantFrom('Healthy', 'Degraded', 'Missing'),
      sync: fc.constantFrom('Synced', 'OutOfSync'),
      at: fc.constantFrom('2026-11-21T10:01:00Z', '2026-11-22T10:01:00Z'),
    })
    .map(({ of, health, sync, at }): Event => world => {
      const { metadata } =
        world.cache.applications.get(objectKey(of.object.metadata)) ??
        of.object;
      const work = reportedWork({
        work: workOf({
          ...of.object,
          metadata: {
            ...metadata,
            annotations: of.object.metadata.annotations,
          },
        }),
        feedback: {
          healthStatus: health,
          syncStatus: sync,
          operationStateStartedAt: at,
        },
        applied: { lastTransitionTime: at },
      });
      put(world, 'works', work);
    }),
  fc
    .record({ of: anyApplication, candidate: fc.nat(1) })
    .map(({ of, candidate }): Event => world => {
      // Somebody else's, under a name that the Application needs.
      put(
        world,
        'works',
        foreignWork(of.parts.cluster, workNames(of.object)[candidate]),
      );
    }),
  fc
    .record({
      name: fc.constantFrom(...CLUSTERS),
      local: fc.constantFrom('false', 'false', 'true'),
      silentSince: fc.constantFrom(undefined, '2026-11-21T11:00:00Z'),
      message: fc.constantFrom('it is available', 'the lease is old'),
      version: fc.constantFrom('v1.30.0', 'v1.31.0'),
    })
    .map(({ name, local, silentSince, message, version }): Event => world => {
      put(
        world,
        'clusters',
        clusterOf(name, local, silentSince, message, version),
      );
    }),
  fc
    .record({
      name: fc.constantFrom(...SETS),
      namespace: fc.constantFrom(...NAMESPACES),
      uid: fc.constantFrom('first', 'first', 'first', 'second'),
      placement: fc.constantFrom(...PLACEMENTS),
      component: fc.constantFrom('x', 'y'),
      path: fc.constantFrom('guestbook', '{{path}}'),
      strategy: fc.constantFrom(undefined, { type: 'RollingSync' }),
    })
    .map(
      ({ name, namespace, uid, placement, component, path, strategy }): Event =>
        world => {
          const made = applicationSet();
          const [generator] = made.spec.generators as {
            clusterDecisionResource: object;
          }[];
          put(
            world,
            'applicationSets',
            {
              ...made,
              metadata: {
                name,
                namespace,
                annotations: { 'argocd-fleet/component': component },
              },
              spec: {
                ...made.spec,
                strategy,
                generators: [
                  {
                    clusterDecisionResource: {
                      ...generator.clusterDecisionResource,
                      labelSelector: {
                        matchLabels: { [PLACEMENT_LABEL]: placement },
                      },
                    },
                  },
                ],
                template: {
                  spec: {
                    source: { repoURL: 'https://git.example.com', path },
                  },
                },
              },
            } as ArgoApplicationSet,
            `${name}-${uid}`,
          );
        },
    ),
  fc
    .record({
      placement: fc.constantFrom(...PLACEMENTS),
      namespace: fc.constantFrom(...NAMESPACES),
      clusters: fc.subarray(CLUSTERS),
      uid: fc.constantFrom('first', 'first', 'second'),
    })
    .map(({ placement, namespace, clusters, uid }): Event => world => {
      put(world, 'decisions', decisionOf(namespace, placement, clusters, uid));
    }),
  fc
    .record({
      name: fc.constantFrom(...PLACEMENTS),
      namespace: fc.constantFrom(...NAMESPACES),
      clusterSets: fc.constantFrom(undefined, undefined, ['global'], ['none']),
      uid: fc.constantFrom('first', 'first', 'second'),
    })
    .map(({ name, namespace, clusterSets, uid }): Event => world => {
      put(
        world,
        'placements',
        placementIn(namespace, name, clusterSets),
        placementUid(namespace, name, uid),
      );
    }),
  fc
    .constantFrom({}, { matchLabels: { 'local-cluster': 'true' } })
    .map((labelSelector): Event => world => {
      put(world, 'clusterSets', {
        ...GLOBAL_SET,
        spec: {
          clusterSelector: { selectorType: 'LabelSelector', labelSelector },
        },
      } as KubernetesObject);
    }),
  fc
    .record({
      namespace: fc.constantFrom(...NAMESPACES),
      clusterSet: fc.constantFrom('global', 'global', 'none'),
    })
    .map(({ namespace, clusterSet }): Event => world => {
      put(world, 'clusterSetBindings', {
        ...boundSet('global', namespace),
        spec: { clusterSet },
      } as KubernetesObject);
    }),
  fc.tuple(resource, fc.nat(5)).map(([from, index]): Event => ({ cache }) => {
    const found = [...cache[from].list()][index];
    if (found) {
      cache.applyDeletion(from, found as never);
    }
  }),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('too old', 'too new'))
    .map(
      ([name, message]): Event =>
        world =>
          world.setDetails(`${NAMESPACE}/${name}`, message),
    ),
  {
    weight: 3,
    arbitrary: fc.constant<Event>(async ({ views }) => {
      await answersOf(views);
    }),
  },
);

/** Applications on one cluster that are delivered, so that events disturb something. */
function deliverAll(world: World) {
  put(world, 'clusters', clusterOf('one'));
  put(world, 'clusterSets', GLOBAL_SET);
  for (const namespace of NAMESPACES) {
    put(world, 'clusterSetBindings', boundSet('global', namespace));
    put(
      world,
      'placements',
      placementIn(namespace, PLACEMENTS[0]),
      placementUid(namespace, PLACEMENTS[0], 'first'),
    );
    const set = applicationSet();
    put(
      world,
      'applicationSets',
      { ...set, metadata: { name: 'shop', namespace } },
      'shop-first',
    );
    put(world, 'decisions', decisionOf(namespace, PLACEMENTS[0], ['one']));
    for (const name of NAMES) {
      const object = applicationOf({
        name,
        namespace,
        cluster: 'one',
        owner: 'shop',
        ownerUid: 'first',
        pulled: true,
        skipped: true,
        remapped: false,
        health: 'Healthy',
      });
      put(world, 'applications', object, `uid-of-${namespace}-${name}`);
    }
  }
}

/** Every answer about the fleet. */
async function answersOf(views: FleetViews) {
  const list = await completeList(views);
  const details = await Promise.all(
    list.items.map(({ ref }) => views.getApplicationSet(ref)),
  );
  return { list, details, clusters: views.listClusters() };
}

/** A page of an ApplicationSet, as the API's client keeps it: each request asks for what changed since the last one. */
function openPage(views: FleetViews, namespace: string, name: string) {
  const ref = { hub: 'hub', namespace, name };
  let partial = 0;
  let known: ApplicationSetRows | undefined;
  const client = createArgocdFleetClient({
    discoveryApi: { getBaseUrl: async () => 'http://backend' },
    fetchApi: {
      fetch: async input => {
        const { searchParams } = new URL((input as Request).url);
        const since = searchParams.get('since') ?? undefined;
        const answer = await views.getApplicationSetRows(ref, since);
        partial += answer?.removed ? 1 : 0;
        return answer
          ? Response.json(answer)
          : Response.json({}, { status: 404 });
      },
    },
  });
  return {
    partial: () => partial,
    async refresh() {
      known = await client
        .getApplicationSetRows(ref, { known })
        .catch(() => undefined);
      const { next: _, ...shown } = known ?? {};
      return shown;
    },
  };
}

/** What a client knows that applies one answer after the other. */
function applied(known: Map<string, object>, answer: Inventory) {
  const items = answer.full ? new Map<string, object>() : known;
  answer.clusters.forEach(each => items.set(`${each.hub}:${each.name}`, each));
  answer.applicationSets.forEach(each =>
    items.set(`${each.ref.hub}:${objectKey(each.ref)}`, each),
  );
  answer.removedClusters.forEach(({ hub, name }) =>
    items.delete(`${hub}:${name}`),
  );
  answer.removedApplicationSets.forEach(({ hub, ...ref }) =>
    items.delete(`${hub}:${objectKey(ref)}`),
  );
  return items;
}

const entriesOf = (items: Map<string, object>) =>
  [...items].sort(([a], [b]) => (a < b ? -1 : 1));

describe('the views of the fleet', () => {
  it('are made again when it becomes known which decisions count, and when it no longer is', async () => {
    let isKnown = false;
    const listeners = new Set<() => void>();
    const world = createWorld({
      ...emptyCache(),
      isKnown: () => isKnown,
      onStateChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    });
    deliverAll(world);
    for (const next of [true, false]) {
      const before = await answersOf(world.views);
      world.notified.clear();
      isKnown = next;
      listeners.forEach(listener => listener());
      const after = await answersOf(world.views);
      expect(after).not.toEqual(before);
      expect(after).toEqual(await answersOf(world.freshViews()));
      expect([...world.notified].sort()).toEqual(
        NAMESPACES.map(namespace => `${namespace}/shop`).sort(),
      );
    }
  });

  it('equal views made from nothing after any history, and so do an inventory and pages kept by changes', async () => {
    const numRuns = numberOfCases({ test: 60, long: 400 });
    let partial = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 30, maxLength: 120 }),
        async events => {
          const world = createWorld();
          deliverAll(world);
          const first = await world.views.getInventory(undefined);
          let known = applied(new Map(), first);
          let since = first.next;
          const full: boolean[] = [];
          const pages = (views: FleetViews) =>
            NAMESPACES.flatMap(namespace =>
              SETS.map(name => openPage(views, namespace, name)),
            );
          const open = pages(world.views);
          for (const [index, happens] of events.entries()) {
            await happens(world);
            if (index % 7 === 0) {
              await Promise.all(open.map(page => page.refresh()));
            }
            if (index % 20 === 0) {
              const answer = await world.views.getInventory(since);
              full.push(answer.full);
              known = applied(known, answer);
              since = answer.next;
            }
          }
          expect(full).not.toContain(true);
          const fresh = world.freshViews();
          expect(await answersOf(world.views)).toEqual(await answersOf(fresh));
          const shownBy = (all: typeof open) =>
            Promise.all(all.map(page => page.refresh()));
          expect(await shownBy(open)).toEqual(await shownBy(pages(fresh)));
          partial += open.reduce((sum, page) => sum + page.partial(), 0);
          known = applied(known, await world.views.getInventory(since));
          expect(entriesOf(known)).toEqual(
            entriesOf(applied(new Map(), await fresh.getInventory(undefined))),
          );
        },
      ),
      { numRuns, seed: SEED },
    );
    expect(partial).toBeGreaterThan(numRuns);
  });

  it('show at once that a name which an Application needs is free again', async () => {
    const world = createWorld();
    deliverAll(world);
    const app = world.cache.applications.get(`${NAMESPACE}/a`)!;
    for (const name of workNames(app)) {
      put(world, 'works', foreignWork('one', name));
    }
    const steps = async () => {
      const detail = await world.views.getApplicationSet({
        hub: 'hub',
        namespace: NAMESPACE,
        name: 'shop',
      });
      return detail?.applications[0].steps.map(({ state }) => state);
    };
    expect(await steps()).toContain('failed');
    const [taken] = world.cache.works.list();
    world.cache.applyDeletion('works', taken);
    expect(await steps()).not.toContain('failed');
  });

  /** A set of the given Applications, delivered to cluster `one`. */
  function putShop(world: World) {
    const set = applicationSet();
    put(
      world,
      'applicationSets',
      { ...set, metadata: { ...set.metadata, name: 'shop' } },
      'shop-first',
    );
  }

  async function worldOf(count: number) {
    const world = createWorld();
    putShop(world);
    put(world, 'clusters', {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'one' },
    });
    for (let index = 0; index < count; index += 1) {
      putApplication(world, `app-${index}`);
    }
    await completeList(world.views);
    await world.views.getInventory(undefined);
    return world;
  }

  function putApplication(world: World, name: string, health = 'Healthy') {
    put(
      world,
      'applications',
      applicationOf({
        name,
        cluster: 'one',
        owner: 'shop',
        ownerUid: 'first',
        pulled: true,
        skipped: true,
        remapped: false,
        health,
      }),
      `uid-of-${name}`,
    );
  }

  it('show on the path of an Application that its deletion is held, and that it no longer is', async () => {
    const world = await worldOf(2);
    const app = world.cache.applications.get(`${NAMESPACE}/app-0`)!;
    put(world, 'applications', {
      ...app,
      metadata: { ...app.metadata, deletionTimestamp: '2026-11-21T11:00:00Z' },
    } as ArgoApplication);
    const shown = async () => {
      const rows = await world.views.getApplicationSetRows(
        { hub: 'hub', namespace: NAMESPACE, name: 'shop' },
        undefined,
      );
      return rows?.applications.map(({ problem }) => problem?.code);
    };
    const [, other] = (await shown())!;
    expect(await shown()).not.toContain('AFC-126');
    world.wishes.push({
      uid: 'work',
      work: 'one/app-0-12345',
      application: `${NAMESPACE}/app-0`,
      applicationSet: `${NAMESPACE}/shop`,
      wantedAt: 0,
      state: 'held',
    });
    world.notified.clear();
    await world.removalState.refresh();
    expect([...world.notified]).toEqual([`${NAMESPACE}/shop`]);
    expect(await shown()).toEqual(['AFC-126', other]);
    world.wishes.pop();
    await world.removalState.refresh();
    expect(await shown()).not.toContain('AFC-126');
  });

  it('show on the path of an Application that has left the pull model that its work stays', async () => {
    const world = await worldOf(1);
    const app = world.cache.applications.get(`${NAMESPACE}/app-0`)!;
    put(world, 'works', workOf(app));
    const ref = { hub: 'hub', namespace: NAMESPACE, name: 'app-0' };
    const shownOn = () => world.views.getApplication(ref)?.cluster.name;
    const codes = () =>
      world.views
        .getApplication(ref)
        ?.steps.map(({ id, finding }) => `${id} ${finding?.code}`);
    expect(codes()?.join()).not.toContain('AFC-12');
    put(world, 'applications', {
      ...app,
      metadata: { ...app.metadata, labels: { [PULL_LABEL]: 'no' } },
    } as ArgoApplication);
    expect(codes()).toContain('manifestwork AFC-121');
    // It runs on the cluster of its work, though its destination is that of an Application on any cluster.
    put(world, 'applications', {
      ...app,
      metadata: { ...app.metadata, labels: { [PULL_LABEL]: 'no' } },
      spec: {
        ...app.spec,
        destination: { server: 'https://kubernetes.default.svc' },
      },
    } as ArgoApplication);
    expect(codes()).toContain('manifestwork AFC-121');
    expect(shownOn()).toBe('one');
    const stale = async () =>
      (await completeList(world.views)).items[0].summary.stale;
    // Its cluster has not reported yet.
    expect(await stale()).toBe(1);
    put(world, 'clusters', clusterOf('one'));
    expect(await stale()).toBe(0);
    const [work] = world.cache.works.list();
    world.cache.applyDeletion('works', work);
    expect(codes()?.join()).not.toContain('manifestwork');
    expect(shownOn()).toBe('in-cluster');
  });

  it('show in detail how far its Application is in a rolling sync, when only the status of the set changes', async () => {
    const world = await worldOf(2);
    const shop = world.cache.applicationSets.get(`${NAMESPACE}/shop`)!;
    const report = (status: string) =>
      put(world, 'applicationSets', {
        ...shop,
        spec: {
          ...shop.spec,
          strategy: { type: 'RollingSync', rollingSync: { steps: [{}, {}] } },
        },
        status: {
          conditions: [{ type: 'RolloutProgressing', status: 'True' }],
          applicationStatus: [
            { application: 'app-1', step: '1', status, message: '\u202Emoved' },
          ],
        },
      } as ArgoApplicationSet);
    const ref = { hub: 'hub', namespace: NAMESPACE, name: 'app-1' };
    report('Waiting');
    expect(world.views.getApplication(ref)?.rollingSync).toEqual({
      steps: 2,
      step: 1,
      status: 'Waiting',
      message: '\uFFFDmoved',
    });
    world.notified.clear();
    report('Pending');
    expect([...world.notified]).toEqual([`${NAMESPACE}/shop`]);
    expect(world.views.getApplication(ref)?.rollingSync?.status).toBe(
      'Pending',
    );
    const summary = await world.views.getSummary({ ...ref, name: 'shop' });
    expect(summary?.rollingSync).toMatchObject({ step: 1, waiting: 1 });
  });

  it('change by themselves when a sync has waited long, and tell the pages', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    try {
      const world = createWorld();
      deliverAll(world);
      const app = world.cache.applications.get(`${NAMESPACE}/a`)!;
      const startedAt = new Date(Date.now() - 60_000).toISOString();
      const message = 'waiting for healthy state of apps/Deployment/web';
      put(
        world,
        'works',
        reportedWork({
          work: workOf(app),
          feedback: { healthStatus: 'Progressing', syncStatus: 'OutOfSync' },
          digest: [['o', 'Running', '0', startedAt, message]],
          compared: true,
        }),
      );
      const problem = async () => {
        const rows = await world.views.getApplicationSetRows(
          { hub: 'hub', namespace: NAMESPACE, name: 'shop' },
          undefined,
        );
        return rows?.applications[0].problem?.code;
      };
      expect(await problem()).not.toBe('AFC-262');
      world.notified.clear();
      jest.advanceTimersByTime(8 * 60_000);
      expect([...world.notified]).toEqual([]);
      jest.advanceTimersByTime(2 * 60_000);
      expect([...world.notified]).toEqual([`${NAMESPACE}/shop`]);
      expect(await problem()).toBe('AFC-262');
    } finally {
      jest.useRealTimers();
    }
  });

  it('name the Secrets of clusters with one name, where the hub has them', async () => {
    const world = createWorld({
      ...emptyCache(),
      argocdNamespaces: new Set([NAMESPACE]),
    });
    world.cache.watchNamespaces('clusterSecrets', new Set([NAMESPACE]));
    putShop(world);
    putApplication(world, 'app');
    const app = world.cache.applications.get(`${NAMESPACE}/app`)!;
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    for (const [name, as] of [
      ['one', 'edge'],
      ['two', 'edge'],
      ['three', 'core'],
    ]) {
      put(world, 'clusterSecrets', {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: NAMESPACE, name: `cluster-${name}` },
        data: { name: base64(as), server: base64(`https://${name}:6443`) },
      } as KubernetesObject);
    }
    const { labels: _labels, annotations: _none, ...metadata } = app.metadata;
    const findingFor = (destination: string) => {
      put(world, 'applications', {
        ...app,
        metadata,
        spec: { ...app.spec, destination: { name: destination } },
        status: {
          sync: { status: 'Unknown' },
          conditions: [
            {
              type: 'InvalidSpecError',
              status: 'True',
              message:
                'there are 2 clusters with the same name: [https://one:6443 https://two:6443]',
            },
          ],
        },
      } as ArgoApplication);
      return world.views
        .getApplication({ hub: 'hub', namespace: NAMESPACE, name: 'app' })
        ?.steps.find(({ id }) => id === 'synced')?.finding;
    };
    expect(findingFor('edge')).toMatchObject({
      code: 'AFC-239',
      message: expect.stringContaining(
        `They are the Secrets ${NAMESPACE}/cluster-one, ${NAMESPACE}/cluster-two.`,
      ),
    });
    // Whoever writes an Application may claim the error: it names no Secret that is not meant.
    expect(findingFor('core')?.code).toBe('AFC-239');
    expect(findingFor('core')?.message).not.toContain('Secret');
  });

  it('name the cluster of a destination by its server, as soon as a Secret of Argo CD knows it', async () => {
    const world = createWorld({
      ...emptyCache(),
      argocdNamespaces: new Set([NAMESPACE]),
    });
    const watched = new Set([NAMESPACE, 'team-a']);
    world.cache.watchNamespaces('clusterSecrets', watched);
    putShop(world);
    putApplication(world, 'app');
    const app = world.cache.applications.get(`${NAMESPACE}/app`)!;
    const { labels: _labels, annotations: _none, ...metadata } = app.metadata;
    put(world, 'applications', {
      ...app,
      metadata,
      spec: { ...app.spec, destination: { server: 'https://one:6443' } },
    } as ArgoApplication);
    const secretIn = (namespace: string) =>
      ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace, name: 'one' },
        data: {
          name: Buffer.from('one').toString('base64'),
          server: Buffer.from('https://one:6443').toString('base64'),
        },
      }) as KubernetesObject;
    const shown = async () => {
      const answers = await answersOf(world.views);
      expect(answers).toEqual(await answersOf(world.freshViews()));
      const ref = { hub: 'hub', namespace: NAMESPACE, name: 'app' };
      const { cluster, steps } = world.views.getApplication(ref)!;
      return `${cluster.name} ${cluster.stale ? 'stale' : ''} ${steps[0].id}`;
    };

    expect(await shown()).toBe('https://one:6443  application');
    // That of a tenant does not count.
    put(world, 'clusterSecrets', secretIn('team-a'));
    expect(await shown()).toBe('https://one:6443  application');
    put(world, 'clusterSecrets', secretIn(NAMESPACE));
    expect(await shown()).toBe('one  placement');
    put(world, 'clusters', {
      apiVersion: 'cluster.open-cluster-management.io/v1',
      kind: 'ManagedCluster',
      metadata: { name: 'one' },
    });
    expect(await shown()).toBe('one stale placement');
    const known = world.cache.clusterSecrets.get(`${NAMESPACE}/one`)!;
    world.cache.applyDeletion('clusterSecrets', known);
    expect(await shown()).toBe('https://one:6443  application');
  });

  it('show on a cluster the works that are being deleted after their Applications, by ApplicationSet', async () => {
    const world = await worldOf(2);
    const findings = () => world.views.listClusters().items[0].findings;
    for (const app of world.cache.applications.list()) {
      const work = workOf(app);
      put(world, 'works', {
        ...work,
        metadata: {
          ...work.metadata,
          deletionTimestamp: '2026-11-21T11:00:00Z',
        },
      } as KubernetesObject);
    }
    expect(findings()).toEqual([]);
    const [first, second] = [...world.cache.works.list()];
    for (const app of [...world.cache.applications.list()]) {
      world.cache.applyDeletion('applications', app);
    }
    expect(findings()).toMatchObject([
      {
        code: 'AFC-127',
        title: expect.stringContaining('one'),
        since: '2026-11-21T11:00:00Z',
        object: {
          kind: 'ApplicationSet',
          namespace: NAMESPACE,
          name: 'shop',
        },
        evidence: `${first.metadata.name}\n${second.metadata.name}`,
        fix: {
          command: `kubectl get manifestworks.work.open-cluster-management.io ${first.metadata.name} ${second.metadata.name} -n one -o yaml`,
        },
      },
    ]);
    // Of a set of another namespace, it is not: a cluster’s agent may write its works.
    put(world, 'works', {
      ...first,
      metadata: {
        ...first.metadata,
        annotations: {
          ...first.metadata.annotations,
          [HOSTING_APPLICATION_SET_ANNOTATION]: 'elsewhere/shop',
        },
      },
    } as KubernetesObject);
    expect(findings().map(({ object }) => object?.kind)).toEqual([
      'Application',
      'ApplicationSet',
    ]);
    for (const work of [...world.cache.works.list()]) {
      world.cache.applyDeletion('works', work);
    }
    expect(findings()).toEqual([]);
  });

  it('say of an ApplicationSet with several delivery models how many Applications each has, in the list and the inventory', async () => {
    const world = await worldOf(3);
    const app = world.cache.applications.get(`${NAMESPACE}/app-0`)!;
    put(world, 'applications', {
      ...app,
      metadata: { ...app.metadata, labels: {} },
    } as ArgoApplication);
    const { items } = await completeList(world.views);
    const { applicationSets } = await world.views.getInventory(undefined);
    for (const each of [...items, ...applicationSets]) {
      expect(each).toMatchObject({
        deliveryModel: 'pull',
        deliveryModels: [
          { model: 'pull', applications: 2 },
          { model: 'push', applications: 1 },
        ],
      });
    }
    put(world, 'applications', app);
    const [set] = (await completeList(world.views)).items;
    expect(set).not.toHaveProperty('deliveryModels');
  });

  it('do not change the inventory with a status, but with an Application', async () => {
    const world = await worldOf(1);
    const { next } = await world.views.getInventory(undefined);
    const [app] = world.cache.applications.list();
    put(world, 'works', reportedWork({ work: workOf(app) }));
    putApplication(world, 'app-0', 'Degraded');
    put(world, 'clusters', {
      ...world.cache.clusters.get('one')!,
      status: { version: { kubernetes: 'v9' } },
    } as KubernetesObject);
    expect(await world.views.getInventory(next)).toMatchObject({
      full: false,
      next,
      clusters: [],
      applicationSets: [],
    });
    world.cache.applyDeletion(
      'applications',
      world.cache.applications.get(objectKey(app.metadata))!,
    );
    expect(await world.views.getInventory(next)).toMatchObject({
      full: false,
      clusters: [{ name: 'one', applicationSets: [] }],
      removedClusters: [],
    });
  });

  it('make one row again after the status of one Application has changed, and none for its copy on the hub', async () => {
    const world = await worldOf(300);
    const works = jest.spyOn(world.cache.works, 'by');
    putApplication(world, 'app-7', 'Degraded');
    await completeList(world.views);
    expect(works).not.toHaveBeenCalled();
    // Its timeline is loaded again all the same.
    expect(world.notified).toContain(`${NAMESPACE}/shop`);

    const app = world.cache.applications.get(`${NAMESPACE}/app-7`)!;
    put(world, 'works', reportedWork({ work: workOf(app) }));
    await completeList(world.views);
    // A few lookups for the row that changed, and for the one with the error that the list shows.
    expect(works.mock.calls.length).toBeGreaterThan(0);
    expect(works.mock.calls.length).toBeLessThan(10);
  });

  it('answer while many rows are made, say so, and notify when they are made', async () => {
    const world = createWorld();
    const { metadata, ...set } = applicationSet();
    put(
      world,
      'applicationSets',
      { ...set, metadata: { ...metadata, name: 'shop' } },
      'shop-first',
    );
    for (let index = 0; index < 250; index += 1) {
      putApplication(world, `app-${index}`);
    }
    const state = { name: 'hub', state: 'ready' as const };
    const reader = createFleetReader({
      cache: world.cache,
      propagation: () => DEFAULT_PROPAGATION,
    });
    let setComplete: (hub: string) => void = () => {};
    const complete = new Promise<string>(resolve => {
      setComplete = resolve;
    });
    const views = createFleetViews({
      hubs: [
        {
          name: 'hub',
          client: {} as ApiHub['client'],
          cache: { ...world.cache, state: () => state },
          reader: {
            ...reader,
            fleetApplication(...input) {
              // As long as a computation of ten milliseconds, which other tests on the machine need not wait for.
              Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
              return reader.fleetApplication(...input);
            },
          },
          writes: NO_WRITES,
          runners: [],
        },
      ],
      listener: { applicationSetsChanged() {}, hubChanged: setComplete },
    });
    const early = await views.listApplicationSets();
    expect(early.hubs[0]).toMatchObject({
      state: 'starting',
      message: expect.stringContaining('being counted'),
    });
    expect(early.items).toMatchObject([{ summary: { applications: 0 } }]);
    expect(await complete).toBe('hub');
    const late = await views.listApplicationSets();
    expect(late.hubs[0]).toEqual({ ...state, findings: [] });
    expect(late.items).toMatchObject([{ summary: { applications: 250 } }]);
  });
});
