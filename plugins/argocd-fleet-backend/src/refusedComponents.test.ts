import {
  coreServices,
  createBackendModule,
  type SchedulerService,
} from '@backstage/backend-plugin-api';
import { mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import type {
  ArgoApplicationSet,
  Finding,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { emptyCache } from './__testUtils__/emptyCache';
import { oneHub, startFleetBackend } from './__testUtils__/fleetBackend';
import { startTestHub } from './__testUtils__/hubFixture';
import { waitFor } from './__testUtils__/waitFor';
import { createFleetReader } from './fleet';
import { applicationSet } from './model/__testUtils__/applications';
import { DEFAULT_PROPAGATION } from './model/manifestwork';
import { createRefusedComponentsCheck } from './refusedComponents';

const NAMESPACE = 'openshift-gitops';
/** May not define components. */
const TENANT = 'team-a';

interface Definition {
  readonly set: string;
  readonly component: string;
  readonly namespace?: string;
  readonly createdAt?: string;
}

function component(name: string, location: string, sets: string): Entity {
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: {
      name,
      annotations: {
        'backstage.io/managed-by-location': location,
        'argocd-fleet/applicationset': sets,
      },
    },
  };
}

/** What a check finds on a hub with these ApplicationSets. */
async function find(definitions: readonly Definition[], entities: Entity[]) {
  const cache = emptyCache();
  for (const [index, each] of definitions.entries()) {
    const { set, namespace = NAMESPACE, createdAt } = each;
    cache.applyWriteResult('applicationSets', {
      ...applicationSet(),
      metadata: {
        name: set,
        namespace,
        resourceVersion: String(index + 1),
        creationTimestamp: createdAt ?? '2026-01-01T00:00:00Z',
        annotations: { 'argocd-fleet/component': each.component },
      },
    });
  }
  let changes = 0;
  const { of, task } = createRefusedComponentsCheck({
    auth: mockServices.auth(),
    catalog: catalogServiceMock({ entities }),
    hubs: [
      {
        name: 'hub',
        cache,
        reader: createFleetReader({
          cache,
          propagation: () => DEFAULT_PROPAGATION,
        }),
      },
    ],
    onChange: () => {
      changes += 1;
    },
  });
  await task.fn(new AbortController().signal);
  return {
    changes,
    findings: definitions.flatMap(({ set: name, namespace = NAMESPACE }) => {
      const findings = of({ hub: 'hub', namespace, name });
      return findings
        ? [[name, ...findings.map(({ code, object }) => [code, object?.name])]]
        : [];
    }),
  };
}

describe('the check of components', () => {
  const ofSets = component(
    'shop',
    'argocd-fleet:hub/openshift-gitops/first',
    'hub:openshift-gitops/first,hub:openshift-gitops/second',
  );

  it('finds nothing wrong with ApplicationSets that are part of the component', async () => {
    expect(
      await find(
        [
          { set: 'first', component: 'shop' },
          { set: 'second', component: 'Shop' },
        ],
        [ofSets],
      ),
    ).toEqual({ changes: 0, findings: [] });
  });

  it('tenant → component of another owner: says that the ApplicationSet is no part of it', async () => {
    expect(
      await find(
        [
          { set: 'first', component: 'shop' },
          { set: 'attack', component: 'shop' },
        ],
        [ofSets],
      ),
    ).toEqual({ changes: 1, findings: [['attack', ['AFC-444', 'attack']]] });
  });

  it('tenant → component of a catalog file: says that it stays, unless the file names the ApplicationSet', async () => {
    const file = component('shop', 'url:https://example.com', `${NAMESPACE}/a`);
    expect(
      await find(
        [
          { set: 'a', component: 'shop' },
          { set: 'attack', component: 'shop' },
        ],
        [file],
      ),
    ).toEqual({ changes: 1, findings: [['attack', ['AFC-445', 'attack']]] });
  });

  it('leaves out what is not in the catalog yet, what is new, and what the annotations alone refuse', async () => {
    expect(
      await find(
        [
          { set: 'a', component: 'unknown' },
          {
            set: 'b',
            component: 'shop',
            createdAt: new Date().toISOString(),
          },
          { set: 'c', component: 'shop', namespace: 'team-a' },
        ],
        [ofSets],
      ),
    ).toEqual({ changes: 0, findings: [] });
  });

  it('says that the component of another namespace only stays, and nothing where a catalog file names the ApplicationSet', async () => {
    const definition = { component: 'shop', namespace: 'team-a' };
    const sets = [
      { set: 'a', ...definition },
      { set: 'b', ...definition, createdAt: new Date().toISOString() },
      { set: 'c', ...definition },
    ];
    const named = 'hub:team-a/a,hub:team-a/b';
    expect(
      await find(sets, [component('shop', 'argocd-fleet:hub/team-a/a', named)]),
    ).toEqual({
      changes: 1,
      findings: [
        ['a', ['AFC-308', 'a']],
        ['b', ['AFC-308', 'b']],
      ],
    });
    expect(
      await find(sets, [component('shop', 'url:https://example.com', named)]),
    ).toEqual({ changes: 1, findings: [['a'], ['b']] });
  });

  it('is in every answer of the API about the ApplicationSet, instead of what its annotations alone say', async () => {
    const testHub = await startTestHub();
    const place = `${TENANT}/kept`;
    let scheduler: SchedulerService | undefined;
    try {
      await testHub.provideNamespaces(TENANT);
      const set: ArgoApplicationSet = {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: {
          name: 'kept',
          namespace: TENANT,
          annotations: { 'argocd-fleet/component': 'shop' },
        },
        spec: {
          generators: [],
          template: {
            metadata: { name: 'none' },
            spec: {
              project: 'default',
              destination: { name: 'none', namespace: 'none' },
              source: { repoURL: 'https://example.com/shop.git', path: '.' },
            },
          },
        },
      };
      await testHub.admin.create('applicationSets', set);
      const backend = await startFleetBackend({
        argocdFleet: oneHub(testHub.kubeconfigPath),
        entities: [component('shop', `argocd-fleet:hub/${place}`, place)],
        features: [
          createBackendModule({
            pluginId: 'argocd-fleet',
            moduleId: 'test',
            register: ({ registerInit }) =>
              registerInit({
                deps: { own: coreServices.scheduler },
                init: async ({ own }) => {
                  scheduler = own;
                },
              }),
          }),
        ],
      });
      try {
        const codes = async (path: string) => {
          const { body } = await request(backend.server).get(
            `/api/argocd-fleet/${path}`,
          );
          const { findings } =
            body.items?.[0] ?? body.applicationSets?.[0] ?? body;
          return findings?.map(({ code }: Finding) => code) ?? [];
        };
        const paths = [
          'applicationsets',
          `applicationsets/hub/${place}`,
          `applicationsets/hub/${place}/rows`,
          'entities/component/default/shop',
        ];
        await waitFor(async () => (await codes(paths[0])).length > 0);
        for (const path of paths) {
          expect([path, await codes(path)]).toEqual([path, ['AFC-306']]);
        }
        await scheduler!.triggerTask('refused-components');
        await waitFor(async () => (await codes(paths[0])).includes('AFC-308'));
        for (const path of paths) {
          expect([path, await codes(path)]).toEqual([path, ['AFC-308']]);
        }
      } finally {
        await backend.stop();
      }
    } finally {
      await testHub.stop();
    }
  });
});
