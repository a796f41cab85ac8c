import {
  MANAGED_BY,
  MANAGED_BY_LABEL,
  PLACEMENT_GENERATOR,
  PLACEMENT_READER,
  type ConfigMap,
  type KubernetesObject,
  type Role,
  type RoleBinding,
} from 'backstage-plugin-argocd-fleet-common';
import { sameJson, type MergePatch } from '../json';

const RBAC = 'rbac.authorization.k8s.io';
const SUFFIX = 'applicationset-controller';

/** What to do about one object of a namespace; `kept` is an object of another owner that stays unchanged. */
export type ObjectPlan =
  | { readonly kind: 'same' }
  | { readonly kind: 'create' }
  | { readonly kind: 'patch'; readonly patch: MergePatch }
  | { readonly kind: 'kept' };

/** The ConfigMap with which ApplicationSets of the namespace generate from PlacementDecisions. */
export function generatorConfig(namespace: string): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: meta(PLACEMENT_GENERATOR, namespace),
    data: {
      apiVersion: 'cluster.open-cluster-management.io/v1beta1',
      kind: 'placementdecisions',
      statusListKey: 'decisions',
      matchKey: 'clusterName',
    },
  };
}

/**
 * Permits reading PlacementDecisions of the namespace: the ApplicationSet controller reads those of its own namespace.
 */
export function placementRole(namespace: string): Role {
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'Role',
    metadata: meta(PLACEMENT_READER, namespace),
    rules: [
      {
        apiGroups: ['cluster.open-cluster-management.io'],
        resources: ['placementdecisions'],
        verbs: ['get', 'list', 'watch'],
      },
    ],
  };
}

/**
 * Binds the {@link placementRole} to the namespace's ApplicationSet controllers: `argocd-applicationset-controller` in
 * Argo CD's own manifests, `<name of the ArgoCD object>-applicationset-controller` with its operator and OpenShift
 * GitOps.
 * @param serviceAccounts - names of those in the namespace; the usual ones are bound if none has such a name
 */
export function placementRoleBinding(
  namespace: string,
  serviceAccounts: readonly string[],
): RoleBinding {
  const found = serviceAccounts.filter(name => name.endsWith(SUFFIX)).sort();
  const names =
    found.length > 0
      ? found
      : [...new Set([`argocd-${SUFFIX}`, `${namespace}-${SUFFIX}`])];
  return {
    apiVersion: `${RBAC}/v1`,
    kind: 'RoleBinding',
    metadata: meta(PLACEMENT_READER, namespace),
    roleRef: { apiGroup: RBAC, kind: 'Role', name: PLACEMENT_READER },
    subjects: names.map(name => ({ kind: 'ServiceAccount', name, namespace })),
  };
}

/** A ConfigMap with other values is intended, and stays; additional keys do no harm. */
export function planGeneratorConfig(
  existing: ConfigMap | undefined,
  desired: ConfigMap,
): ObjectPlan {
  const same = Object.entries(desired.data ?? {}).every(
    ([key, value]) => existing?.data?.[key] === value,
  );
  return plan(existing, same, () => undefined);
}

/** As {@link planGeneratorConfig}, but the rules of a Role that we created are corrected. */
export function planRole(
  existing: Role | undefined,
  desired: Role,
): ObjectPlan {
  return plan(existing, sameJson(existing?.rules, desired.rules), () => ({
    rules: desired.rules,
  }));
}

/** As {@link planRole}; a binding's role cannot be changed, only its subjects. */
export function planRoleBinding(
  existing: RoleBinding | undefined,
  desired: RoleBinding,
): ObjectPlan {
  const sameRole = sameJson(existing?.roleRef, desired.roleRef);
  return plan(
    existing,
    sameRole && sameJson(existing?.subjects, desired.subjects),
    () => (sameRole ? { subjects: desired.subjects } : undefined),
  );
}

function plan(
  existing: KubernetesObject | undefined,
  same: boolean,
  correction: () => MergePatch | undefined,
): ObjectPlan {
  if (!existing) {
    return { kind: 'create' };
  }
  if (same) {
    return { kind: 'same' };
  }
  const ours = existing.metadata.labels?.[MANAGED_BY_LABEL] === MANAGED_BY;
  const patch = ours ? correction() : undefined;
  return patch ? { kind: 'patch', patch } : { kind: 'kept' };
}

function meta(name: string, namespace: string) {
  return { name, namespace, labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
}
