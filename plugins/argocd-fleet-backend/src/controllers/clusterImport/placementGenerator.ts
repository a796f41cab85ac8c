import type {
  Finding,
  KubernetesObject,
} from 'backstage-plugin-argocd-fleet-common';
import type { FleetCache } from '../../fleet';
import { objectKey } from '../../kubernetes/client';
import {
  generatorConfig,
  placementRole,
  placementRoleBinding,
  planGeneratorConfig,
  planRole,
  planRoleBinding,
  type ObjectPlan,
} from '../../model/clusterimport';
import { clusterImportFindings } from '../../model/findings';
import { fingerprint } from '../../model/manifestwork';
import type { ReconcileContext, RewriteDamper } from '../../runtime';
import { unreadable } from './importers';

/** Writes the ConfigMap by which the ApplicationSet controller of a namespace generates from PlacementDecisions. */
export async function ensureGeneratorConfig(
  namespace: string,
  cache: FleetCache,
  damper: RewriteDamper,
  { writer, signal }: ReconcileContext,
): Promise<Finding[]> {
  const finding = await unreadable(
    ['generatorConfigs'],
    namespace,
    cache,
    signal,
  );
  if (finding) {
    return [finding];
  }
  const desired = generatorConfig(namespace);
  const existing = cache.generatorConfigs.get(objectKey(desired.metadata));
  return ensure(desired, planGeneratorConfig(existing, desired), damper, {
    create: object => writer.create('generatorConfigs', object),
    patch: patch => writer.patch('generatorConfigs', existing!, patch),
  });
}

/**
 * Lets the ApplicationSet controller of a namespace read PlacementDecisions. The Role comes first: an API server that
 * cannot find the role of a binding reports that instead of a missing permission.
 */
export async function ensurePlacementRole(
  namespace: string,
  cache: FleetCache,
  dampers: Readonly<Record<'Role' | 'RoleBinding', RewriteDamper>>,
  { writer, signal }: ReconcileContext,
): Promise<Finding[]> {
  const finding = await unreadable(
    ['placementRoles'],
    namespace,
    cache,
    signal,
  );
  if (finding) {
    return [finding];
  }
  const role = placementRole(namespace);
  const existing = cache.placementRoles.get(objectKey(role.metadata));
  const found = await ensure(role, planRole(existing, role), dampers.Role, {
    create: object => writer.create('placementRoles', object),
    patch: patch => writer.patch('placementRoles', existing!, patch),
  });
  const bindingFinding = await unreadable(
    ['serviceAccounts', 'placementRoleBindings'],
    namespace,
    cache,
    signal,
  );
  if (bindingFinding) {
    return [...found, bindingFinding];
  }
  const binding = placementRoleBinding(
    namespace,
    cache.serviceAccounts
      .by('namespace', namespace)
      .map(({ metadata }) => metadata.name),
  );
  const bound = cache.placementRoleBindings.get(objectKey(binding.metadata));
  return [
    ...found,
    ...(await ensure(
      binding,
      planRoleBinding(bound, binding),
      dampers.RoleBinding,
      {
        create: object => writer.create('placementRoleBindings', object),
        patch: patch => writer.patch('placementRoleBindings', bound!, patch),
      },
    )),
  ];
}

async function ensure<T extends KubernetesObject>(
  desired: T,
  plan: ObjectPlan,
  damper: RewriteDamper,
  write: {
    create(object: T): Promise<unknown>;
    patch(patch: Readonly<Record<string, unknown>>): Promise<unknown>;
  },
): Promise<Finding[]> {
  if (plan.kind === 'create' || plan.kind === 'patch') {
    await damper.write(objectKey(desired.metadata), fingerprint(desired), () =>
      plan.kind === 'create' ? write.create(desired) : write.patch(plan.patch),
    );
  }
  const { kind, metadata } = desired;
  const { namespace, name } = metadata;
  return plan.kind === 'kept'
    ? [
        clusterImportFindings.generatorKept({
          object: { kind, namespace, name },
        }),
      ]
    : [];
}
