import { request } from 'undici';
import type { RbacObject } from '../../../__testUtils__/deployedRbac';
import type { HubUsers } from '../../../__testUtils__/hubServer';
import { createConnector } from '../../../kubernetes/client/connection';
import { BREACHED, TENANT, TENANT_IN_CATALOG } from './places';

/** Who attacks through the hub, and the names by which the hub knows them. */
export const ACCOUNTS = {
  tenant: 'tina',
  /** As the tenant, on a hub that also lets it write PlacementDecisions, which RBAC should not. */
  decider: 'dora',
  agent: `system:open-cluster-management:${BREACHED}:agent-1`,
} as const satisfies HubUsers;

const OCM = 'open-cluster-management.io';
const EVERY_VERB = [
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  'deletecollection',
];

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A role and its binding to a user; in the whole cluster without a namespace. */
function granted(
  user: string,
  name: string,
  rules: readonly Rule[],
  namespace?: string,
): RbacObject[] {
  const scope = namespace ? '' : 'Cluster';
  const base = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    metadata: { name, ...(namespace && { namespace }) },
  };
  const group = 'rbac.authorization.k8s.io';
  return [
    { ...base, kind: `${scope}Role`, rules },
    {
      ...base,
      kind: `${scope}RoleBinding`,
      roleRef: { apiGroup: group, kind: `${scope}Role`, name },
      subjects: [{ apiGroup: group, kind: 'User', name: user }],
    } as RbacObject,
  ];
}

const OF_TENANTS: readonly Rule[] = [
  {
    apiGroups: ['argoproj.io'],
    resources: [
      'applications',
      'applicationsets',
      'applicationsets/status',
      'appprojects',
    ],
    verbs: EVERY_VERB,
  },
  {
    apiGroups: [`cluster.${OCM}`],
    resources: ['placements'],
    verbs: EVERY_VERB,
  },
  {
    apiGroups: [`apps.${OCM}`],
    resources: ['gitopsclusters'],
    verbs: EVERY_VERB,
  },
  // The status is what the hub's own controllers make of a Deployment whose pods run; a hub of the tests has none.
  {
    apiGroups: ['apps'],
    resources: ['deployments', 'deployments/status'],
    verbs: EVERY_VERB,
  },
];

const OF_DECIDERS: readonly Rule[] = [
  ...OF_TENANTS,
  {
    apiGroups: [`cluster.${OCM}`],
    resources: ['placementdecisions', 'placementdecisions/status'],
    verbs: EVERY_VERB,
  },
];

/** What Open Cluster Management grants its agents, and its add-on for service accounts. */
const OF_AGENTS: readonly Rule[] = [
  {
    apiGroups: [`work.${OCM}`],
    resources: ['manifestworks'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  {
    apiGroups: [`work.${OCM}`],
    resources: ['manifestworks/status'],
    verbs: ['patch', 'update'],
  },
  {
    apiGroups: [`authentication.${OCM}`],
    resources: ['managedserviceaccounts'],
    verbs: ['get', 'list', 'watch'],
  },
  {
    apiGroups: [`authentication.${OCM}`],
    resources: ['managedserviceaccounts/status'],
    verbs: ['patch', 'update'],
  },
  {
    apiGroups: [''],
    resources: ['secrets'],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
  },
];

const OF_AGENTS_ON_THEIR_CLUSTER: readonly Rule[] = [
  {
    apiGroups: [`cluster.${OCM}`],
    resources: ['managedclusters'],
    resourceNames: [BREACHED],
    verbs: ['get', 'update'],
  },
  {
    apiGroups: [`cluster.${OCM}`],
    resources: ['managedclusters/status'],
    resourceNames: [BREACHED],
    verbs: ['patch', 'update'],
  },
];

/** The rights of each account. */
export const RIGHTS: Readonly<
  Record<keyof typeof ACCOUNTS, readonly RbacObject[]>
> = {
  tenant: [TENANT, TENANT_IN_CATALOG].flatMap(namespace =>
    granted(ACCOUNTS.tenant, 'tenant', OF_TENANTS, namespace),
  ),
  decider: granted(ACCOUNTS.decider, 'decider', OF_DECIDERS, TENANT),
  agent: [
    ...granted(ACCOUNTS.agent, 'agent-works', OF_AGENTS, BREACHED),
    ...granted(ACCOUNTS.agent, 'agent', OF_AGENTS_ON_THEIR_CLUSTER),
  ],
};

/** An answer of a hub. */
export interface HubAnswer {
  readonly status: number;
  /** Undefined where the answer is no JSON. */
  readonly body: any;
  readonly text: string;
}

/** @throws Error with the hub's words where it did not accept a request */
export function expectAccepted({ status, text }: HubAnswer): void {
  if (status >= 300) {
    throw new Error(`${status} ${text.slice(0, 1_000)}`);
  }
}

/** A user of a hub who sends requests as they are: nothing is checked on this side. */
export interface Account {
  /**
   * @param path - of the URL, with its query
   * @param body - an object is sent as JSON, a text as it is
   */
  send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | string,
  ): Promise<HubAnswer>;
  close(): Promise<void>;
}

/** The user of a kubeconfig. */
export function accountWith(kubeconfigPath: string): Account {
  const connector = createConnector({
    server: 'the hub',
    access: { kubeconfig: { path: kubeconfigPath } },
  });
  return {
    async send(method, path, body) {
      const { origin, headers, dispatcher } = await connector.connect();
      const type =
        method === 'PATCH'
          ? 'application/merge-patch+json'
          : 'application/json';
      const answer = await request(new URL(path, origin), {
        method,
        dispatcher,
        headers: { ...headers, 'content-type': type },
        body: typeof body === 'object' ? JSON.stringify(body) : body,
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, body: parsed(text), text };
    },
    close: () => connector.close(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
