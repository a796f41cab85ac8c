import {
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import { syncedStatus } from '../../__testUtils__/agentReport';
import { NAMESPACE, pullApplication } from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import type { FaultyHub } from './__testUtils__/faultyHub';
import { targeting, TENANT_CLUSTER } from './__testUtils__/hostileApplications';
import {
  startTenantHub,
  TENANT,
  type TenantHub,
} from './__testUtils__/tenantHub';

describe('a tenant who may also create ManifestWorks for its cluster', () => {
  let tenant: TenantHub;
  let hub: FaultyHub;

  beforeAll(async () => {
    tenant = await startTenantHub();
    ({ hub } = tenant);
  });

  afterAll(() => tenant.stop());

  function work(
    name: string,
    annotations: Record<string, string>,
    spec: Partial<ManifestWork['spec']> = {},
  ) {
    return {
      apiVersion: 'work.open-cluster-management.io/v1',
      kind: 'ManifestWork',
      metadata: { name, namespace: TENANT_CLUSTER, annotations },
      spec: {
        workload: { manifests: [pullApplication('any', TENANT_CLUSTER)] },
        ...spec,
      },
    } as KubernetesObject;
  }
  const claimOf = (ns: string, name: string) => ({
    [HUB_APPLICATION_NAMESPACE_ANNOTATION]: ns,
    [HUB_APPLICATION_NAME_ANNOTATION]: name,
  });

  async function reportVictims() {
    const victims = await tenant.workOf(pullApplication('victim', 'one'));
    const { namespace, name } = victims!.metadata;
    await hub.patchStatus('works', { namespace, name }, syncedStatus(victims!));
  }

  it.each([
    ['another’s Application', NAMESPACE, 'victim'],
    ['an Application that does not exist', NAMESPACE, 'missing'],
    ['an Application in a missing namespace', 'missing', 'missing'],
  ])(
    'loses a ManifestWork that claims to belong to %s, and no other is deleted',
    async (_, ns, name) => {
      await tenant.expectNoHarm(async () => {
        const forged = work(`${name}-01234`, claimOf(ns, name));
        await hub.admin.create('works', forged);
        // Where the Application has a work of its own, that has to run first.
        await reportVictims();
        await waitFor(
          async () => !(await hub.admin.get('works', forged.metadata)),
        );
      });
      expect(hub.deletedWorks()).toContain(`${TENANT_CLUSTER} ${name}`);
    },
  );

  it('loses a ManifestWork with the same name as another’s, and no other is deleted', async () => {
    await tenant.expectNoHarm(async () => {
      const victims = await tenant.workOf(pullApplication('victim', 'one'));
      const forged = work(victims!.metadata.name, claimOf(NAMESPACE, 'victim'));
      await hub.admin.create('works', forged);
      await reportVictims();
      await waitFor(
        async () => !(await hub.admin.get('works', forged.metadata)),
      );
    });
    expect(hub.deletedWorks()).not.toContain('one victim');
  });

  it.each([
    ['paths', '..', '../../../../api/v1/namespaces/one'],
    ['a slash', `${NAMESPACE}/victim`, 'status'],
    ['control characters', NAMESPACE, 'victim\u0000\r\nHost: x'],
  ])('does no harm with annotations that contain %s', async (_, ns, name) => {
    const forged = work('forged', claimOf(ns, name));
    await tenant.expectNoHarm(() => hub.admin.create('works', forged));
    expect(hub.deletedWorks()).not.toContain('one victim');
    if (await hub.admin.get('works', forged.metadata)) {
      await hub.admin.delete('works', forged.metadata);
    }
  });

  it('keeps a ManifestWork without claims, whatever its field manager', async () => {
    const foreign = work('foreign', {});
    await tenant.expectNoHarm(async () => {
      await hub.sendAsAdmin(
        'POST',
        `/apis/work.open-cluster-management.io/v1/namespaces/${TENANT_CLUSTER}/manifestworks?fieldManager=argocd-fleet`,
        {
          ...foreign,
          metadata: { ...foreign.metadata, labels: { [PULL_LABEL]: 'true' } },
        },
      );
    });
    expect(await hub.admin.get('works', foreign.metadata)).toMatchObject({
      metadata: { generation: 1 },
    });
  });

  it.each([
    ['without an owner', (): Record<string, string> => ({}), 'uid'],
    ['that is read-only', (name: string) => claimOf(TENANT, name), 'AFC-122'],
  ])(
    'affects only its own Application with a ManifestWork %s under the name that this needs',
    async (_, annotations, outcome) => {
      const application = tenant.hostileApplication(targeting('elsewhere'));
      const { name } = application.metadata;
      await tenant.expectNoHarm(async () => {
        await hub.admin.create('applications', application);
        const { metadata } = (await hub.admin.get(
          'applications',
          application.metadata,
        ))!;
        const obstacle = work(
          `${name}-${metadata.uid!.slice(0, 5)}`,
          annotations(name),
          {
            manifestConfigs: [
              {
                resourceIdentifier: {
                  group: 'argoproj.io',
                  resource: 'applications',
                  namespace: TENANT,
                  name,
                },
                updateStrategy: { type: 'ReadOnly' },
              },
            ],
          },
        );
        await hub.admin.create('works', obstacle);
        await hub.admin.patch('applications', metadata, {
          metadata: {
            annotations: { [MANAGED_CLUSTER_ANNOTATION]: TENANT_CLUSTER },
          },
        });
        await waitFor(async () =>
          outcome === 'uid'
            ? (await tenant.workOf(application))?.metadata.name ===
              `${name}-${metadata.uid}`
            : (await tenant.findingCodes(obstacle)).includes(outcome),
        );
        expect(await hub.admin.get('works', obstacle.metadata)).toMatchObject({
          metadata: { generation: 1 },
        });
        await hub.admin.delete('works', obstacle.metadata);
        await tenant.deleteApplication(application);
      });
    },
  );
});
