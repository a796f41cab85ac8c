import {
  NAMESPACE,
  pullApplication,
  pullApplicationSet,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import type { FaultyHub } from './__testUtils__/faultyHub';
import {
  DELIVERED,
  NOT_PULLED,
  REFUSED,
  TENANT_CLUSTER,
  withAnnotations,
  withAppNamespace,
  withPullLabel,
  type ApplicationChange,
} from './__testUtils__/hostileApplications';
import {
  SHARED_CLUSTER,
  startTenantHub,
  TENANT,
  TWIN_UIDS,
  type TenantHub,
} from './__testUtils__/tenantHub';

const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

describe('a tenant who may create Applications in one namespace', () => {
  let tenant: TenantHub;
  let hub: FaultyHub;

  beforeAll(async () => {
    tenant = await startTenantHub();
    ({ hub } = tenant);
  });

  afterAll(() => tenant.stop());

  async function createVictimSet() {
    const set = { namespace: NAMESPACE, name: 'victims' };
    if (!(await hub.admin.get('applicationSets', set))) {
      await hub.admin.create('applicationSets', pullApplicationSet(set.name));
    }
    return (await hub.admin.get('applicationSets', set))!;
  }

  it.each(REFUSED)(
    'gets no ManifestWork with %s, and the finding %s',
    async (_, code, change) => {
      const application = tenant.hostileApplication(change);
      await tenant.expectNoHarm(async () => {
        await hub.admin.create('applications', application);
        await waitFor(async () =>
          (await tenant.findingCodes(application)).includes(code),
        );
      });
      expect(await tenant.workOf(application)).toBeUndefined();
      await tenant.deleteApplication(application);
    },
  );

  it.each(DELIVERED)(
    'is delivered to its own cluster only, with %s',
    async (_, change) => {
      const application = tenant.hostileApplication(change);
      await tenant.expectNoHarm(async () => {
        await hub.admin.create('applications', application);
        const work = await waitFor(() => tenant.workOf(application));
        expect(work.metadata.namespace).toBe(TENANT_CLUSTER);
        await tenant.deleteApplication(application);
      });
    },
  );

  it.each(NOT_PULLED)(
    'gets no ManifestWork with the pull label "%s"',
    async value => {
      const application = tenant.hostileApplication(withPullLabel(value));
      await tenant.expectNoHarm(async () => {
        await hub.admin.create('applications', application);
      });
      expect(await tenant.workOf(application)).toBeUndefined();
      await tenant.deleteApplication(application);
    },
  );

  it.each<[string, ApplicationChange]>([
    [
      'an annotation of a megabyte',
      withAnnotations({ long: 'a'.repeat(1_000_000) }),
    ],
    ['a label that ends with a space', withPullLabel('true ')],
  ])('gets %s rejected by the API server', async (_, change) => {
    await tenant.expectNoHarm(async () => {
      await expect(
        hub.admin.create('applications', tenant.hostileApplication(change)),
      ).rejects.toMatchObject({ kind: 'invalid' });
    });
  });

  it('cannot replace another tenant’s Application on a cluster', async () => {
    const application = withAppNamespace(NAMESPACE)(
      pullApplication('victim-too', SHARED_CLUSTER, { namespace: TENANT }),
    );
    await tenant.expectNoHarm(async () => {
      await hub.admin.create('applications', application);
      await waitFor(async () =>
        (await tenant.findingCodes(application)).includes('AFC-113'),
      );
    });
    expect(await tenant.workOf(application)).toBeUndefined();
    await tenant.deleteApplication(application);
  });

  it('gets a ManifestWork of its own beside an Application with the same name and the same first UID characters (section 4, item 7)', async () => {
    const works = (await hub.works())
      .map(({ metadata: { name } }) => name)
      .filter(name => name.includes('twin'));
    const [ofVictim, ofTenant] = await Promise.all(
      [NAMESPACE, TENANT].map(namespace =>
        tenant.workOf({ metadata: { namespace, name: 'twin' } }),
      ),
    );
    // Both are created at the same time; who comes first gets the short name.
    const short = `twin-${TWIN_UIDS[TENANT].slice(0, 5)}`;
    expect([
      [short, `twin-${TWIN_UIDS[TENANT]}`],
      [`twin-${TWIN_UIDS[NAMESPACE]}`, short],
    ]).toContainEqual([ofVictim?.metadata.name, ofTenant?.metadata.name]);
    expect(works).toHaveLength(2);
  });

  it('gets a ManifestWork of its own for an Application named like another’s ManifestWork', async () => {
    const victims = await tenant.workOf(pullApplication('victim', 'one'));
    const application = pullApplication(
      victims!.metadata.name,
      TENANT_CLUSTER,
      {
        namespace: TENANT,
      },
    );
    await tenant.expectNoHarm(async () => {
      await hub.admin.create('applications', application);
      const { metadata } = await waitFor(() => tenant.workOf(application));
      expect(metadata.name).not.toBe(application.metadata.name);
      await tenant.deleteApplication(application);
    });
  });

  it('gets a ManifestWork with a valid name for an Application name of 253 characters (section 4, item 7)', async () => {
    const application = pullApplication('a'.repeat(253), TENANT_CLUSTER, {
      namespace: TENANT,
    });
    await tenant.expectNoHarm(async () => {
      await hub.admin.create('applications', application);
      const { metadata } = await waitFor(() => tenant.workOf(application));
      expect(metadata.name.length).toBeLessThanOrEqual(188);
      await tenant.deleteApplication(application);
    });
  });

  it('does not block others with an Application that is never fully deleted', async () => {
    const application = tenant.hostileApplication(it => ({
      ...it,
      metadata: {
        ...it.metadata,
        finalizers: ['a.example.com/never', FINALIZER],
      },
    }));
    await tenant.expectNoHarm(async () => {
      await hub.admin.create('applications', application);
      await waitFor(() => tenant.workOf(application));
      await hub.admin.delete('applications', application.metadata);
      await waitFor(async () => !(await tenant.workOf(application)));
    });
    const left = await waitFor(async () => {
      const it = await hub.admin.get('applications', application.metadata);
      return it?.metadata.finalizers?.length === 1 && it;
    });
    expect(left.metadata.finalizers).toEqual(['a.example.com/never']);
    await hub.admin.patch('applications', application.metadata, {
      metadata: { finalizers: null },
    });
  });

  it.each([
    ['that does not exist', { name: 'missing', uid: 'missing' }],
    ['of another namespace', { name: 'victims', uid: undefined }],
  ])(
    'changes no report with an Application owned by an ApplicationSet %s',
    async (_, { name, uid }) => {
      const set = await createVictimSet();
      const reports = await hub.admin.list('reports');
      const application = tenant.hostileApplication(it => ({
        ...it,
        metadata: {
          ...it.metadata,
          ownerReferences: [
            {
              apiVersion: 'argoproj.io/v1alpha1',
              kind: 'ApplicationSet',
              name,
              uid: uid ?? set.metadata.uid!,
            },
          ],
        },
      }));
      await tenant.expectNoHarm(async () => {
        await hub.admin.create('applications', application);
        // Kubernetes collects an object whose owner does not exist.
        await waitFor(
          async () =>
            !(await hub.admin.get('applications', application.metadata)),
        );
        await waitFor(async () => !(await tenant.workOf(application)));
      });
      expect(await hub.admin.list('reports')).toEqual(reports);
    },
  );
});
