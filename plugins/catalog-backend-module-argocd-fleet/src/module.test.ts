import { setTimeout } from 'node:timers/promises';
import { createBackendModule } from '@backstage/backend-plugin-api';
import {
  mockServices,
  startTestBackend,
  type TestBackend,
} from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import catalogPlugin from '@backstage/plugin-catalog-backend';
import { catalogProcessingExtensionPoint } from '@backstage/plugin-catalog-node';
import {
  createFakeFleetApi,
  type FakeFleetApi,
} from './__testUtils__/fakeFleetApi';
import { aCluster, aHub, anApplicationSet } from './__testUtils__/fleet';
import fleetModule from '.';

const TASK = 'argocd-fleet:catalog';

/** A component from a catalog file, linked only by its annotation. */
const shop: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: {
    name: 'shop',
    annotations: {
      'backstage.io/managed-by-location': 'url:https://example.com/shop',
      'backstage.io/managed-by-origin-location': 'url:https://example.com/shop',
      'argocd-fleet/applicationset': 'openshift-gitops/guestbook',
    },
  },
  spec: { type: 'service', lifecycle: 'production', owner: 'team-a' },
};

/** Its provider gives no location key: Backstage lets another provider replace such an entity. */
const till: Entity = {
  ...shop,
  metadata: { ...shop.metadata, name: 'till' },
};

const filesModule = createBackendModule({
  pluginId: 'catalog',
  moduleId: 'files',
  register({ registerInit }) {
    registerInit({
      deps: { catalog: catalogProcessingExtensionPoint },
      async init({ catalog }) {
        catalog.addEntityProvider({
          getProviderName: () => 'files',
          connect: connection =>
            connection.applyMutation({
              type: 'full',
              entities: [
                { entity: shop, locationKey: 'files' },
                { entity: till },
              ],
            }),
        });
      },
    });
  },
});

describe('the catalog with the module', () => {
  let api: FakeFleetApi;
  let backend: TestBackend;
  let runTask: () => Promise<void>;

  beforeEach(async () => {
    api = createFakeFleetApi();
    const scheduler = mockServices.scheduler();
    runTask = () => scheduler.triggerTask(TASK);
    backend = await startTestBackend({
      features: [
        mockServices.rootConfig.factory({
          data: {
            catalog: {
              providers: {
                argocdFleet: { defaultOwner: 'group:default/operators' },
              },
            },
          },
        }),
        mockServices.scheduler.mock({
          createScheduledTaskRunner: schedule =>
            scheduler.createScheduledTaskRunner(schedule),
          scheduleTask: task => scheduler.scheduleTask(task),
        }).factory,
        catalogPlugin,
        fleetModule,
        filesModule,
        api.feature,
      ],
    });
    api.answer = {
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1', 'guestbook'), aCluster('cluster2')],
      applicationSets: [
        anApplicationSet('guestbook', {
          'argocd-fleet/component': 'guestbook',
        }),
      ],
    };
  });

  afterEach(() => backend.stop());

  async function entities(): Promise<Map<string, Entity>> {
    const response = await fetch(
      `http://localhost:${backend.server.port()}/api/catalog/entities`,
    );
    const list: Entity[] = await response.json();
    return new Map(
      list.map(entity => [`${entity.kind}:${entity.metadata.name}`, entity]),
    );
  }

  async function untilCatalogHas(
    check: (all: Map<string, Entity>) => void,
  ): Promise<void> {
    const deadline = Date.now() + 50_000;
    for (;;) {
      try {
        check(await entities());
        return;
      } catch (error) {
        if (Date.now() > deadline) {
          throw error;
        }
        await setTimeout(100);
      }
    }
  }

  const everything = [
    'Component:guestbook',
    'Component:shop',
    'Component:till',
    'Resource:hub.cluster1',
    'Resource:hub.cluster2',
    'Resource:hub.openshift-gitops.guestbook',
  ];

  function dependencies(entity: Entity | undefined): string[] {
    return (entity?.relations ?? [])
      .filter(relation => relation.type === 'dependsOn')
      .map(relation => relation.targetRef);
  }

  it('has clusters, ApplicationSets and components, related to each other', async () => {
    const [guestbook] = api.answer!.applicationSets;
    api.answer = {
      ...api.answer!,
      applicationSets: [
        {
          ...guestbook,
          linkedEntities: [
            'component:default/shop',
            'component:default/guestbook',
          ],
        },
      ],
    };
    await runTask();
    await untilCatalogHas(all => {
      expect([...all.keys()].sort()).toEqual(everything);
      const set = 'resource:default/hub.openshift-gitops.guestbook';
      expect(dependencies(all.get('Component:shop'))).toEqual([set]);
      expect(dependencies(all.get('Component:guestbook'))).toEqual([set]);
      expect(
        dependencies(all.get('Resource:hub.openshift-gitops.guestbook')),
      ).toEqual(['resource:default/hub.cluster1']);
      expect(all.get('Resource:hub.cluster1')?.spec?.owner).toBe(
        'group:default/operators',
      );
    });
  });

  it('adds and removes entities with the fleet', async () => {
    await runTask();
    await untilCatalogHas(all =>
      expect([...all.keys()].sort()).toEqual(everything),
    );
    api.answer = {
      hubs: [aHub('hub')],
      clusters: [aCluster('cluster1'), aCluster('cluster3')],
      applicationSets: [],
    };
    await runTask();
    await untilCatalogHas(all =>
      expect([...all.keys()].sort()).toEqual([
        'Component:shop',
        'Component:till',
        'Resource:hub.cluster1',
        'Resource:hub.cluster3',
      ]),
    );
  });

  it('tenant → component of a provider without a location key: it is not taken over', async () => {
    api.answer = {
      hubs: [aHub('hub')],
      clusters: [],
      applicationSets: [
        anApplicationSet('guestbook', {
          'argocd-fleet/component': 'Till',
          'argocd-fleet/component-owner': 'attackers',
        }),
      ],
    };
    await untilCatalogHas(all =>
      expect([...all.keys()]).toContain('Component:till'),
    );
    await runTask();
    await untilCatalogHas(all => {
      expect([...all.keys()]).toContain(
        'Resource:hub.openshift-gitops.guestbook',
      );
      expect(all.get('Component:till')?.spec?.owner).toBe('team-a');
    });
  });
});

// docs/installation.md says what to do about this line of Backstage's.
it('ends the start with one line when the module is added twice', async () => {
  await expect(
    startTestBackend({
      features: [
        mockServices.rootConfig.factory({ data: {} }),
        // A task would wait for the API, which is not there.
        mockServices.scheduler.factory({ skipTaskRunOnStartup: true }),
        catalogPlugin,
        fleetModule,
        fleetModule,
      ],
    }),
  ).rejects.toThrow(
    "Module 'argocd-fleet' for plugin 'catalog' is already registered",
  );
});
