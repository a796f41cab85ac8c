import type { TestBackend } from '@backstage/backend-test-utils';
import {
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  type ArgoApplication,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../../__testUtils__/fleetBackend';
import { provideDecision } from '../../../__testUtils__/hubFixture';
import {
  decisionStatus,
  managedCluster,
  namespace,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import { isWrite, startFaultyHub, type FaultyHub } from './faultyHub';
import { TENANT_CLUSTER, type ApplicationChange } from './hostileApplications';

/** Namespace in which the tenant may create Applications. */
export const TENANT = 'tenant';
/** A cluster that the tenant and {@link NAMESPACE} may deliver to. */
export const SHARED_CLUSTER = 'shared';

/** UIDs of two Applications with the same first characters; a real hub would hardly ever generate them. */
export const TWIN_UIDS = {
  [NAMESPACE]: 'c0111de0-0000-4000-8000-000000000001',
  [TENANT]: 'c0111de0-0000-4000-8000-000000000002',
};

type Named = Pick<KubernetesObject, 'metadata'>;

/**
 * A hub with Applications of two namespaces, one of which belongs to a hostile tenant, and a backend that runs on it.
 */
export interface TenantHub {
  readonly hub: FaultyHub;
  /** A new Application of the tenant for its own cluster; it is not created on the hub. */
  hostileApplication(change?: ApplicationChange): ArgoApplication;
  /** Codes of the controllers' findings about the object. */
  findingCodes(object: Named): Promise<string[]>;
  /** The ManifestWork of an Application. */
  workOf(application: Named): Promise<ManifestWork | undefined>;
  /**
   * Runs the attack and expects that other Applications are still delivered, that the works outside the tenant's
   * cluster are the same ones, and that the backend wrote none of them except the one of the changed Application.
   */
  expectNoHarm(attack: () => Promise<void>): Promise<void>;
  /** Deletes an Application and waits until its work is gone. */
  deleteApplication(application: Named): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts the hub and the backend; resolves when the backend has delivered the Applications that the hub begins with.
 */
export async function startTenantHub(): Promise<TenantHub> {
  const hub = await startFaultyHub({
    snapshot: [
      ...[NAMESPACE, TENANT, TENANT_CLUSTER, SHARED_CLUSTER, 'one'].map(
        namespace,
      ),
      ...Object.entries(TWIN_UIDS).map(twin),
    ],
  });
  let count = 0;
  let revision = 0;

  async function decide(ns: string, ...clusters: string[]) {
    const decision = placementDecision('all', ns);
    await provideDecision(hub.admin, 'all', ns);
    await hub.patchStatus(
      'decisions',
      decision.metadata,
      decisionStatus(clusters),
    );
  }

  async function prepare(): Promise<TestBackend> {
    for (const name of [TENANT_CLUSTER, SHARED_CLUSTER, 'one', NAMESPACE]) {
      await hub.admin.create('clusters', managedCluster(name));
    }
    await decide(NAMESPACE, 'one', SHARED_CLUSTER);
    await decide(TENANT, TENANT_CLUSTER, SHARED_CLUSTER);
    await hub.admin.create('applications', pullApplication('victim', 'one'));
    await hub.admin.create(
      'applications',
      pullApplication('victim-too', SHARED_CLUSTER),
    );
    const started = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '1s' } },
      }),
    });
    await waitFor(async () => (await hub.works()).length === 4);
    return started;
  }

  async function workOf({ metadata }: Named) {
    const works = await hub.works();
    return works.find(
      ({ metadata: { annotations = {} } }) =>
        annotations[HUB_APPLICATION_NAME_ANNOTATION] === metadata.name &&
        annotations[HUB_APPLICATION_NAMESPACE_ANNOTATION] ===
          metadata.namespace,
    );
  }

  /** Changes the Application of another namespace and waits until the change is delivered. */
  async function deliverChangeOfVictim() {
    const victim = { namespace: NAMESPACE, name: 'victim' };
    revision += 1;
    await hub.admin.patch('applications', victim, {
      spec: { source: { targetRevision: `v${revision}` } },
    });
    await waitFor(async () => {
      const work = await workOf({ metadata: victim });
      const [payload] = work?.spec.workload?.manifests ?? [];
      const { source } = (payload as ArgoApplication).spec;
      return source?.targetRevision === `v${revision}`;
    });
  }

  async function uidsOfOtherWorks() {
    return (await hub.works())
      .filter(({ metadata }) => metadata.namespace !== TENANT_CLUSTER)
      .map(({ metadata }) => metadata.uid)
      .sort();
  }

  const backend = await prepare();
  return {
    hub,
    hostileApplication(change = application => application) {
      count += 1;
      return change(
        pullApplication(`hostile-${count}`, TENANT_CLUSTER, {
          namespace: TENANT,
        }),
      );
    },
    async findingCodes({ metadata }) {
      const { items } = await getControllers(backend);
      return items
        .flatMap(({ findings }) => findings)
        .filter(
          ({ object }) =>
            object?.name === metadata.name &&
            object?.namespace === metadata.namespace,
        )
        .map(({ code }) => code);
    },
    workOf,
    async expectNoHarm(attack) {
      const requestsBefore = hub.backendRequests().length;
      const uidsBefore = await uidsOfOtherWorks();
      await attack();
      await deliverChangeOfVictim();
      expect(await uidsOfOtherWorks()).toEqual(uidsBefore);
      const written = hub
        .backendRequests()
        .slice(requestsBefore)
        .filter(
          request => isWrite(request) && request.resource === 'manifestworks',
        )
        .filter(
          ({ namespace: ns, name }) =>
            ns !== TENANT_CLUSTER &&
            !(ns === 'one' && name?.startsWith('victim-')),
        );
      expect(written).toEqual([]);
    },
    async deleteApplication({ metadata }) {
      await hub.admin.patch('applications', metadata, {
        metadata: { finalizers: null },
      });
      await hub.admin.delete('applications', metadata);
      await waitFor(async () => !(await workOf({ metadata })));
    },
    async stop() {
      await backend.stop();
      await hub.stop();
    },
  };
}

function twin([ns, uid]: [string, string]) {
  const { metadata, ...rest } = pullApplication('twin', SHARED_CLUSTER, {
    namespace: ns,
  });
  return { ...rest, metadata: { ...metadata, uid } };
}
