import type {
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

function entitiesOf(
  clusters: readonly InventoryCluster[],
  applicationSets: readonly InventoryApplicationSet[],
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
  const { entities, problems } = fleetComponents(inventory, OWNER);
  return {
    entities: [...fleetResources(inventory, OWNER), ...entities],
    problems,
  };
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
