import type {
  Cluster,
  ApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';
import { aCluster, aHub, anApplicationSet } from './__testUtils__/fleet';
import { fleetEntities } from './fleetEntities';
import { updateFleetInventory } from './fleetInventory';

const OWNER = 'group:default/platform';

function entitiesOf(
  clusters: readonly Cluster[],
  applicationSets: readonly ApplicationSet[],
) {
  const hubs = [
    ...new Set([
      ...clusters.map(cluster => cluster.hub),
      ...applicationSets.map(set => set.ref.hub),
    ]),
  ].map(name => aHub(name));
  const inventory = updateFleetInventory(
    undefined,
    { items: [...clusters], hubs },
    { items: [...applicationSets], hubs },
  );
  return fleetEntities(inventory, OWNER);
}

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

  it('leaves out a component with an invalid name, and reports it', () => {
    const { entities, problems } = entitiesOf(
      [],
      [anApplicationSet('guestbook', { 'argocd-fleet/component': 'a b' })],
    );
    expect(entities.map(entity => entity.kind)).toEqual(['Resource']);
    expect(problems).toEqual([
      expect.stringMatching(
        /^ApplicationSet openshift-gitops\/guestbook of the hub hub has .*"a b".*letters, digits/,
      ),
    ]);
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

describe('the inventory of the fleet', () => {
  const before = updateFleetInventory(
    undefined,
    {
      items: [aCluster('east/e1'), aCluster('west/w1')],
      hubs: [aHub('east'), aHub('west')],
    },
    {
      items: [anApplicationSet('west/shop')],
      hubs: [aHub('east'), aHub('west')],
    },
  );

  it('removes objects that a ready hub no longer has', () => {
    const hubs = [aHub('east'), aHub('west')];
    const after = updateFleetInventory(
      before,
      { items: [aCluster('west/w2')], hubs },
      { items: [], hubs },
    );
    expect(after.complete).toBe(true);
    expect(after.hubs.get('east')?.clusters).toEqual([]);
    expect(after.hubs.get('west')).toEqual({
      clusters: [aCluster('west/w2')],
      applicationSets: [],
    });
  });

  it.each(['unreachable', 'starting'] as const)(
    'keeps all objects of a hub that is %s',
    state => {
      const hubs = [aHub('east'), aHub('west', state)];
      const after = updateFleetInventory(
        before,
        { items: [aCluster('west/w2')], hubs },
        { items: [], hubs },
      );
      expect(after.complete).toBe(false);
      expect(after.hubs.get('east')?.clusters).toEqual([]);
      expect(after.hubs.get('west')).toEqual({
        clusters: [aCluster('west/w1'), aCluster('west/w2')],
        applicationSets: [anApplicationSet('west/shop')],
      });
    },
  );

  it('removes a hub that is no longer configured', () => {
    const hubs = [aHub('east')];
    const after = updateFleetInventory(
      before,
      { items: [], hubs },
      { items: [], hubs },
    );
    expect([...after.hubs.keys()]).toEqual(['east']);
  });
});
