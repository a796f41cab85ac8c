import {
  mockCredentials,
  type TestBackend,
} from '@backstage/backend-test-utils';
import {
  type ArgoApplication,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../../__testUtils__/hubFixture';
import {
  managedCluster,
  ownedBy,
  pullApplication,
  pullApplicationSet,
} from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { CONTROLLER_NAMES } from '../../../config/controllerNames';
import { decide, setOf } from './decide';
import { policyOf } from './policy';
import { BASE } from './api';

/** Two teams that must not learn of each other: their namespaces, and a word in all their texts. */
export const TWO_TENANTS = [
  { namespace: 'team-a', user: 'user:default/alice', secret: 'wordofalice' },
  { namespace: 'team-b', user: 'user:default/bob', secret: 'wordofbob' },
] as const;

/** A small fleet of two teams, and a backend that runs on it. */
export interface TwoTenants {
  readonly testHub: TestHub;
  readonly backend: TestBackend;
  /** Parts of paths that name something. */
  readonly names: readonly string[];
  stop(): Promise<void>;
}

/** Not the user whom the tests' authentication takes those for who do not sign in. */
const ADMINISTRATOR = 'user:default/root';

/** Header of a user who may see everything. */
export const ADMINISTRATOR_HEADER = mockCredentials.user.header(ADMINISTRATOR);

const WRITES = {
  namespaces: TWO_TENANTS.map(({ namespace }) => namespace),
  projects: ['*'],
  repositories: ['https://example.com'],
  destinationNamespaces: ['*'],
  clusterSets: ['*'],
};

/**
 * Starts hub and backend; resolves once the API shows both teams' ApplicationSets.
 * @param prepare - changes the hub before the backend starts
 */
export async function startTwoTenants(
  prepare: (testHub: TestHub) => Promise<void> = async () => {},
): Promise<TwoTenants> {
  const testHub = await startTestHub();
  const { admin } = testHub;
  for (const { namespace, secret } of TWO_TENANTS) {
    const cluster = `${namespace}-cluster`;
    await testHub.provideNamespaces(namespace, cluster);
    await admin.create(
      'clusters',
      managedCluster(cluster, { [setOf(namespace)]: 'true' }),
    );
    await decide(testHub, namespace, [cluster]);
    const set = withWord(pullApplicationSet('shop'), namespace, secret);
    await admin.create('applicationSets', set);
    const owner = await admin.get('applicationSets', {
      namespace,
      name: 'shop',
    });
    const application = pullApplication('shop-app', cluster, {
      ...ownedBy(owner),
    });
    await admin.create(
      'applications',
      withWord(application, namespace, secret),
    );
  }
  await prepare(testHub);
  const backend = await startFleetBackend({
    features: [policyOf(TWO_TENANTS, [ADMINISTRATOR])],
    argocdFleet: oneHub(
      testHub.kubeconfigPath,
      {
        controllers: Object.fromEntries(
          CONTROLLER_NAMES.map(name => [name, { fullPassEvery: '200ms' }]),
        ),
      },
      { writes: [WRITES] },
    ),
  });
  await waitFor(async () => {
    const { body } = await request(backend.server)
      .get(`${BASE}/applicationsets`)
      .set('authorization', ADMINISTRATOR_HEADER);
    return body.items?.length === TWO_TENANTS.length;
  });
  return {
    testHub,
    backend,
    names: [
      'hub',
      'https://example.com/shop.git',
      ...['shop', 'shop-app', 'missing', 'component', 'default'],
      ...TWO_TENANTS.flatMap(({ namespace }) => [
        namespace,
        `${namespace}-cluster`,
      ]),
    ],
    async stop() {
      await backend.stop();
      await testHub.stop();
    },
  };
}

function withWord(
  object: KubernetesObject,
  namespace: string,
  secret: string,
): KubernetesObject {
  const { metadata } = object;
  const { spec } = object as ArgoApplication;
  return {
    ...object,
    metadata: {
      ...metadata,
      namespace,
      annotations: { ...metadata.annotations, 'argocd-fleet/word': secret },
    },
    spec: { ...spec, info: [{ name: secret, value: secret }] },
  } as KubernetesObject;
}
