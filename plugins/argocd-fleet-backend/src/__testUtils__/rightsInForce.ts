import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type {
  KubernetesClient,
  ResourceType,
} from '../kubernetes/client/client';
import type { PolicyRule, RbacObject } from './deployedRbac';
import { waitFor } from './waitFor';

interface RulesReview extends KubernetesObject {
  readonly spec: { readonly namespace: string };
  readonly status?: { readonly resourceRules: readonly PolicyRule[] };
}

/** Reviews of the rules that apply to the requesting user. */
const RULES_REVIEWS: ResourceType<RulesReview> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'selfsubjectrulesreviews',
  kind: 'SelfSubjectRulesReview',
  namespaced: false,
};

/** API groups that every user may use, to review the own rights and identity. */
const PUBLIC_GROUPS = ['authorization.k8s.io', 'authentication.k8s.io'];

/** Waits until a server, which applies roles and bindings with a delay, grants a client exactly these rights. */
export async function untilInForce(
  client: KubernetesClient,
  rbac: readonly RbacObject[],
): Promise<void> {
  const namespaces = rbac.flatMap(({ kind, metadata }) =>
    kind === 'RoleBinding' ? [metadata.namespace ?? ''] : [],
  );
  for (const namespace of new Set(['default', ...namespaces])) {
    const expected = comparable(boundRules(rbac, namespace));
    await waitFor(async () => {
      const { status } = await client.create(RULES_REVIEWS, {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectRulesReview',
        metadata: {},
        spec: { namespace },
      } as unknown as KubernetesObject);
      const own = status?.resourceRules.filter(
        ({ apiGroups }) => !apiGroups.some(it => PUBLIC_GROUPS.includes(it)),
      );
      expect(comparable(own ?? [])).toEqual(expected);
      return true;
    });
  }
}

function boundRules(
  rbac: readonly RbacObject[],
  namespace: string,
): readonly PolicyRule[] {
  const roles = new Map(
    rbac.map(object => [`${object.kind}/${object.metadata.name}`, object]),
  );
  return rbac
    .filter(
      ({ kind, metadata }) =>
        kind === 'ClusterRoleBinding' ||
        (kind === 'RoleBinding' && metadata.namespace === namespace),
    )
    .flatMap(
      ({ roleRef }) =>
        roles.get(`${roleRef?.kind}/${roleRef?.name}`)?.rules ?? [],
    );
}

function comparable(rules: readonly PolicyRule[]): readonly string[] {
  return rules
    .map(({ apiGroups, resources, resourceNames = [], verbs }) =>
      JSON.stringify([apiGroups, resources, resourceNames, verbs]),
    )
    .sort();
}
