import { kubeTime, Status } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  FOREGROUND_FINALIZER,
  ORPHAN_FINALIZER,
} from '../api/objectMetaValidation';
import {
  collectionKey,
  ResourceDefinition,
} from '../resources/resourceDefinition';
import { conflict, notFound } from '../api/statusErrors';
import { collectionOf, HubContext, inVersionOf } from './hubContext';

export type PropagationPolicy = 'Background' | 'Foreground' | 'Orphan';

/** The part of `metav1.DeleteOptions` that has an effect without pods. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly propagationPolicy?: PropagationPolicy;
  readonly preconditions?: {
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

function assertPreconditions(
  resource: ResourceDefinition,
  object: KubernetesObject,
  options: DeleteOptions,
): void {
  const { uid, resourceVersion, name } = object.metadata;
  const expected = options.preconditions ?? {};
  // Kubernetes names the kind here, where other conflicts name the resource.
  const named = { ...resource, plural: resource.kind };
  if (expected.uid && expected.uid !== uid) {
    throw conflict(
      named,
      name!,
      `the UID in the precondition (${expected.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
    );
  }
  if (
    expected.resourceVersion &&
    expected.resourceVersion !== resourceVersion
  ) {
    throw conflict(
      named,
      name!,
      `the ResourceVersion in the precondition (${expected.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    );
  }
}

/** The finalizers of the object once the propagation policy has added or removed those of the garbage collector. */
function finalizersFor(
  object: KubernetesObject,
  policy: PropagationPolicy | undefined,
): string[] {
  const finalizers = object.metadata.finalizers ?? [];
  if (!policy) {
    return finalizers;
  }
  const others = finalizers.filter(
    name => name !== FOREGROUND_FINALIZER && name !== ORPHAN_FINALIZER,
  );
  switch (policy) {
    case 'Foreground':
      return [...others, FOREGROUND_FINALIZER];
    case 'Orphan':
      return [...others, ORPHAN_FINALIZER];
    default:
      return others;
  }
}

function deletedStatus(
  resource: ResourceDefinition,
  object: KubernetesObject,
): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: object.metadata.name,
      ...(resource.group ? { group: resource.group } : {}),
      kind: resource.plural,
      uid: object.metadata.uid,
    },
  };
}

/**
 * Deletes an object and returns a `Status`, or sets its deletionTimestamp while it has finalizers and returns the
 * object.
 */
export function deleteObject(
  context: HubContext,
  resource: ResourceDefinition,
  target: { namespace: string; name: string },
  options: DeleteOptions,
): Status | KubernetesObject {
  const object = collectionOf(context, resource).get(
    target.namespace,
    target.name,
  );
  if (!object) {
    throw notFound(resource, target.name);
  }
  assertPreconditions(resource, object, options);
  const finalizers = finalizersFor(object, options.propagationPolicy);
  const hasSpecFinalizers =
    object.kind === 'Namespace' &&
    Boolean((object.spec as { finalizers?: unknown[] })?.finalizers?.length);
  if (finalizers.length === 0 && !hasSpecFinalizers) {
    if (!options.dryRun) {
      context.store.remove(collectionKey(resource), object);
    }
    return deletedStatus(resource, object);
  }
  const marked = markDeleted(context, resource, object, finalizers);
  if (marked !== object && !options.dryRun) {
    context.store.put(collectionKey(resource), marked);
  }
  return inVersionOf(resource, marked);
}

function markDeleted(
  context: HubContext,
  resource: ResourceDefinition,
  object: KubernetesObject,
  finalizers: string[],
): KubernetesObject {
  const { metadata } = object;
  const already = metadata.deletionTimestamp !== undefined;
  const sameFinalizers =
    finalizers.join() === (metadata.finalizers ?? []).join();
  if (already && sameFinalizers) {
    return object;
  }
  const next: KubernetesObject = {
    ...object,
    metadata: {
      ...metadata,
      deletionTimestamp: metadata.deletionTimestamp ?? kubeTime(context.now()),
      deletionGracePeriodSeconds: 0,
    },
  };
  if (finalizers.length > 0) {
    next.metadata.finalizers = finalizers;
  } else {
    delete next.metadata.finalizers;
  }
  if (resource.hasGeneration && !already) {
    next.metadata.generation = (metadata.generation ?? 0) + 1;
  }
  if (object.kind === 'Namespace') {
    next.status = { ...(object.status as object), phase: 'Terminating' };
  }
  return next;
}
