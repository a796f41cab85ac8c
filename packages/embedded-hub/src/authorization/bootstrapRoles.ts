import { createObject } from '../operations/createObject';
import {
  collectionOf,
  HubContext,
  serverWrite,
} from '../operations/hubContext';
import { RBAC_GROUP } from './boundRules';
import { PolicyRule } from './policyRule';

interface BootstrapRole {
  readonly rules: readonly PolicyRule[];
  readonly groups: readonly string[];
}

const HEALTH_AND_VERSION = [
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/version/',
];

/** The part of Kubernetes' default ClusterRoles that a fleet needs, and the groups that are bound to them. */
const BOOTSTRAP_ROLES: Readonly<Record<string, BootstrapRole>> = {
  'cluster-admin': {
    groups: ['system:masters'],
    rules: [
      { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
      { nonResourceURLs: ['*'], verbs: ['*'] },
    ],
  },
  'system:basic-user': {
    groups: ['system:authenticated'],
    rules: [
      {
        apiGroups: ['authorization.k8s.io'],
        resources: ['selfsubjectaccessreviews'],
        verbs: ['create'],
      },
    ],
  },
  'system:discovery': {
    groups: ['system:authenticated'],
    rules: [
      {
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/openapi',
          '/openapi/*',
          ...HEALTH_AND_VERSION,
        ],
        verbs: ['get'],
      },
    ],
  },
  'system:public-info-viewer': {
    groups: ['system:authenticated', 'system:unauthenticated'],
    rules: [{ nonResourceURLs: HEALTH_AND_VERSION, verbs: ['get'] }],
  },
};

/** Creates the default ClusterRoles and bindings that are missing. */
export function ensureBootstrapRoles(context: HubContext): void {
  for (const [name, { rules, groups }] of Object.entries(BOOTSTRAP_ROLES)) {
    ensure(context, 'clusterroles', 'ClusterRole', name, { rules });
    ensure(context, 'clusterrolebindings', 'ClusterRoleBinding', name, {
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name },
      subjects: groups.map(group => ({
        apiGroup: RBAC_GROUP,
        kind: 'Group',
        name: group,
      })),
    });
  }
}

function ensure(
  context: HubContext,
  plural: string,
  kind: string,
  name: string,
  content: object,
): void {
  const resource = context.registry.find(RBAC_GROUP, 'v1', plural)!;
  if (!collectionOf(context, resource).get('', name)) {
    createObject(
      context,
      resource,
      structuredClone({
        apiVersion: `${RBAC_GROUP}/v1`,
        kind,
        metadata: {
          name,
          labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
        },
        ...content,
      }),
      serverWrite('kube-apiserver'),
    );
  }
}
