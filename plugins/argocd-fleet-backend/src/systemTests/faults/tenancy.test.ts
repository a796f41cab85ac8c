import type { TestBackend } from '@backstage/backend-test-utils';
import {
  APP_NAMESPACE_ANNOTATION,
  DESTINATION_SERVER_ANNOTATION,
  HUB_APPLICATION_NAMESPACE_ANNOTATION,
  HUB_APPLICATION_NAME_ANNOTATION,
  MANAGED_CLUSTER_ANNOTATION,
  PULL_LABEL,
  type ArgoApplication,
  type ControllerRun,
  type Finding,
  type KubernetesObject,
  type ManifestWork,
} from 'backstage-plugin-argocd-fleet-common';
import request from 'supertest';
import { oneHub, startFleetBackend } from '../../__testUtils__/fleetBackend';
import {
  managedCluster,
  namespace,
  NAMESPACE,
  placementDecision,
  pullApplication,
} from '../../__testUtils__/objects';
import { waitFor } from '../../__testUtils__/waitFor';
import { startFaultyHub, type FaultyHub } from './__testUtils__/faultyHub';

jest.setTimeout(180_000);

const TENANT = 'tenant';
/** The cluster that the tenant may deliver to, and nobody else. */
const OWN = 'tenants-own';
/** One that both may deliver to. */
const SHARED = 'shared';
const FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** UIDs with the same beginning, which the hub would hardly ever give. */
const TWINS = {
  [NAMESPACE]: 'c0111de0-0000-4000-8000-000000000001',
  [TENANT]: 'c0111de0-0000-4000-8000-000000000002',
};

type Change = (application: ArgoApplication) => ArgoApplication;

const annotated =
  (annotations: Record<string, string>): Change =>
  application => ({
    ...application,
    metadata: {
      ...application.metadata,
      annotations: { ...application.metadata.annotations, ...annotations },
    },
  });
const aimedAt = (cluster: string) =>
  annotated({ [MANAGED_CLUSTER_ANNOTATION]: cluster });
const cameAs = (place: string) =>
  annotated({ [APP_NAMESPACE_ANNOTATION]: place });
const labelled =
  (pull: string): Change =>
  application => ({
    ...application,
    metadata: { ...application.metadata, labels: { [PULL_LABEL]: pull } },
  });

/** Applications that get no work, and the finding that says why. */
const REFUSED: [string, string, Change][] = [
  ['a cluster of another namespace', 'AFC-104', aimedAt('one')],
  ['such a cluster with spaces around', 'AFC-104', aimedAt(' one\n')],
  ['the place of the hub’s Argo CD', 'AFC-104', aimedAt(NAMESPACE)],
  ['a path to another cluster', 'AFC-103', aimedAt('../one')],
  ['a longer path', 'AFC-103', aimedAt(`${OWN}/../../one/x`)],
  ['an encoded path', 'AFC-103', aimedAt(`${OWN}%2f..%2fone`)],
  ['a query', 'AFC-103', aimedAt('one?dryRun=All')],
  ['no cluster', 'AFC-101', aimedAt('')],
  ['nothing but blanks', 'AFC-101', aimedAt(' \t\n\u00a0\ufeff')],
  ['a look-alike in another script', 'AFC-103', aimedAt('\u043ene')],
  ['capital letters', 'AFC-103', aimedAt('ONE')],
  ['control characters', 'AFC-103', aimedAt(`${OWN}\u0000\u001b[2Jone`)],
  ['two lines', 'AFC-103', aimedAt(`${OWN}\none`)],
  ['a list', 'AFC-103', aimedAt(`${OWN},one`)],
  ['a wildcard', 'AFC-103', aimedAt('*')],
  ['a shell command', 'AFC-103', aimedAt('$(kubectl delete ns one)')],
  ['253 characters', 'AFC-103', aimedAt('a'.repeat(253))],
  ['63 characters', 'AFC-102', aimedAt('a'.repeat(63))],
  ['a quarter of a megabyte', 'AFC-103', aimedAt('a'.repeat(250_000))],
  ['what every JavaScript object has', 'AFC-102', aimedAt('constructor')],
  ['a prototype', 'AFC-103', aimedAt('__proto__')],
  ['a path as namespace', 'AFC-103', cameAs('../kube-system')],
  ['a namespace of 253 characters', 'AFC-103', cameAs('a'.repeat(253))],
  [
    'manifests of more than a work holds',
    'AFC-105',
    application => ({
      ...application,
      spec: {
        ...application.spec,
        source: {
          ...application.spec.source!,
          helm: { values: 'x'.repeat(600_000) },
        },
      },
    }),
  ],
  [
    'an operation of more than a work holds',
    'AFC-412',
    application => ({
      ...application,
      operation: { info: [{ name: 'x', value: 'x'.repeat(600_000) }] },
    }),
  ],
];

/** Applications that may travel, to the tenant's own cluster and nowhere else. */
const DELIVERED: [string, Change][] = [
  [
    'the destination of another cluster',
    annotated({ [DESTINATION_SERVER_ANNOTATION]: 'https://one.example.com' }),
  ],
  ['the namespace of Kubernetes itself', cameAs('kube-system')],
  ['the namespace of Argo CD', cameAs(NAMESPACE)],
  [
    'the annotations of somebody else’s work',
    annotated({
      [HUB_APPLICATION_NAMESPACE_ANNOTATION]: NAMESPACE,
      [HUB_APPLICATION_NAME_ANNOTATION]: 'victim',
    }),
  ],
  [
    'a thousand finalizers',
    application => ({
      ...application,
      metadata: {
        ...application.metadata,
        finalizers: Array.from(
          { length: 1000 },
          (_, i) => `a.example.com/${i}`,
        ),
      },
    }),
  ],
  ...['1', 't', 'T', 'TRUE', 'True'].map((value): [string, Change] => [
    `the label "${value}"`,
    labelled(value),
  ]),
];

/** Applications that are none of the pull model. */
const NOT_PULLED = ['', 'yes', 'tRUE', '2', 'on', 'false'];

describe('a tenant who may create Applications in one namespace', () => {
  let hub: FaultyHub;
  let backend: TestBackend;
  let count = 0;
  let revision = 0;

  beforeAll(async () => {
    hub = await startFaultyHub({
      snapshot: [
        ...[NAMESPACE, TENANT, OWN, SHARED, 'one'].map(namespace),
        ...Object.entries(TWINS).map(twin),
      ],
    });
    for (const name of [OWN, SHARED, 'one', NAMESPACE]) {
      await hub.somebody.create('clusters', managedCluster(name));
    }
    await decide(NAMESPACE, 'one', SHARED);
    await decide(TENANT, OWN, SHARED);
    await hub.somebody.create('applications', pullApplication('victim', 'one'));
    await hub.somebody.create(
      'applications',
      pullApplication('victim-too', SHARED),
    );
    backend = await startFleetBackend({
      argocdFleet: oneHub(hub.kubeconfigPath, {
        controllers: { propagation: { fullPassEvery: '1s' } },
      }),
    });
    await waitFor(async () => (await works()).length === 4, 60_000);
  });

  afterAll(async () => {
    await backend.stop();
    await hub.stop();
  });

  async function decide(ns: string, ...clusters: string[]) {
    const decision = placementDecision('all', ns);
    await hub.somebody.create('decisions', decision);
    await hub.patchStatus('decisions', decision.metadata, {
      decisions: clusters.map(clusterName => ({ clusterName, reason: '' })),
    });
  }

  async function works() {
    return (await hub.works()).map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    );
  }

  function hostile(change: Change = application => application) {
    count += 1;
    return change(
      pullApplication(`hostile-${count}`, OWN, { namespace: TENANT }),
    );
  }

  async function findingsOf({ metadata }: KubernetesObject) {
    const { body } = await request(backend.server).get(
      '/api/argocd-fleet/controllers',
    );
    return body.items
      .flatMap(({ findings }: ControllerRun) => findings)
      .filter(
        ({ object }: Finding) =>
          object?.name === metadata.name &&
          object?.namespace === metadata.namespace,
      )
      .map(({ code }: Finding) => code);
  }

  async function workOf({ metadata }: KubernetesObject) {
    const all = await hub.works();
    return all.find(
      ({ metadata: { annotations = {} } }) =>
        annotations[HUB_APPLICATION_NAME_ANNOTATION] === metadata.name &&
        annotations[HUB_APPLICATION_NAMESPACE_ANNOTATION] ===
          metadata.namespace,
    );
  }

  /** Everything else goes on: a change of somebody else's Application is delivered. */
  async function othersGoOn() {
    const victim = { namespace: NAMESPACE, name: 'victim' };
    revision += 1;
    await hub.somebody.patch('applications', victim, {
      spec: { source: { targetRevision: `v${revision}` } },
    });
    await waitFor(async () => {
      const work = await workOf({ metadata: victim } as KubernetesObject);
      const [payload] = work?.spec.workload?.manifests ?? [];
      const { source } = (payload as ArgoApplication).spec;
      return source?.targetRevision === `v${revision}`;
    });
  }

  /**
   * Does it, and finds that of works only those in the tenant's own cluster were written, beside the one that changes for
   * `othersGoOn`, and that nobody else's was deleted.
   */
  async function harmlessly(attack: () => Promise<void>) {
    const before = hub.backendRequests().length;
    const uids = async () =>
      (await hub.works())
        .filter(({ metadata }) => metadata.namespace !== OWN)
        .map(({ metadata }) => metadata.uid)
        .sort();
    const others = await uids();
    await attack();
    await othersGoOn();
    expect(await uids()).toEqual(others);
    const written = hub
      .backendRequests()
      .slice(before)
      .filter(
        ({ verb, resource }) =>
          !['get', 'list', 'watch'].includes(verb) &&
          resource === 'manifestworks',
      )
      .filter(
        ({ namespace: ns, name }) =>
          ns !== OWN && !(ns === 'one' && name?.startsWith('victim-')),
      );
    expect(written).toEqual([]);
  }

  async function remove({ metadata }: KubernetesObject) {
    await hub.somebody.patch('applications', metadata, {
      metadata: { finalizers: null },
    });
    await hub.somebody.delete('applications', metadata);
    await waitFor(
      async () => !(await workOf({ metadata } as KubernetesObject)),
    );
  }

  it.each(REFUSED)(
    'gets nowhere with %s, and reads why (%s)',
    async (_, code, change) => {
      const application = hostile(change);
      await harmlessly(async () => {
        await hub.somebody.create('applications', application);
        await waitFor(async () =>
          (await findingsOf(application)).includes(code),
        );
      });
      expect(await workOf(application)).toBeUndefined();
      await remove(application);
    },
  );

  it.each(DELIVERED)('hurts nobody with %s', async (_, change) => {
    const application = hostile(change);
    await harmlessly(async () => {
      await hub.somebody.create('applications', application);
      const work = await waitFor(() => workOf(application));
      expect(work.metadata.namespace).toBe(OWN);
      await remove(application);
    });
  });

  it.each(NOT_PULLED)(
    'has nothing delivered by the label "%s"',
    async value => {
      const application = hostile(labelled(value));
      await harmlessly(async () => {
        await hub.somebody.create('applications', application);
      });
      expect(await workOf(application)).toBeUndefined();
      await remove(application);
    },
  );

  it.each<[string, Change]>([
    ['an annotation of a megabyte', annotated({ long: 'a'.repeat(1_000_000) })],
    ['a label that ends in a blank', labelled('true ')],
  ])('is refused %s by the hub itself', async (_, change) => {
    await harmlessly(async () => {
      await expect(
        hub.somebody.create('applications', hostile(change)),
      ).rejects.toMatchObject({ kind: 'invalid' });
    });
  });

  it('cannot take the place of another’s Application on a cluster', async () => {
    const application = cameAs(NAMESPACE)(
      pullApplication('victim-too', SHARED, { namespace: TENANT }),
    );
    await harmlessly(async () => {
      await hub.somebody.create('applications', application);
      await waitFor(async () =>
        (await findingsOf(application)).includes('AFC-111'),
      );
    });
    expect(await workOf(application)).toBeUndefined();
    await remove(application);
  });

  it('has a work of its own beside that of an Application with the same name and the same beginning of its UID (section 4, item 7)', async () => {
    const names = (await works()).filter(name => name.includes('twin'));
    expect(names.sort()).toEqual(
      [
        `${SHARED}/twin-${TWINS[NAMESPACE].slice(0, 5)}`,
        `${SHARED}/twin-${TWINS[TENANT]}`,
      ].sort(),
    );
  });

  it('has a work of its own under a name that is that of another’s work', async () => {
    const victims = await workOf(pullApplication('victim', 'one'));
    const application = pullApplication(victims!.metadata.name, OWN, {
      namespace: TENANT,
    });
    await harmlessly(async () => {
      await hub.somebody.create('applications', application);
      const { metadata } = await waitFor(() => workOf(application));
      expect(metadata.name).not.toBe(application.metadata.name);
      await remove(application);
    });
  });

  it('has a work of a legal name for an Application of 253 characters (section 4, item 7)', async () => {
    const application = pullApplication('a'.repeat(253), OWN, {
      namespace: TENANT,
    });
    await harmlessly(async () => {
      await hub.somebody.create('applications', application);
      const { metadata } = await waitFor(() => workOf(application));
      expect(metadata.name.length).toBeLessThanOrEqual(188);
      await remove(application);
    });
  });

  it('keeps nobody from going on with an Application that never goes', async () => {
    const application = hostile(it => ({
      ...it,
      metadata: {
        ...it.metadata,
        finalizers: ['a.example.com/never', FINALIZER],
      },
    }));
    await harmlessly(async () => {
      await hub.somebody.create('applications', application);
      await waitFor(() => workOf(application));
      await hub.somebody.delete('applications', application.metadata);
      await waitFor(async () => !(await workOf(application)));
    });
    const left = await waitFor(async () => {
      const it = await hub.somebody.get('applications', application.metadata);
      return it?.metadata.finalizers?.length === 1 && it;
    });
    expect(left.metadata.finalizers).toEqual(['a.example.com/never']);
    await hub.somebody.patch('applications', application.metadata, {
      metadata: { finalizers: null },
    });
  });

  it.each([
    ['that does not exist', { name: 'nowhere', uid: 'nobody' }],
    ['of another namespace', { name: 'victims', uid: undefined }],
  ])(
    'hurts no report with an Application of a set %s',
    async (_, { name, uid }) => {
      const set = await victimsSet();
      const reports = await hub.somebody.list('reports');
      const application = hostile(it => ({
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
      await harmlessly(async () => {
        await hub.somebody.create('applications', application);
        // Kubernetes itself removes what belongs to nothing.
        await waitFor(
          async () =>
            !(await hub.somebody.get('applications', application.metadata)),
        );
        await waitFor(async () => !(await workOf(application)));
      });
      expect(await hub.somebody.list('reports')).toEqual(reports);
    },
  );

  async function victimsSet() {
    const existing = { namespace: NAMESPACE, name: 'victims' };
    if (!(await hub.somebody.get('applicationSets', existing))) {
      await hub.somebody.create('applicationSets', {
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'ApplicationSet',
        metadata: existing,
        spec: {
          generators: [],
          template: { metadata: {}, spec: pullApplication('x', '').spec },
        },
      } as KubernetesObject);
    }
    return (await hub.somebody.get('applicationSets', existing))!;
  }

  describe('who may create ManifestWorks for a cluster too', () => {
    function work(
      name: string,
      annotations: Record<string, string>,
      spec: Partial<ManifestWork['spec']> = {},
    ) {
      return {
        apiVersion: 'work.open-cluster-management.io/v1',
        kind: 'ManifestWork',
        metadata: { name, namespace: OWN, annotations },
        spec: {
          workload: { manifests: [pullApplication('any', OWN)] },
          ...spec,
        },
      } as KubernetesObject;
    }
    const claims = (ns: string, name: string) => ({
      [HUB_APPLICATION_NAMESPACE_ANNOTATION]: ns,
      [HUB_APPLICATION_NAME_ANNOTATION]: name,
    });

    it.each([
      ['another’s Application', NAMESPACE, 'victim'],
      ['an Application that does not exist', NAMESPACE, 'nobodys'],
      ['an Application of no namespace', 'nowhere', 'nobodys'],
    ])(
      'loses one that claims to be of %s, and nothing else is lost',
      async (_, ns, name) => {
        await harmlessly(async () => {
          const pretended = work(`${name}-01234`, claims(ns, name));
          await hub.somebody.create('works', pretended);
          await waitFor(
            async () => !(await hub.somebody.get('works', pretended.metadata)),
          );
        });
        expect(hub.deletedWorks()).toContain(`${OWN} ${name}`);
      },
    );

    it('loses one under the very name of another’s work, and nothing else is lost', async () => {
      await harmlessly(async () => {
        const victims = await workOf(pullApplication('victim', 'one'));
        const pretended = work(
          victims!.metadata.name,
          claims(NAMESPACE, 'victim'),
        );
        await hub.somebody.create('works', pretended);
        await waitFor(
          async () => !(await hub.somebody.get('works', pretended.metadata)),
        );
      });
      expect(hub.deletedWorks()).not.toContain('one victim');
    });

    it.each([
      ['paths', '..', '../../../../api/v1/namespaces/one'],
      ['a slash', `${NAMESPACE}/victim`, 'status'],
      ['control characters', NAMESPACE, 'victim\u0000\r\nHost: x'],
    ])('hurts nobody with annotations that hold %s', async (_, ns, name) => {
      const pretended = work('pretended', claims(ns, name));
      await harmlessly(() => hub.somebody.create('works', pretended));
      expect(hub.deletedWorks()).not.toContain('one victim');
      if (await hub.somebody.get('works', pretended.metadata)) {
        await hub.somebody.delete('works', pretended.metadata);
      }
    });

    it('keeps one that claims nothing, whoever it says wrote it', async () => {
      const foreign = work('foreign', {});
      await harmlessly(async () => {
        const { ok } = await fetch(
          `${hub.faults.url}/apis/work.open-cluster-management.io/v1/namespaces/${OWN}/manifestworks?fieldManager=argocd-fleet`,
          {
            method: 'POST',
            headers: {
              authorization: 'Bearer admin',
              'content-type': 'application/json',
            },
            body: JSON.stringify({
              ...foreign,
              metadata: {
                ...foreign.metadata,
                labels: { [PULL_LABEL]: 'true' },
              },
            }),
          },
        );
        expect(ok).toBe(true);
      });
      expect(await hub.somebody.get('works', foreign.metadata)).toMatchObject({
        metadata: { generation: 1 },
      });
    });

    it.each([
      ['of nobody', (): Record<string, string> => ({}), 'uid'],
      ['that only observes', (name: string) => claims(TENANT, name), 'AFC-108'],
    ])(
      'hurts only the own Application with a work %s in its place',
      async (_, annotations, outcome) => {
        const application = hostile(aimedAt('elsewhere'));
        const { name } = application.metadata;
        await harmlessly(async () => {
          await hub.somebody.create('applications', application);
          const { metadata } = (await hub.somebody.get(
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
          await hub.somebody.create('works', obstacle);
          await hub.somebody.patch('applications', metadata, {
            metadata: { annotations: { [MANAGED_CLUSTER_ANNOTATION]: OWN } },
          });
          await waitFor(async () =>
            outcome === 'uid'
              ? (await workOf(application))?.metadata.name ===
                `${name}-${metadata.uid}`
              : (await findingsOf(obstacle)).includes(outcome),
          );
          expect(
            await hub.somebody.get('works', obstacle.metadata),
          ).toMatchObject({ metadata: { generation: 1 } });
          await hub.somebody.delete('works', obstacle.metadata);
          await remove(application);
        });
      },
    );
  });
});

function twin([ns, uid]: [string, string]) {
  const { metadata, ...rest } = pullApplication('twin', SHARED, {
    namespace: ns,
  });
  return { ...rest, metadata: { ...metadata, uid } };
}
