import type { Entity } from '@backstage/catalog-model';
import type {
  CatalogFields,
  InventoryApplicationSet,
  InventoryCluster,
} from 'backstage-plugin-argocd-fleet-common';
import {
  aCluster,
  aHub,
  anApplicationSet,
  createInventoryAnswers,
} from './__testUtils__/fleet';
import { fleetComponents, fleetResources } from './fleetEntities';
import { updateFleetInventory } from './fleetInventory';

const OWNER = 'group:default/platform';
const OPTIONS = { defaultOwner: OWNER, appUrl: 'https://portal.example/' };

function entitiesOf(
  clusters: readonly InventoryCluster[],
  applicationSets: readonly InventoryApplicationSet[],
  existing: ReadonlyMap<string, Entity> = new Map(),
) {
  const hubs = [
    ...new Set([
      ...clusters.map(cluster => cluster.hub),
      ...applicationSets.map(set => set.ref.hub),
    ]),
  ].map(name => aHub(name));
  const { inventory } = updateFleetInventory(
    undefined,
    createInventoryAnswers()({ clusters, applicationSets, hubs }),
  );
  const { entities, problems } = fleetComponents(inventory, OPTIONS, existing);
  return {
    entities: [...fleetResources(inventory, OPTIONS), ...entities],
    problems,
  };
}

describe('what the configuration maps', () => {
  const fields: CatalogFields = {
    owner: 'Team-Edge',
    lifecycle: 'production',
    system: 'stores',
    tags: ['EU', 'eu', 'a_b', 'x'.repeat(64), 'store:edge'],
    annotations: { 'kubernetes.io/auth-provider': 'oidc' },
    links: [{ url: 'https://console.example', title: 'Console' }],
  };

  it('is in the entity of a cluster, without what the catalog would refuse', () => {
    const { entities } = entitiesOf([{ ...aCluster('cluster1'), fields }], []);
    expect(entities).toMatchObject([
      {
        metadata: {
          tags: ['eu', 'store:edge'],
          links: fields.links,
          annotations: {
            'kubernetes.io/auth-provider': 'oidc',
            'backstage.io/managed-by-location': 'argocd-fleet:hub/cluster1',
          },
        },
        spec: {
          owner: 'group:default/team-edge',
          lifecycle: 'production',
          system: 'system:default/stores',
        },
      },
    ]);
  });

  it.each(['a b', 'a:b:c', ''])('cannot make %j an owner or a system', text => {
    const { entities } = entitiesOf(
      [{ ...aCluster('cluster1'), fields: { owner: text, system: text } }],
      [],
    );
    expect(entities[0].spec).toEqual({
      type: 'kubernetes-cluster',
      owner: OWNER,
    });
  });

  it('cannot replace where an entity comes from', () => {
    const { entities } = entitiesOf(
      [
        {
          ...aCluster('cluster1'),
          fields: {
            annotations: { 'backstage.io/managed-by-location': 'url:x' },
          },
        },
      ],
      [],
    );
    expect(
      entities[0].metadata.annotations?.['backstage.io/managed-by-location'],
    ).toBe('argocd-fleet:hub/cluster1');
  });

  it('comes after the annotation of an ApplicationSet that names its owner', () => {
    const ownerOf = (annotations?: Record<string, string>) =>
      entitiesOf([], [{ ...anApplicationSet('a', annotations), fields }])
        .entities[0].spec?.owner;
    expect(ownerOf()).toBe('group:default/team-edge');
    expect(ownerOf({ 'argocd-fleet/component-owner': 'team-a' })).toBe(
      'group:default/team-a',
    );
  });

  it('adds to the links of an ApplicationSet: its page, its repository and Argo CD', () => {
    const set = {
      ...anApplicationSet('guestbook'),
      sources: [
        { repoURL: 'git@example.com:acme/shop.git' },
        { repoURL: 'https://example.com/acme/shop.git' },
      ],
      fields: {
        links: [{ url: 'https://argocd.example/x', title: 'Argo CD' }],
      },
    };
    expect(entitiesOf([], [set]).entities[0].metadata.links).toEqual([
      {
        url: 'https://portal.example/argocd-fleet/hub/openshift-gitops/guestbook',
        title: 'Fleet',
      },
      { url: 'https://example.com/acme/shop', title: 'Repository' },
      { url: 'https://argocd.example/x', title: 'Argo CD' },
    ]);
  });
});

describe('the entities that are linked to an ApplicationSet', () => {
  const linked = (clusters: number) => {
    const { entities } = entitiesOf(
      Array.from({ length: clusters }, (_, index) =>
        aCluster(`c${index}`, 'guestbook'),
      ),
      [
        {
          ...anApplicationSet('guestbook'),
          linkedEntities: ['component:default/a', 'component:default/b'],
        },
      ],
    );
    const { dependencyOf, dependsOn } = entities[entities.length - 1].spec!;
    return [dependencyOf, (dependsOn as string[]).length];
  };

  it('depend on it, within the limit of relations', () => {
    const both = ['component:default/a', 'component:default/b'];
    expect(linked(498)).toEqual([both, 498]);
    expect(linked(499)).toEqual([both, 0]);
  });
});

describe('the entities of the fleet', () => {
  it('have a resource for every cluster, and for every ApplicationSet with its clusters as dependencies', () => {
    const { entities } = entitiesOf(
      [aCluster('cluster2', 'guestbook'), aCluster('cluster1', 'guestbook')],
      [anApplicationSet('guestbook')],
    );
    expect(entities).toEqual([
      expect.objectContaining({
        kind: 'Resource',
        metadata: expect.objectContaining({
          name: 'hub.cluster2',
          title: 'cluster2',
        }),
        spec: { type: 'kubernetes-cluster', owner: OWNER },
      }),
      expect.objectContaining({
        metadata: expect.objectContaining({ name: 'hub.cluster1' }),
      }),
      expect.objectContaining({
        kind: 'Resource',
        metadata: expect.objectContaining({
          name: 'hub.openshift-gitops.guestbook',
          title: 'guestbook',
          annotations: expect.objectContaining({
            'argocd-fleet/applicationset': 'hub:openshift-gitops/guestbook',
          }),
        }),
        spec: {
          type: 'argocd-applicationset',
          owner: OWNER,
          dependsOn: [
            'resource:default/hub.cluster1',
            'resource:default/hub.cluster2',
          ],
        },
      }),
    ]);
  });

  it.each([
    [500, 500],
    [501, 0],
  ])(
    'have, for an ApplicationSet on %i clusters, relations to %i of them',
    (clusters, relations) => {
      const { entities } = entitiesOf(
        Array.from({ length: clusters }, (_, at) =>
          aCluster(`cluster${at}`, 'guestbook'),
        ),
        [anApplicationSet('guestbook')],
      );
      expect(entities).toHaveLength(clusters + 1);
      expect(entities.at(-1)?.spec?.dependsOn).toHaveLength(relations);
    },
  );

  it('say of an ApplicationSet how its Applications are delivered, also where they are of several models', () => {
    const deliveryModels = [
      { model: 'pull' as const, applications: 2 },
      { model: 'agent' as const, applications: 1 },
    ];
    const { entities } = entitiesOf(
      [],
      [
        anApplicationSet('guestbook'),
        { ...anApplicationSet('moving'), deliveryModels },
      ],
    );
    expect(entities.map(({ metadata }) => metadata.description)).toEqual([
      'ApplicationSet openshift-gitops/guestbook of the hub hub, pulled by its clusters',
      'ApplicationSet openshift-gitops/moving of the hub hub, in part pulled by its clusters, in part delivered by argocd-agent',
    ]);
  });

  it('have the hub in their titles when there are several', () => {
    const { entities } = entitiesOf(
      [aCluster('east/cluster1'), aCluster('west/cluster1')],
      [],
    );
    expect(entities.map(entity => entity.metadata.title)).toEqual([
      'cluster1 (east)',
      'cluster1 (west)',
    ]);
  });

  it('have the component that an ApplicationSet names', () => {
    const { entities, problems } = entitiesOf(
      [],
      [
        anApplicationSet('guestbook', {
          'argocd-fleet/component': 'guestbook',
          'argocd-fleet/component-owner': 'team-a',
          'argocd-fleet/component-title': 'Guest book',
          'argocd-fleet/component-description': 'Where guests write',
        }),
      ],
    );
    expect(problems).toEqual([]);
    expect(entities[0].spec?.owner).toBe('group:default/team-a');
    expect(entities[1]).toMatchObject({
      kind: 'Component',
      metadata: {
        name: 'guestbook',
        title: 'Guest book',
        description: 'Where guests write',
        annotations: {
          'argocd-fleet/applicationset': 'hub:openshift-gitops/guestbook',
          'backstage.io/managed-by-location':
            'argocd-fleet:hub/openshift-gitops/guestbook',
          'backstage.io/source-location':
            'url:https://github.com/argoproj/argocd-example-apps',
        },
      },
      spec: {
        type: 'service',
        lifecycle: 'production',
        owner: 'group:default/team-a',
        dependsOn: ['resource:default/hub.openshift-gitops.guestbook'],
      },
    });
  });

  it('builds one component for ApplicationSets that name the same one', () => {
    const { entities } = entitiesOf(
      [],
      [
        anApplicationSet('west/b', { 'argocd-fleet/component': 'Shop' }),
        anApplicationSet('east/a', { 'argocd-fleet/component': 'shop' }),
      ],
    );
    const components = entities.filter(entity => entity.kind === 'Component');
    expect(components).toHaveLength(1);
    expect(components[0].metadata.annotations).toMatchObject({
      'argocd-fleet/applicationset':
        'east:openshift-gitops/a,west:openshift-gitops/b',
    });
  });

  it('uses the default owner when the annotation is not a reference, and reports it', () => {
    const { entities, problems } = entitiesOf(
      [],
      [
        anApplicationSet('guestbook', {
          'argocd-fleet/component': 'guestbook',
          'argocd-fleet/component-owner': 'a:b:c/d/e',
        }),
      ],
    );
    expect(entities.map(entity => entity.spec?.owner)).toEqual([OWNER, OWNER]);
    expect(problems).toEqual([expect.stringContaining('"a:b:c/d/e"')]);
  });
});

describe('components whose names several tenants want', () => {
  const component = (owner?: string) => ({
    'argocd-fleet/component': 'shop',
    'argocd-fleet/component-title': `Shop of ${owner}`,
    ...(owner && { 'argocd-fleet/component-owner': owner }),
  });
  const victim = anApplicationSet('z-shop', component('team-victim'), {
    namespace: 'team-victim',
    createdAt: '2026-01-01T00:00:00Z',
  });
  const theirs = (annotations: Record<string, string>) =>
    anApplicationSet('a-shop', annotations, {
      namespace: 'team-attacker',
      createdAt: '2026-02-01T00:00:00Z',
    });
  const componentsOf = (...parameters: Parameters<typeof entitiesOf>) => {
    const { entities, problems } = entitiesOf(...parameters);
    return {
      components: entities.filter(({ kind }) => kind === 'Component'),
      problems,
    };
  };

  it('tenant → older component: neither takes it over nor joins it', () => {
    const alone = componentsOf([], [victim]);
    const { components, problems } = componentsOf(
      [],
      [theirs(component('team-attacker')), victim],
    );
    expect(components).toEqual(alone.components);
    expect(problems).toEqual([
      expect.stringMatching(
        /^ApplicationSet team-attacker\/a-shop .* older ApplicationSet team-victim\/z-shop/,
      ),
    ]);
  });

  it('tenant that names no owner → older component: the same', () => {
    expect(componentsOf([], [theirs(component()), victim]).components).toEqual(
      componentsOf([], [victim]).components,
    );
  });

  it('chooses by hub, namespace and name among those that were created in the same second', () => {
    const sets = ['west/a', 'east/b', 'east/a'].map(path =>
      anApplicationSet(path, component(path), {
        createdAt: '2026-01-01T00:00:00Z',
      }),
    );
    const { components, problems } = componentsOf([], sets);
    expect(components.map(({ metadata }) => metadata.title)).toEqual([
      'Shop of east/a',
    ]);
    expect(problems).toHaveLength(2);
  });

  it('tenant → component of a catalog file: it is left out, and reported', () => {
    const { components, problems } = componentsOf(
      [],
      [theirs(component('team-attacker'))],
      new Map([['component:default/shop', fromFile({})]]),
    );
    expect(components).toEqual([]);
    expect(problems).toEqual([
      expect.stringMatching(/component:default\/shop.*url:https:\/\/example/),
    ]);
  });

  it('says nothing about a catalog file that names the ApplicationSet', () => {
    const annotation = {
      'argocd-fleet/applicationset': 'team-victim/z-shop',
    };
    expect(
      componentsOf(
        [],
        [victim],
        new Map([['component:default/shop', fromFile(annotation)]]),
      ),
    ).toEqual({ components: [], problems: [] });
  });

  describe('in a namespace that may not define components, without a list of namespaces', () => {
    const unlisted = anApplicationSet('shop', component('team-a'), {
      namespace: 'team-a',
      createdAt: '2025-01-01T00:00:00Z',
      existingOnly: true,
    });

    it('makes none, and names the setting', () => {
      const { components, problems } = componentsOf([], [unlisted]);
      expect(components).toEqual([]);
      expect(problems).toEqual([
        expect.stringContaining('argocdFleet.components.namespaces'),
      ]);
    });

    it('keeps the one that was made of it', () => {
      const permitted = { ...unlisted, component: { ...unlisted.component! } };
      delete permitted.component.existingOnly;
      const [made] = componentsOf([], [permitted]).components;
      const { components, problems } = componentsOf(
        [],
        [unlisted],
        new Map([['component:default/shop', made]]),
      );
      expect(components).toEqual([made]);
      expect(problems).toEqual([
        expect.stringContaining('argocdFleet.components.namespaces'),
      ]);
    });

    it('tenant of a listed namespace → kept, older component: does not take it over', () => {
      const permitted = { ...unlisted, component: { ...unlisted.component! } };
      delete permitted.component.existingOnly;
      const [made] = componentsOf([], [permitted]).components;
      const { components, problems } = componentsOf(
        [],
        [theirs(component('team-attacker')), unlisted],
        new Map([['component:default/shop', made]]),
      );
      expect(components).toEqual([made]);
      expect(problems).toContainEqual(
        expect.stringMatching(
          /^ApplicationSet team-attacker\/a-shop .* older ApplicationSet team-a\/shop/,
        ),
      );
    });

    it('does not keep the one of another ApplicationSet', () => {
      const made = componentsOf([], [victim]).components[0];
      const { components } = componentsOf(
        [],
        [unlisted],
        new Map([['component:default/shop', made]]),
      );
      expect(components).toEqual([]);
    });
  });
});

function fromFile(annotations: Record<string, string>): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name: 'shop',
      annotations: {
        'backstage.io/managed-by-location': 'url:https://example.com/shop',
        ...annotations,
      },
    },
  };
}
