/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import {
  APP_NAMESPACE_ANNOTATION,
  APPLICATION_SET_HASH_LABEL,
  APPLICATION_SET_LABEL,
  DESTINATION_SERVER_ANNOTATION,
  HOSTING_APPLICATION_SET_ANNOTATION,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  PULL_LABEL,
  type KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import { ownedBy, pullApplicationSet } from '../../../__testUtils__/objects';
import { realServer } from '../../../__testUtils__/realServer';
import { waitFor } from '../../../__testUtils__/waitFor';
import {
  NOT_PULLED,
  REFUSED,
  targeting,
  withAnnotations,
  withAppNamespace,
  withPullLabel,
  type ApplicationChange,
} from '../../faults/__testUtils__/hostileApplications';
import type { HubAnswer } from './accounts';
import type { HostileCase } from './hostileCase';
import { hubPath, pathOf } from './paths';
import {
  ARGO_CD,
  SHARED_CLUSTER,
  TENANT,
  TENANTS_CLUSTER,
  VICTIM,
  VICTIMS_CLUSTER,
} from './places';
import { BASE, userHeader } from './api';
import type { Stage } from './stage';
import { APPLICATIONS, create, hostile, refused } from './tenantsApplications';

const SETS = hubPath('applicationSets', { namespace: TENANT });

/** Resolves when the catalog has considered the ApplicationSet. */
async function createSet(
  { accounts, afterwards, catalog }: Stage,
  set: KubernetesObject,
): Promise<HubAnswer> {
  const answer = await accounts.tenant.send('POST', SETS, {
    ...set,
    metadata: { ...set.metadata, namespace: TENANT },
  });
  if (answer.status === 201) {
    afterwards(() =>
      accounts.tenant.send('DELETE', `${SETS}/${set.metadata.name}`),
    );
    const ref = { hub: 'hub', namespace: TENANT, name: set.metadata.name };
    await waitFor(() => catalog.hasResourceOf(ref));
  }
  return answer;
}

/** What a user of the portal reads of an object of the tenant. */
async function shown({ api }: Stage, path: string): Promise<any> {
  const { status, body } = await api
    .get(`${BASE}${path}`)
    .set('authorization', userHeader('tina'));
  expect(status).toBe(200);
  return body;
}

/** An Application that may be delivered, but to the tenant's own cluster only. */
function delivered(
  kind: string,
  title: string,
  change: ApplicationChange,
  name = 'hostile',
): HostileCase {
  return {
    attacker: 'tenant',
    kind,
    title,
    async attack(stage) {
      await create(stage, hostile(name, change));
      await waitFor(() => stage.workOf(name));
    },
    async afterwards(stage) {
      const work = await stage.workOf(name);
      expect(work?.metadata.namespace).toBe(TENANTS_CLUSTER);
    },
  };
}

const withSpec =
  (spec: object): ApplicationChange =>
  it => ({ ...it, spec: { ...it.spec, ...spec } });

const withStatus =
  (status: object): ApplicationChange =>
  it => ({ ...it, status });

const withMetadata =
  (metadata: object): ApplicationChange =>
  it => ({ ...it, metadata: { ...it.metadata, ...metadata } });

/** A value whose JSON has that many levels. */
function nested(levels: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < levels; level += 1) {
    value = level % 2 ? [value] : { deeper: value };
  }
  return value;
}

const PLACE: readonly HostileCase[] = [
  // Open Cluster Management's webhook limits works; a real API server of the tests has none.
  ...REFUSED.filter(([, code]) => code !== 'AFC-412' || !realServer()).map(
    ([title, code, change]) =>
      refused('place on the cluster', title, code, change),
  ),
  ...NOT_PULLED.map(value =>
    refused(
      'place on the cluster',
      `the pull label "${value}"`,
      undefined,
      withPullLabel(value),
    ),
  ),
  refused(
    'place on the cluster',
    'the target of the victim’s Application on a shared cluster',
    undefined,
    it => withAppNamespace(VICTIM)(targeting(SHARED_CLUSTER)(it)),
    `shop-${SHARED_CLUSTER}`,
  ),
  refused(
    'place on the cluster',
    'the namespace of Argo CD on a shared cluster, with project default',
    undefined,
    it => withAppNamespace(ARGO_CD)(targeting(SHARED_CLUSTER)(it)),
  ),
  refused(
    'place on the cluster',
    'the victim’s namespace on a shared cluster',
    undefined,
    it => withAppNamespace(VICTIM)(targeting(SHARED_CLUSTER)(it)),
  ),
  ...['kube-public', 'openshift', 'openshift-gitops'].map(namespace =>
    refused(
      'place on the cluster',
      `the namespace ${namespace}`,
      undefined,
      withAppNamespace(namespace),
    ),
  ),
  {
    attacker: 'tenant',
    kind: 'place on the cluster',
    title: 'moves a delivered Application onto the victim’s',
    async attack(stage) {
      const name = `shop-${SHARED_CLUSTER}`;
      const application = hostile(name, targeting(SHARED_CLUSTER));
      await create(stage, application);
      await waitFor(() => stage.workOf(name));
      const { status } = await stage.accounts.tenant.send(
        'PATCH',
        pathOf('applications', application),
        {
          metadata: { annotations: { [APP_NAMESPACE_ANNOTATION]: VICTIM } },
        },
      );
      expect(status).toBe(200);
    },
    async afterwards(stage) {
      const targets = (await stage.works())
        .filter(({ metadata }) => metadata.namespace === SHARED_CLUSTER)
        .flatMap(({ spec }) => spec.workload?.manifests ?? [])
        .filter(({ kind }) => kind === 'Application')
        .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
      expect(new Set(targets).size).toBe(targets.length);
    },
  },
  delivered(
    'place on the cluster',
    'the address of the victim’s cluster as destination',
    withAnnotations({
      [DESTINATION_SERVER_ANNOTATION]: `https://${VICTIMS_CLUSTER}.example.com`,
    }),
  ),
];

const OWNERS: readonly HostileCase[] = [
  ...[
    ['the victim’s ApplicationSet', undefined],
    ['an ApplicationSet that does not exist', 'no-such-uid'],
  ].map(([title, uid]): HostileCase => ({
    attacker: 'tenant',
    kind: 'forged owner',
    title: `an Application that is owned by ${title}`,
    decidedByHub: true,
    async attack(stage) {
      const set = await stage.testHub.admin.get('applicationSets', {
        namespace: VICTIM,
        name: 'shop',
      });
      const owner = uid
        ? { ...set!, metadata: { ...set!.metadata, uid } }
        : set;
      await create(stage, hostile('hostile', withMetadata(ownedBy(owner))));
    },
  })),
  {
    attacker: 'tenant',
    kind: 'forged owner',
    title: 'an Application with a thousand owners of any kind',
    decidedByHub: true,
    async attack(stage) {
      const ownerReferences = Array.from({ length: 1000 }, (_, index) => ({
        apiVersion: 'v1',
        kind: index % 2 ? 'Namespace' : 'Node',
        name: VICTIM,
        uid: `foreign-${index}`,
      }));
      const { status } = await stage.accounts.tenant.send(
        'POST',
        APPLICATIONS,
        hostile('hostile', withMetadata({ ownerReferences })),
      );
      expect(status).toBe(201);
      stage.afterwards(() =>
        stage.accounts.tenant.send('DELETE', `${APPLICATIONS}/hostile`),
      );
    },
  },
  delivered(
    'forged owner',
    'an Application that says to come from the victim’s ApplicationSet',
    it => ({
      ...it,
      metadata: {
        ...it.metadata,
        labels: {
          ...it.metadata.labels,
          [APPLICATION_SET_LABEL]: 'true',
          [APPLICATION_SET_HASH_LABEL]:
            'da39a3ee5e6b4b0d3255bfef95601890afd80709',
        },
        annotations: {
          ...it.metadata.annotations,
          [HOSTING_APPLICATION_SET_ANNOTATION]: `${VICTIM}/shop`,
        },
      },
    }),
  ),
  {
    attacker: 'tenant',
    kind: 'forged owner',
    title: 'an ApplicationSet that carries our labels and the victim’s names',
    async attack(stage) {
      const set = pullApplicationSet('shop');
      const { status } = await createSet(stage, {
        ...set,
        metadata: {
          ...set.metadata,
          labels: { [MANAGED_BY_LABEL]: MANAGED_BY },
          annotations: {
            'argocd-fleet/component': 'shop',
            'argocd-fleet/component-owner': 'group:default/victims',
            'argocd-fleet/entity': 'component:default/shop',
          },
        },
      });
      expect(status).toBe(201);
    },
  },
];

const TEXT = 'x'.repeat(200_000);

/** Values that Kubernetes accepts in a field without a schema. */
const INPUTS: readonly [string, ApplicationChange][] = [
  [
    'keys that every JavaScript object has',
    withSpec({
      // In a literal, `__proto__` would set the prototype.
      source: {
        repoURL: 'https://example.com/x.git',
        helm: JSON.parse(
          '{"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"toString":"x","hasOwnProperty":1}',
        ),
      },
    }),
  ],
  [
    'labels and annotations named like properties of every object',
    withMetadata({
      labels: { [PULL_LABEL]: 'true', constructor: 'x', toString: 'y' },
    }),
  ],
  ['a spec of a thousand levels', withSpec({ deep: nested(1_000) })],
  [
    'a source with control and bidirectional characters',
    withSpec({
      source: {
        repoURL: 'https://example.com/\u202egit.x\u0000\u001b[2J',
        path: '\u2066x\u2069',
        targetRevision: '\ud800',
      },
    }),
  ],
  [
    'five thousand sources',
    withSpec({
      sources: Array.from({ length: 5_000 }, (_, index) => ({
        repoURL: `https://example.com/${index}.git`,
      })),
      source: undefined,
    }),
  ],
];

const INPUT_CASES: readonly HostileCase[] = [
  ...INPUTS.map(([title, change]): HostileCase => ({
    attacker: 'tenant',
    kind: 'hostile input',
    title,
    decidedByHub: true,
    async attack(stage) {
      await create(stage, hostile('hostile', change));
    },
    async afterwards() {
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
    },
  })),
  {
    attacker: 'tenant',
    kind: 'hostile input',
    title: 'an annotation of two megabytes',
    decidedByHub: true,
    async attack(stage) {
      const { status } = await stage.accounts.tenant.send(
        'POST',
        APPLICATIONS,
        hostile('hostile', withAnnotations({ long: 'x'.repeat(2_000_000) })),
      );
      expect([400, 413, 422]).toContain(status);
    },
  },
  {
    ...delivered(
      'hostile input',
      'a name of 253 characters',
      it => it,
      'a'.repeat(253),
    ),
    decidedByHub: true,
  },
  {
    attacker: 'tenant',
    kind: 'hostile input',
    title: 'an Application that is never fully deleted',
    decidedByHub: true,
    async attack(stage) {
      const application = hostile(
        'hostile',
        withMetadata({ finalizers: ['a.example.com/never'] }),
      );
      await create(stage, application);
      await waitFor(() => stage.workOf('hostile'));
      await stage.accounts.tenant.send(
        'DELETE',
        pathOf('applications', application),
      );
      await waitFor(async () => !(await stage.workOf('hostile')));
    },
  },
  {
    attacker: 'tenant',
    kind: 'hostile input',
    title: 'a thousand ApplicationSets in its namespace',
    async attack(stage) {
      const { accounts, afterwards } = stage;
      afterwards(() =>
        accounts.tenant.send('DELETE', `${SETS}?labelSelector=storm=yes`),
      );
      const set = pullApplicationSet('storm');
      for (let first = 0; first < 1000; first += 50) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            accounts.tenant.send('POST', SETS, {
              ...set,
              metadata: {
                name: `storm-${first + index}`,
                namespace: TENANT,
                labels: { storm: 'yes' },
              },
            }),
          ),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(
          new Set([201]),
        );
      }
    },
  },
  {
    attacker: 'tenant',
    kind: 'hostile input',
    title: 'a storm of changes of its Application',
    async attack(stage) {
      const application = hostile('hostile');
      await create(stage, application);
      const path = pathOf('applications', application);
      let storm = true;
      const raging = (async () => {
        for (let count = 0; storm; count += 1) {
          await stage.accounts.tenant.send('PATCH', path, {
            spec: { source: { targetRevision: `storm-${count}` } },
          });
        }
      })();
      try {
        // The canary's change arrives while the storm rages.
        await stage.settle();
      } finally {
        storm = false;
        await raging;
      }
    },
  },
];

const TEXTS: readonly HostileCase[] = [
  {
    attacker: 'tenant',
    kind: 'text',
    title: 'a status with texts of 200 KB and times in the year 9999',
    async attack(stage) {
      const set = await stage.testHub.admin.get('applicationSets', {
        namespace: TENANT,
        name: 'stall',
      });
      const at = '9999-12-31T23:59:59Z';
      await create(
        stage,
        hostile('hostile', it =>
          // One that the hub's Argo CD syncs: of a pulled one the work is shown.
          withMetadata({ ...ownedBy(set), labels: {}, annotations: {} })(
            withStatus({
              health: { status: 'Degraded', message: TEXT },
              reconciledAt: at,
              conditions: [
                { type: 'SyncError', message: TEXT, lastTransitionTime: at },
                { type: TEXT, message: '\u202e\u0000' },
              ],
              operationState: {
                operation: {},
                phase: 'Failed',
                message: `forbidden: User "${'system:serviceaccount:'.repeat(500)}" cannot create`,
                startedAt: at,
              },
            })(it),
          ),
        ),
      );
      await waitFor(async () => {
        const body = await shown(stage, `/applications/hub/${TENANT}/hostile`);
        return body && true;
      });
    },
    async afterwards(stage) {
      const text = JSON.stringify(
        await shown(stage, `/applications/hub/${TENANT}/hostile`),
      );
      expect(text).toContain(TEXT.slice(0, 1_000));
      expect(text.length).toBeLessThan(100_000);
      expect(text).not.toContain('9999-');
      expect(text).not.toContain('\u202e');
      expect(text).not.toContain('\u0000');
    },
  },
  {
    attacker: 'tenant',
    kind: 'text',
    title: 'an ApplicationSet whose controller reports texts of 200 KB',
    async attack(stage) {
      await createSet(stage, pullApplicationSet('loud'));
      const { status } = await stage.accounts.tenant.send(
        'PATCH',
        `${SETS}/loud/status`,
        {
          status: {
            conditions: [
              {
                type: 'ErrorOccurred',
                status: 'True',
                reason: 'Evil',
                message: `${TEXT}\u202e$(kubectl delete ns ${VICTIM})`,
                lastTransitionTime: '9999-12-31T23:59:59Z',
              },
            ],
          },
        },
      );
      expect(status).toBe(200);
      await waitFor(async () =>
        JSON.stringify(await shown(stage, '/applicationsets')).includes(
          TEXT.slice(0, 1_000),
        ),
      );
    },
    async afterwards(stage) {
      const text = JSON.stringify(
        await shown(stage, `/applicationsets/hub/${TENANT}/loud`),
      );
      expect(text.length).toBeLessThan(50_000);
      expect(text).not.toContain('\u202e');
    },
  },
  {
    attacker: 'tenant',
    kind: 'text',
    title: 'credentials in the address and query of a repository',
    async attack(stage) {
      const set: any = pullApplicationSet('leaky');
      set.spec.template.spec = {
        ...set.spec.template.spec,
        source: {
          repoURL:
            'https://user:secret-in-user-info@example.com/x.git?token=secret-in-query',
        },
      };
      const { status } = await createSet(stage, set);
      expect(status).toBe(201);
      await waitFor(async () =>
        JSON.stringify(await shown(stage, '/applicationsets')).includes(
          '"leaky"',
        ),
      );
    },
    async afterwards(stage) {
      for (const path of [
        '/applicationsets',
        '/inventory',
        `/applicationsets/hub/${TENANT}/leaky`,
      ]) {
        expect(JSON.stringify(await shown(stage, path))).not.toContain(
          'secret-in',
        );
      }
    },
  },
];

/** Attacks by those who may write Applications, ApplicationSets, Placements and GitOpsClusters of one namespace. */
export const TENANT_CASES: readonly HostileCase[] = [
  ...PLACE,
  ...OWNERS,
  ...INPUT_CASES,
  ...TEXTS,
];
