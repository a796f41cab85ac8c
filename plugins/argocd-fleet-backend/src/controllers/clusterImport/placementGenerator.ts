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
import type { HubWriter } from '../../runtime';
import type { GENERATOR_RESOURCES } from './argoNamespaces';

type GeneratorResource = (typeof GENERATOR_RESOURCES)[number];

/** Lets the ApplicationSet controller of a namespace generate from PlacementDecisions; each of the three objects on its own. */
export async function ensurePlacementGenerator(options: {
  readonly cache: FleetCache;
  readonly namespace: string;
  readonly writer: HubWriter;
  readonly isRead: (name: GeneratorResource) => Promise<boolean>;
  /** Runs one piece of work, whose failure leaves the others alone. */
  readonly attempt: (work: () => Promise<Finding[]>) => Promise<void>;
}): Promise<void> {
  const { cache, namespace, writer, isRead, attempt } = options;

  async function ensure<T extends KubernetesObject>(
    desired: T,
    plan: ObjectPlan,
    write: {
      create(object: T): Promise<unknown>;
      patch(patch: Readonly<Record<string, unknown>>): Promise<unknown>;
    },
  ): Promise<Finding[]> {
    if (plan.kind === 'create') {
      await write.create(desired);
    } else if (plan.kind === 'patch') {
      await write.patch(plan.patch);
    }
    const { kind, metadata } = desired;
    return plan.kind === 'kept'
      ? [
          clusterImportFindings.generatorKept({
            object: { kind, namespace, name: metadata.name },
          }),
        ]
      : [];
  }

  if (await isRead('generatorConfigs')) {
    const desired = generatorConfig(namespace);
    const existing = cache.generatorConfigs.get(objectKey(desired.metadata));
    await attempt(() =>
      ensure(desired, planGeneratorConfig(existing, desired), {
        create: object => writer.create('generatorConfigs', object),
        patch: patch => writer.patch('generatorConfigs', existing!, patch),
      }),
    );
  }
  // Without the Role there is nothing to bind: the API server would speak of what it does not find instead of what is missing.
  const isRoleKnown = await isRead('placementRoles');
  if (isRoleKnown) {
    const desired = placementRole(namespace);
    const existing = cache.placementRoles.get(objectKey(desired.metadata));
    await attempt(() =>
      ensure(desired, planRole(existing, desired), {
        create: object => writer.create('placementRoles', object),
        patch: patch => writer.patch('placementRoles', existing!, patch),
      }),
    );
  }
  if (
    isRoleKnown &&
    (await isRead('serviceAccounts')) &&
    (await isRead('placementRoleBindings'))
  ) {
    const desired = placementRoleBinding(
      namespace,
      cache.serviceAccounts
        .by('namespace', namespace)
        .map(({ metadata }) => metadata.name),
    );
    const existing = cache.placementRoleBindings.get(
      objectKey(desired.metadata),
    );
    await attempt(() =>
      ensure(desired, planRoleBinding(existing, desired), {
        create: object => writer.create('placementRoleBindings', object),
        patch: patch => writer.patch('placementRoleBindings', existing!, patch),
      }),
    );
  }
}
