import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import type {
  ArgoApplication,
  ArgoApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { emptyCache } from '../__testUtils__/emptyCache';
import {
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../__testUtils__/objects';
import { DEFAULT_LINK_WAYS } from '../model/links';
import { createFleetLinks } from './fleetLinks';
import { createLinkedEntities } from './linkedEntities';
import { createLinkHub } from './linkHub';

function entity(
  name: string,
  annotations: Record<string, string>,
  options: {
    readonly owners?: readonly string[];
    readonly dependsOn?: readonly string[];
    readonly kind?: string;
  } = {},
): Entity {
  const { owners = [], dependsOn, kind = 'Component' } = options;
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind,
    metadata: { name, namespace: 'default', annotations },
    spec: dependsOn ? { dependsOn: [...dependsOn] } : {},
    relations: [
      ...owners.map(targetRef => ({ type: 'ownedBy', targetRef })),
      ...(dependsOn ?? []).map(targetRef => ({ type: 'dependsOn', targetRef })),
      { type: 'partOf', targetRef: 'system:default/shop' },
    ],
  };
}

const named = (name: string, sets: string, ...owners: string[]) =>
  entity(name, { 'argocd-fleet/applicationset': sets }, { owners });

let version = 0;

function createWorld() {
  const caches = { hub: emptyCache(), other: emptyCache() };
  let catalog = catalogServiceMock({ entities: [] });
  const reads: unknown[] = [];
  const onCatalogChange = jest.fn();
  const linked = createLinkedEntities({
    auth: mockServices.auth(),
    catalog: {
      streamEntities(query, options) {
        reads.push(query);
        return catalog.streamEntities(query, options);
      },
    },
    links: createFleetLinks({
      hubs: Object.entries(caches).map(([name, cache]) =>
        createLinkHub({ name, cache, instances: [] }),
      ),
      ways: DEFAULT_LINK_WAYS,
    }),
    onCatalogChange,
  });
  const changed: string[] = [];
  linked.onChange(({ hub, name }) => changed.push(`${hub}:${name}`));
  return {
    linked,
    onCatalogChange,
    reads,
    /** The ApplicationSets whose links changed since the last call. */
    changes: () => [...new Set(changed.splice(0))].sort(),
    read: () => linked.task.fn(new AbortController().signal),
    entities(...entities: Entity[]) {
      catalog = catalogServiceMock({ entities });
    },
    catalogFails() {
      catalog = {
        streamEntities: () => ({
          [Symbol.asyncIterator]: () => ({
            next: () => Promise.reject(new Error('The catalog is down')),
          }),
        }),
      } as unknown as typeof catalog;
    },
    set(hub: keyof typeof caches, name: string, labels = {}) {
      version += 1;
      const made = pullApplicationSet(name) as ArgoApplicationSet;
      const set = {
        ...made,
        metadata: {
          ...made.metadata,
          namespace: 'argocd',
          uid: `uid-${hub}-${name}`,
          resourceVersion: String(version),
          labels,
        },
      };
      caches[hub].applyWriteResult('applicationSets', set);
      return set;
    },
    application(
      hub: keyof typeof caches,
      set: ArgoApplicationSet,
      name: string,
      change: (application: ArgoApplication) => ArgoApplication = all => all,
    ) {
      version += 1;
      const made = change(
        pullApplication(name, 'cluster1', {
          ...ownedBy(set),
          namespace: 'argocd',
        }),
      );
      const stored = {
        ...made,
        metadata: {
          ...made.metadata,
          uid: `uid-${hub}-${name}`,
          resourceVersion: String(version),
        },
      };
      caches[hub].applyWriteResult('applications', stored);
      return stored;
    },
    remove(hub: keyof typeof caches, set: ArgoApplicationSet) {
      caches[hub].applyDeletion('applicationSets', set);
    },
    of: (hub: string, name: string) =>
      linked
        .of({ hub, namespace: 'argocd', name })
        .map(({ entityRef, way }) => `${entityRef.split('/')[1]} ${way}`),
    owners: (hub: string, name: string) =>
      linked.ownersOf({ hub, namespace: 'argocd', name }),
  };
}

describe('the entities that are linked to an ApplicationSet', () => {
  it('are those of every way, the explicit ones first, without its own', async () => {
    const world = createWorld();
    const set = world.set('hub', 'shop', { app: 'shop' });
    world.application('hub', set, 'c1-shop');
    world.entities(
      named('z', 'argocd/shop'),
      entity('y', { 'argocd-fleet/selector': 'app=shop' }),
      entity('x', {}, { dependsOn: ['resource:hub.argocd.shop'] }),
      entity('w', { 'argocd/app-name': 'c1-shop' }),
      entity('v', {
        'backstage.io/source-location':
          'url:https://github.com/argoproj/argocd-example-apps/tree/main/guestbook',
      }),
      entity('a', {
        'backstage.io/source-location': 'url:https://x.example/a',
      }),
      {
        ...named('hub.argocd.shop', 'hub:argocd/shop'),
        kind: 'Resource',
      },
    );
    await world.read();
    expect(world.of('hub', 'shop')).toEqual([
      'z annotation',
      'y selector',
      'x relation',
      'w argocdAnnotation',
      'v repository',
    ]);
  });

  it('change with the entity, and only then are the pages told', async () => {
    const world = createWorld();
    world.set('hub', 'shop');
    world.set('hub', 'web');
    world.entities(named('a', 'argocd/shop'));
    await world.read();
    expect(world.changes()).toEqual(['hub:shop']);
    await world.read();
    expect(world.changes()).toEqual([]);
    expect(world.onCatalogChange).toHaveBeenCalledTimes(1);
    world.entities(named('a', 'argocd/web'), named('b', 'argocd/web'));
    await world.read();
    expect(world.changes()).toEqual(['hub:shop', 'hub:web']);
    expect(world.of('hub', 'shop')).toEqual([]);
    expect(world.of('hub', 'web')).toEqual(['a annotation', 'b annotation']);
    world.entities();
    await world.read();
    expect(world.of('hub', 'web')).toEqual([]);
    expect(world.onCatalogChange).toHaveBeenCalledTimes(3);
  });

  it('change with the ApplicationSet and its Applications', async () => {
    const world = createWorld();
    world.entities(
      named('named', 'argocd/shop'),
      entity('selected', { 'argocd-fleet/selector': 'app=shop' }),
      entity('by-name', { 'argocd/app-name': 'c1-shop' }),
      entity('by-label', { 'argocd/app-selector': 'tier=web' }),
      entity('folder', {
        'backstage.io/source-location':
          'url:https://git.example.com/acme/shop/src/branch/main/deploy/',
      }),
    );
    await world.read();
    expect(world.of('hub', 'shop')).toEqual([]);
    const set = world.set('hub', 'shop');
    expect(world.of('hub', 'shop')).toEqual(['named annotation']);
    world.set('hub', 'shop', { app: 'shop' });
    expect(world.of('hub', 'shop')).toEqual([
      'named annotation',
      'selected selector',
    ]);
    world.application('hub', set, 'c1-shop');
    expect(world.of('hub', 'shop')).toContain('by-name argocdAnnotation');
    world.application('hub', set, 'c2-shop', application => ({
      ...application,
      metadata: { ...application.metadata, labels: { tier: 'web' } },
      spec: {
        ...application.spec,
        source: undefined,
        sources: [
          { repoURL: 'https://charts.example.com', chart: 'x' },
          { repoURL: 'git@git.example.com:acme/shop.git', path: 'deploy/eu' },
        ],
      },
    }));
    expect(world.of('hub', 'shop')).toEqual([
      'named annotation',
      'selected selector',
      'by-label argocdAnnotation',
      'by-name argocdAnnotation',
      'folder repository',
    ]);
    world.application('hub', set, 'c2-shop', application => ({
      ...application,
      spec: {
        ...application.spec,
        source: undefined,
        sourceHydrator: {
          drySource: {
            repoURL: 'https://git.example.com/acme/shop',
            path: 'deploy',
          },
          syncSource: { targetBranch: 'live', path: 'x' },
        },
      },
    }));
    expect(world.of('hub', 'shop')).toContain('folder repository');
    expect(world.of('hub', 'shop')).not.toContain('by-label argocdAnnotation');
    world.changes();
    world.remove('hub', set);
    expect(world.of('hub', 'shop')).toEqual([]);
    expect(world.changes()).toEqual(['hub:shop']);
  });

  it('are on every hub that has the ApplicationSet', async () => {
    const world = createWorld();
    world.entities(named('a', 'argocd/shop'), named('b', 'other:argocd/shop'));
    await world.read();
    world.set('other', 'shop');
    expect(world.of('other', 'shop')).toEqual(['a annotation', 'b annotation']);
    world.set('hub', 'shop');
    expect(world.of('hub', 'shop')).toEqual(['a annotation']);
  });

  it('do not count Applications of an earlier ApplicationSet of the same name', async () => {
    const world = createWorld();
    const set = world.set('hub', 'shop');
    world.application('hub', set, 'c1-shop', application => ({
      ...application,
      metadata: {
        ...application.metadata,
        ...ownedBy({ ...set, metadata: { ...set.metadata, uid: 'earlier' } }),
      },
    }));
    world.entities(
      entity('a', { 'argocd/app-name': 'c1-shop' }),
      entity('b', { 'argocd/project-name': 'default' }),
    );
    await world.read();
    expect(world.of('hub', 'shop')).toEqual([]);
  });

  it('stay while the catalog is down', async () => {
    const world = createWorld();
    world.set('hub', 'shop');
    world.entities(named('a', 'argocd/shop'));
    await world.read();
    world.catalogFails();
    await expect(world.read()).rejects.toThrow('The catalog is down');
    expect(world.of('hub', 'shop')).toEqual(['a annotation']);
    world.entities(named('a', 'argocd/shop'));
    await world.read();
    expect(world.onCatalogChange).toHaveBeenCalledTimes(1);
  });

  it('are read less often later, those without an annotation least, and none is lost', async () => {
    const world = createWorld();
    world.set('hub', 'shop');
    world.entities(
      named('a', 'argocd/shop'),
      entity('b', {}, { dependsOn: ['resource:hub.argocd.shop'] }),
    );
    for (let run = 0; run < 60; run += 1) {
      await world.read();
    }
    // 20 at the start; 10 of the 40 later ones, 2 of which read everything.
    expect(world.reads).toHaveLength(30);
    expect(world.of('hub', 'shop')).toEqual(['a annotation', 'b relation']);
    world.entities(
      entity('b', {}, { dependsOn: ['resource:hub.argocd.shop'] }),
    );
    for (let run = 0; run < 5; run += 1) {
      await world.read();
    }
    expect(world.of('hub', 'shop')).toEqual(['b relation']);
  });
});

describe('the owners by links', () => {
  it('are not known before the catalog was read', async () => {
    const world = createWorld();
    world.set('hub', 'shop');
    expect(world.owners('hub', 'shop')).toBeUndefined();
    await world.read();
    expect(world.owners('hub', 'shop')).toEqual([]);
  });

  it('are those of the entities whose annotation names it, also its own', async () => {
    const world = createWorld();
    for (const hub of ['hub', 'other'] as const) {
      world.set(hub, 'shop', { app: 'shop' });
      world.set(hub, 'web');
    }
    world.entities(
      named('a', 'hub:argocd/shop, argocd/web', 'Group:default/Team-A'),
      named('b', 'other:argocd/shop', 'group:default/team-b'),
      named('c', 'argocd/shop', 'user:default/carla'),
      named('e', 'no reference', 'group:default/team-e'),
      {
        ...named('hub.argocd.web', 'hub:argocd/web', 'group:default/platform'),
        kind: 'Resource',
      },
    );
    await world.read();
    expect(world.owners('hub', 'shop')).toEqual([
      'group:default/team-a',
      'user:default/carla',
    ]);
    expect(world.owners('other', 'shop')).toEqual([
      'group:default/team-b',
      'user:default/carla',
    ]);
    expect(world.owners('hub', 'web')).toEqual([
      'group:default/platform',
      'group:default/team-a',
    ]);
    expect(world.owners('other', 'web')).toEqual(['group:default/team-a']);
  });

  it.each<[string, Parameters<typeof entity>[1], string[]]>([
    ['a selector', { 'argocd-fleet/selector': 'app' }, []],
    ['a relation', {}, ['resource:hub.argocd.shop']],
    ['an Application', { 'argocd/app-name': 'c1-shop' }, []],
    ['labels of Applications', { 'argocd/project-name': 'default' }, []],
    [
      'a repository',
      {
        'backstage.io/source-location':
          'url:https://github.com/argoproj/argocd-example-apps/tree/main/guestbook',
      },
      [],
    ],
  ])('are none by %s', async (_, annotations, dependsOn) => {
    const world = createWorld();
    const set = world.set('hub', 'shop', { app: 'shop' });
    world.application('hub', set, 'c1-shop');
    world.entities(
      entity('a', annotations, { dependsOn, owners: ['group:default/team-a'] }),
    );
    await world.read();
    expect(world.of('hub', 'shop')).toHaveLength(1);
    expect(world.owners('hub', 'shop')).toEqual([]);
  });

  it('change without a change of links, and that is reported', async () => {
    const world = createWorld();
    world.set('hub', 'shop');
    world.entities(named('a', 'argocd/shop', 'group:default/a'));
    await world.read();
    world.entities(named('a', 'argocd/shop', 'group:default/b'));
    await world.read();
    expect(world.owners('hub', 'shop')).toEqual(['group:default/b']);
    expect(world.onCatalogChange).toHaveBeenCalledTimes(2);
  });
});
