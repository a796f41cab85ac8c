/* eslint-disable jest/no-standalone-expect -- hostile.test.ts runs each case in a test of its own */
import {
  MANAGED_CLUSTER_ANNOTATION,
  PLACEMENT_LABEL,
  type GitOpsCluster,
} from 'backstage-plugin-argocd-fleet-common';
import {
  applyRbac,
  deployedRbacFor,
} from '../../../__testUtils__/deployedRbac';
import {
  decisionStatus,
  pullApplication,
} from '../../../__testUtils__/objects';
import { waitFor } from '../../../__testUtils__/waitFor';
import type { HostileCase } from './hostileCase';
import { hubPath } from './paths';
import {
  ARGO_CD,
  SHARED_CLUSTER,
  TENANT,
  VICTIM,
  VICTIMS_CLUSTER,
} from './places';
import type { Stage } from './stage';

const DECISIONS = hubPath('decisions', { namespace: TENANT });
const GITOPS = hubPath('gitOpsClusters', { namespace: TENANT });

async function uidOfPlacement({ testHub }: Stage, namespace: string) {
  const placement = await testHub.admin.get('placements', {
    namespace,
    name: 'all',
  });
  return placement!.metadata.uid!;
}

/** The decision's metadata, given the UIDs of the tenant's own Placement and the victim's. */
type Forgery = (own: string, victims: string) => object;

const owner = (uid: string) => ({
  ownerReferences: [
    {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'Placement',
      name: 'all',
      uid,
      controller: true,
    },
  ],
});
const label = { labels: { [PLACEMENT_LABEL]: 'all' } };

const FORGED: readonly (readonly [string, Forgery, decidedByHub?: true])[] = [
  ['without label and owner', () => ({})],
  ['without an owner', () => label],
  ['without a label', own => owner(own)],
  [
    'that the victim’s Placement owns',
    (_, victims) => ({ ...label, ...owner(victims) }),
    true,
  ],
  [
    'for a cluster that is in none of the namespace’s sets',
    own => ({ ...label, ...owner(own) }),
  ],
];

const DECISIONS_OF_TENANTS = FORGED.map(
  ([title, forge, decidedByHub]): HostileCase => ({
    attacker: 'tenant',
    kind: 'forged decision, where RBAC is too wide',
    title: `a decision ${title}`,
    decidedByHub,
    async attack(stage) {
      const { accounts, afterwards } = stage;
      const metadata = forge(
        await uidOfPlacement(stage, TENANT),
        await uidOfPlacement(stage, VICTIM),
      );
      const created = await accounts.decider.send('POST', DECISIONS, {
        apiVersion: 'cluster.open-cluster-management.io/v1beta1',
        kind: 'PlacementDecision',
        metadata: { ...metadata, name: 'forged', namespace: TENANT },
      });
      expect(created.status).toBe(201);
      afterwards(() => accounts.decider.send('DELETE', `${DECISIONS}/forged`));
      const decided = await accounts.decider.send(
        'PATCH',
        `${DECISIONS}/forged/status`,
        { status: decisionStatus([VICTIMS_CLUSTER]) },
      );
      // Kubernetes collects an object whose owner is in another namespace.
      expect([200, 404]).toContain(decided.status);
      const applications = hubPath('applications', { namespace: TENANT });
      const application = pullApplication('hostile', VICTIMS_CLUSTER, {
        namespace: TENANT,
      });
      expect(application.metadata.annotations).toHaveProperty([
        MANAGED_CLUSTER_ANNOTATION,
      ]);
      await accounts.decider.send('POST', applications, application);
      afterwards(async () => {
        await accounts.decider.send('DELETE', `${applications}/hostile`);
        await waitFor(async () => !(await stage.workOf('hostile')));
      });
    },
    async afterwards(stage) {
      expect(await stage.workOf('hostile')).toBeUndefined();
    },
  }),
);

function gitOpsCluster(
  title: string,
  spec: object,
  expected = [201],
): HostileCase {
  return {
    attacker: 'tenant',
    kind: 'cluster import',
    title,
    async attack({ accounts, afterwards }) {
      const { status } = await accounts.tenant.send('POST', GITOPS, {
        apiVersion: 'apps.open-cluster-management.io/v1beta1',
        kind: 'GitOpsCluster',
        metadata: { name: 'hostile', namespace: TENANT },
        spec,
      } as Partial<GitOpsCluster>);
      expect(expected).toContain(status);
      afterwards(() => accounts.tenant.send('DELETE', `${GITOPS}/hostile`));
    },
  };
}

const placementRef = { kind: 'Placement', name: 'all' };

const OWN_ARGO_CD = gitOpsCluster(
  'the tokens of the platform’s account into its own Argo CD',
  {
    argoServer: { argoNamespace: TENANT },
    placementRef,
    managedServiceAccountRef: 'argocd',
  },
);

const IMPORTS: readonly HostileCase[] = [
  gitOpsCluster('its clusters into the Argo CD of others', {
    argoServer: { argoNamespace: ARGO_CD },
    placementRef,
  }),
  gitOpsCluster(
    'its clusters with another account into the Argo CD of others',
    {
      argoServer: { argoNamespace: ARGO_CD },
      placementRef,
      managedServiceAccountRef: 'default',
    },
  ),
  gitOpsCluster('a Placement of the victim', {
    argoServer: { argoNamespace: ARGO_CD },
    placementRef: { ...placementRef, namespace: VICTIM },
  }),
  {
    ...gitOpsCluster('into the namespace of a path', {
      argoServer: { argoNamespace: `../${ARGO_CD}` },
      placementRef,
    }),
    decidedByHub: true,
  },
  gitOpsCluster('into kube-system', {
    argoServer: { argoNamespace: 'kube-system' },
    placementRef,
  }),
  {
    ...gitOpsCluster('with a Placement whose name is a path', {
      argoServer: { argoNamespace: TENANT },
      placementRef: { kind: 'Placement', name: '../all?x=y#' },
    }),
    decidedByHub: true,
  },
  {
    ...gitOpsCluster('with a service account whose name is a path', {
      argoServer: { argoNamespace: ARGO_CD },
      placementRef,
      managedServiceAccountRef: `../../${ARGO_CD}/secrets/one-cluster-secret`,
    }),
    decidedByHub: true,
  },
  {
    ...OWN_ARGO_CD,
    async attack(stage) {
      // An Argo CD of the tenant's own, as the administrator of the hub may give it.
      await applyRbac(stage.testHub.admin.client, deployedRbacFor(TENANT));
      await OWN_ARGO_CD.attack(stage);
      await waitFor(async () =>
        (await stage.findings()).some(
          ({ code, object }) =>
            code === 'AFC-516' && object?.namespace === TENANT,
        ),
      );
    },
    async afterwards({ testHub }) {
      const name = `${SHARED_CLUSTER}-cluster-secret`;
      const key = { namespace: TENANT, name };
      expect(await testHub.admin.get('clusterSecrets', key)).toBeUndefined();
    },
  },
];

/** Attacks on what authorises a delivery or an import. */
export const DECISION_CASES: readonly HostileCase[] = [
  ...DECISIONS_OF_TENANTS,
  ...IMPORTS,
];
