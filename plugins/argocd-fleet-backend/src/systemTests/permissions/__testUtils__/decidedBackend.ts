import { mockCredentials, mockServices } from '@backstage/backend-test-utils';
import type {
  BackstageCredentials,
  PermissionsService,
} from '@backstage/backend-plugin-api';
import type { Entity } from '@backstage/catalog-model';
import {
  AuthorizeResult,
  type Permission,
  type PolicyDecision,
} from '@backstage/plugin-permission-common';
import {
  createServiceFactory,
  coreServices,
} from '@backstage/backend-plugin-api';
import type { Knex } from 'knex';
import { startFleetBackend } from '../../../__testUtils__/fleetBackend';
import { openSqlite } from '../../../database/__testUtils__/testDatabase';

/** What is decided of a user, by the name of a permission; the rest is allowed. */
export type UserDecisions = Readonly<Record<string, PolicyDecision>>;

const CONTROLLERS = [
  'clusterImport',
  'propagation',
  'applicationStatus',
  'aggregation',
  'resourceSync',
];

/** What users may write on a hub. The mode of propagation holds for their writes too. */
export const WRITTEN = {
  writes: [
    {
      namespaces: ['argocd', 'shops'],
      projects: ['default'],
      repositories: ['https://example.com/repo'],
      destinationNamespaces: ['*'],
      clusterSets: ['*'],
    },
  ],
  controllers: { propagation: { mode: 'manage' } },
};

/** The headers of a user's requests. */
export const headersOf = (user: string) => ({
  Authorization: mockCredentials.user.header(`user:default/${user}`),
});

/**
 * Starts a backend whose policy decides by the user. Every user is in the group team-a.
 * @param decisionsOf - by the name of the user
 */
export async function startDecidedBackend(options: {
  readonly kubeconfigPath: string;
  readonly entities: Entity[];
  readonly decisionsOf: (user: string) => UserDecisions;
}) {
  const { kubeconfigPath, entities, decisionsOf } = options;
  const database = openSqlite();

  function decide(
    permissions: readonly { readonly permission: Permission }[],
    { principal }: BackstageCredentials,
  ): PolicyDecision[] {
    const { userEntityRef = '' } = principal as { userEntityRef?: string };
    const decisions = decisionsOf(userEntityRef.split('/')[1]);
    return permissions.map(
      ({ permission }) =>
        decisions[permission.name] ?? { result: AuthorizeResult.ALLOW },
    );
  }

  const backend = await startFleetBackend({
    argocdFleet: {
      hubs: [
        {
          name: 'hub',
          kubeconfig: { path: kubeconfigPath },
          ...WRITTEN,
        },
        {
          name: 'broken',
          kubeconfig: { path: '/secret/kubeconfig' },
          ...WRITTEN,
        },
      ],
      permissions: { readByLink: true },
      // Only what the suite made is in the timelines and on the hub.
      controllers: Object.fromEntries(
        CONTROLLERS.map(name => [name, { mode: 'off' }]),
      ),
    },
    entities,
    database: createServiceFactory({
      service: coreServices.database,
      deps: {},
      factory: () => ({ getClient: async () => database.knex }),
    }),
    features: [
      mockServices.permissions.mock({
        authorize: async (requests, { credentials }) =>
          decide(requests, credentials),
        authorizeConditional: async (requests, { credentials }) =>
          decide(requests, credentials),
      } as Partial<PermissionsService>).factory,
      createServiceFactory({
        service: coreServices.userInfo,
        deps: {},
        factory: () => ({
          async getUserInfo({ principal }) {
            const { userEntityRef } = principal as unknown as {
              readonly userEntityRef: string;
            };
            return {
              userEntityRef,
              ownershipEntityRefs: [userEntityRef, 'group:default/team-a'],
            };
          },
        }),
      }),
    ],
  });
  return {
    server: backend.server,
    knex: database.knex as Knex,
    async stop() {
      await backend.stop();
      await database.close();
    },
  };
}
