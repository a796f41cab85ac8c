import type { TestBackend } from '@backstage/backend-test-utils';
import {
  CLUSTER_SET_LABEL,
  PLACEMENT_LABEL,
  type ArgoApplication,
  type Finding,
  type KubernetesObject,
  type ManifestWork,
  type Placement,
} from 'backstage-plugin-argocd-fleet-common';
import { deployedRbac, rbacResource } from '../../__testUtils__/deployedRbac';
import {
  getControllers,
  oneHub,
  startFleetBackend,
} from '../../__testUtils__/fleetBackend';
import { startTestHub, type TestHub } from '../../__testUtils__/hubFixture';
import {
  boundSet,
  clusterSet,
  controlledBy,
  decisionStatus,
  managedCluster,
  NAMESPACE,
  placement,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';

const TENANT = 'tenant';
/** Of the set `production`, which is bound to {@link NAMESPACE} only. */
const VICTIM = 'victim';
/** Of the set `team`, which is bound to {@link TENANT}. */
const OWN = 'own';
/** Of the set `team`, and no decision of the tenant's Placement names it. */
const SPARE = 'spare';
const FORGED = { namespace: TENANT, name: 'forged-decision-1' };

/** What a tenant who may write PlacementDecisions does to deliver to clusters that no Placement selects for it. */
describe('decisions that no Placement of the namespace made', () => {
  let testHub: TestHub;
  let backend: TestBackend | undefined;
  let admin: TestHub['admin'];

  beforeEach(async () => {
    testHub = await startTestHub();
    ({ admin } = testHub);
    await testHub.provideNamespaces(NAMESPACE, TENANT, VICTIM, OWN, SPARE);
    for (const [name, set] of [
      [VICTIM, 'production'],
      [OWN, 'team'],
      [SPARE, 'team'],
    ]) {
      await admin.create(
        'clusters',
        managedCluster(name, { [CLUSTER_SET_LABEL]: set }),
      );
    }
    await admin.create('clusterSets', clusterSet('team'));
    await admin.create('clusterSets', clusterSet('production'));
    await admin.create('clusterSetBindings', boundSet('team', TENANT));
    await admin.create('clusterSetBindings', boundSet('production'));
    await decide(TENANT, OWN);
    await decide(NAMESPACE, VICTIM);
    await admin.create('applications', pullApplication('victim', VICTIM));
    await admin.create('applications', tenantApplication('genuine', OWN));
  });

  afterEach(async () => {
    await backend?.stop();
    backend = undefined;
    await testHub.stop();
  });

  /** As Open Cluster Management does for a Placement `all`. */
  async function decide(ns: string, ...clusters: string[]) {
    await admin.create('placements', placement('all', ns));
    const { metadata, ...rest } = placementDecision('all', ns);
    await admin.create('decisions', {
      ...rest,
      metadata: {
        ...metadata,
        ownerReferences: [controlledBy(await placementOf(ns))],
      },
    });
    await testHub.patchStatus('decisions', metadata, decisionStatus(clusters));
  }

  async function placementOf(ns: string): Promise<Placement> {
    return (await admin.get('placements', { namespace: ns, name: 'all' }))!;
  }

  async function forge(
    metadata: Partial<KubernetesObject['metadata']>,
    ...clusters: string[]
  ) {
    const { metadata: _, ...rest } = placementDecision('all');
    await admin.create('decisions', {
      ...rest,
      metadata: { ...metadata, ...FORGED },
    });
    await testHub.patchStatus('decisions', FORGED, decisionStatus(clusters));
  }

  function tenantApplication(name: string, cluster: string): ArgoApplication {
    return pullApplication(name, cluster, { namespace: TENANT });
  }

  async function start(more = {}) {
    backend = await startFleetBackend({
      argocdFleet: oneHub(testHub.kubeconfigPath, {
        controllers: {
          clusterImport: { mode: 'off' },
          propagation: { fullPassEvery: '500ms' },
        },
        ...more,
      }),
    });
  }

  async function stop() {
    await backend?.stop();
    backend = undefined;
  }

  async function findingsOf(name: string): Promise<Finding[]> {
    const { items } = await getControllers(backend!);
    return items
      .flatMap(({ findings }) => findings)
      .filter(
        ({ object }) => object?.name === name && object.namespace === TENANT,
      );
  }

  async function hasFinding(name: string, code: string) {
    return (await findingsOf(name)).find(finding => finding.code === code);
  }

  async function works(): Promise<readonly ManifestWork[]> {
    return admin.list('works');
  }

  /** `<cluster> <Application>` of every work, sorted. */
  async function delivered() {
    return (await works())
      .map(({ metadata, spec }) => {
        const [payload] = spec.workload?.manifests ?? [];
        return `${metadata.namespace} ${payload?.metadata?.name}`;
      })
      .sort();
  }

  async function revisionOf(name: string) {
    const found = (await works()).find(
      ({ spec }) => spec.workload?.manifests?.[0]?.metadata?.name === name,
    );
    const [payload] = found?.spec.workload?.manifests ?? [];
    return (payload as ArgoApplication | undefined)?.spec.source
      ?.targetRevision;
  }

  async function changeRevision(name: string, targetRevision: string) {
    await admin.patch(
      'applications',
      { namespace: TENANT, name },
      { spec: { source: { targetRevision } } },
    );
  }

  const LABEL = { labels: { [PLACEMENT_LABEL]: 'all' } };

  it.each<
    [
      string,
      string,
      () => Promise<Partial<KubernetesObject['metadata']>>,
      RegExp,
    ]
  >([
    ['without label', SPARE, async () => ({}), /label/],
    ['with the label only', SPARE, async () => LABEL, /ownerReference/],
    [
      'with the label of one Placement and the UID of another',
      SPARE,
      async () => {
        await admin.create('placements', placement('other', TENANT));
        const other = await admin.get('placements', {
          namespace: TENANT,
          name: 'other',
        });
        return { ...LABEL, ownerReferences: [controlledBy(other!)] };
      },
      /UID/,
    ],
    [
      'with a copy of label and owner, for a cluster of a set that is not bound',
      VICTIM,
      async () => ({
        ...LABEL,
        ownerReferences: [controlledBy(await placementOf(TENANT))],
      }),
      /that contains the cluster is bound/,
    ],
  ])(
    'a tenant’s decision %s reaches no cluster',
    async (_, cluster, metadata, reason) => {
      await start();
      await waitFor(async () => (await works()).length === 2);
      await forge(await metadata(), cluster);
      await admin.create('applications', tenantApplication('attack', cluster));
      const finding = await waitFor(() => hasFinding('attack', 'AFC-115'));
      expect(finding.evidence).toMatch(reason);
      expect(await delivered()).toEqual([`${OWN} genuine`, `${VICTIM} victim`]);
      // The tenant's own Applications go on.
      await changeRevision('genuine', 'v2');
      await waitFor(async () => (await revisionOf('genuine')) === 'v2');
      expect(await delivered()).toEqual([`${OWN} genuine`, `${VICTIM} victim`]);
    },
  );

  it('a tenant’s binding for another set than its name says reaches no cluster of that set', async () => {
    await forge(
      { ...LABEL, ownerReferences: [controlledBy(await placementOf(TENANT))] },
      VICTIM,
    );
    await admin.create('clusterSetBindings', {
      ...boundSet('mine', TENANT),
      spec: { clusterSet: 'production' },
    } as KubernetesObject);
    await admin.create('applications', tenantApplication('attack', VICTIM));
    await start();
    await waitFor(() => hasFinding('attack', 'AFC-115'));
    expect(await delivered()).not.toContain(`${VICTIM} attack`);
  });

  it('a set that is bound, unbound and bound again is followed at once, and its works stay', async () => {
    await start({
      controllers: {
        clusterImport: { mode: 'off' },
        propagation: { fullPassEvery: '10m' },
      },
    });
    await waitFor(async () => (await works()).length === 2);
    const before = (await works()).map(({ metadata }) => metadata.uid).sort();
    await admin.delete('clusterSetBindings', {
      namespace: TENANT,
      name: 'team',
    });
    await waitFor(() => hasFinding('genuine', 'AFC-115'));
    await changeRevision('genuine', 'v2');
    await waitFor(async () => {
      const { items } = await getControllers(backend!);
      return items.length > 0;
    });
    expect(await revisionOf('genuine')).toBe('main');

    await admin.create('clusterSetBindings', boundSet('team', TENANT));
    await waitFor(async () => (await revisionOf('genuine')) === 'v2');
    expect(await findingsOf('genuine')).toEqual([]);

    // The set selects others, and the cluster leaves it.
    await admin.patch(
      'clusters',
      { name: OWN },
      { metadata: { labels: { [CLUSTER_SET_LABEL]: 'production' } } },
    );
    await waitFor(() => hasFinding('genuine', 'AFC-115'));
    await admin.patch(
      'clusterSets',
      { name: 'team' },
      {
        spec: {
          clusterSelector: { selectorType: 'LabelSelector', labelSelector: {} },
        },
      },
    );
    await waitFor(async () => (await findingsOf('genuine')).length === 0);

    await admin.patch(
      'placements',
      { namespace: TENANT, name: 'all' },
      { spec: { clusterSets: ['production'] } },
    );
    await waitFor(() => hasFinding('genuine', 'AFC-115'));
    expect((await works()).map(({ metadata }) => metadata.uid).sort()).toEqual(
      before,
    );
  });

  it('an adopted hub keeps the works of decisions that do not count, tells each, and removes them with their Applications', async () => {
    const bare = ['bare-1', 'bare-2', 'bare-3'];
    await forge(LABEL, SPARE);
    for (const name of bare) {
      await admin.create('applications', tenantApplication(name, SPARE));
    }
    // As a version that followed every decision delivered them.
    await start({ propagation: { requireDecision: false } });
    await waitFor(async () => (await works()).length === 5);
    await stop();
    const before = (await works()).map(({ metadata }) => metadata.uid).sort();

    await start();
    for (const name of bare) {
      await waitFor(() => hasFinding(name, 'AFC-115'));
    }
    await changeRevision('bare-1', 'v2');
    await changeRevision('genuine', 'v2');
    await waitFor(async () => (await revisionOf('genuine')) === 'v2');
    expect(await revisionOf('bare-1')).toBe('main');
    expect((await works()).map(({ metadata }) => metadata.uid).sort()).toEqual(
      before,
    );

    await admin.delete('applications', { namespace: TENANT, name: 'bare-2' });
    await waitFor(async () => (await works()).length === 4);

    // A Placement selects the cluster: what waited is delivered.
    await testHub.patchStatus(
      'decisions',
      placementDecision('all', TENANT).metadata,
      decisionStatus([OWN, SPARE]),
    );
    await waitFor(async () => (await revisionOf('bare-1')) === 'v2');
    expect(await findingsOf('bare-3')).toEqual([]);
  });

  it.each(['managedclustersets', 'managedclustersetbindings'])(
    'where %s may not be read, existing works are kept up to date, new ones wait, and a finding names the rule',
    async plural => {
      await start();
      await waitFor(async () => (await works()).length === 2);
      await stop();
      await restrict(plural);

      await start();
      await admin.create('applications', tenantApplication('later', OWN));
      const { fix } = await waitFor(() => hasFinding('later', 'AFC-116'));
      expect(fix?.command).toContain(plural);
      const { items } = await getControllers(backend!);
      expect(
        items
          .flatMap(({ findings }) => findings)
          .find(({ code }) => code === 'AFC-416')?.fix?.command,
      ).toContain(`resources: ["${plural}"]`);
      await changeRevision('genuine', 'v2');
      await waitFor(async () => (await revisionOf('genuine')) === 'v2');
      expect(await delivered()).toEqual([`${OWN} genuine`, `${VICTIM} victim`]);
    },
  );

  async function restrict(plural: string) {
    const role = deployedRbac().find(
      ({ kind, metadata }) =>
        kind === 'ClusterRole' && metadata.name === 'argocd-fleet-read',
    )!;
    await admin.client.patch(rbacResource(role), role.metadata, {
      rules: role.rules?.map(rule => ({
        ...rule,
        resources: rule.resources.filter(resource => resource !== plural),
      })),
    });
  }
});
