import { apiVersionOf, equalJson, kubeTime } from 'apimachinery';
import { fieldInvalid } from '../api/fieldErrors';
import { KubernetesObject } from '../api/kubernetesObject';
import {
  objectMetaErrors,
  objectMetaUpdateErrors,
} from '../api/objectMetaValidation';
import {
  collectionKey,
  ResourceDefinition,
} from '../resources/resourceDefinition';
import { ApiError, conflict, invalid } from '../api/statusErrors';
import { recordUpdate } from '../apply/managedFields';
import { dropEmptyFields } from './emptyFields';
import { HubContext, inVersionOf, WriteOptions } from './hubContext';
import { assertStorable } from './storedSize';

/** The endpoint of an update, which decides what part of the object it writes. */
export type Subresource = 'status' | 'finalize';

export interface UpdateRequest {
  readonly resource: ResourceDefinition;
  /** The stored object that the update was computed from. */
  readonly old: KubernetesObject;
  /** The new object, pruned; `updateObject` fills in defaults in place. */
  readonly candidate: KubernetesObject;
  readonly subresource?: Subresource;
  readonly options: WriteOptions;
  /** True for a patch of the stored object: another UID is a change, not a precondition. */
  readonly patched?: boolean;
  /** True when an apply has already recorded the managed fields. */
  readonly applied?: boolean;
}

/** Kubernetes' key for an object in etcd. */
function storageKey({ resource, old }: UpdateRequest): string {
  return [
    '/registry',
    ...(resource.custom ? [resource.group] : []),
    resource.plural,
    ...(old.metadata.namespace ? [old.metadata.namespace] : []),
    old.metadata.name,
  ].join('/');
}

function assertCurrent(request: UpdateRequest): void {
  const { resource, old, candidate } = request;
  const name = old.metadata.name!;
  const { resourceVersion, uid } = candidate.metadata;
  if (uid && uid !== old.metadata.uid && !request.patched) {
    throw conflict(
      resource,
      name,
      `StorageError: invalid object, Code: 4, Key: ${storageKey(
        request,
      )}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${
        old.metadata.uid
      }`,
    );
  }
  if (!resourceVersion || resourceVersion === '0') {
    if (!resource.unconditionalUpdate) {
      throw invalid({ ...resource, kind: resource.plural }, name, [
        fieldInvalid(
          'metadata.resourceVersion',
          0,
          'must be specified for an update',
        ),
      ]);
    }
  } else if (!/^\d+$/.test(resourceVersion)) {
    throw new ApiError(
      500,
      '',
      `strconv.ParseUint: parsing ${JSON.stringify(resourceVersion)}: invalid syntax`,
    );
  } else if (resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(resource, name);
  }
}

/** The object to store: the written part of the candidate, and the rest of the stored object. */
function assemble(request: UpdateRequest): KubernetesObject {
  const { resource, old, candidate, subresource } = request;
  const { managedFields } = candidate.metadata;
  if (subresource === 'status') {
    return {
      ...old,
      metadata: { ...old.metadata, managedFields },
      status: candidate.status,
    };
  }
  if (subresource === 'finalize') {
    return {
      ...old,
      metadata: { ...old.metadata, managedFields },
      spec: candidate.spec,
    };
  }
  const next: KubernetesObject = {
    ...candidate,
    metadata: {
      ...candidate.metadata,
      uid: candidate.metadata.uid || old.metadata.uid,
      creationTimestamp: old.metadata.creationTimestamp,
      generation: old.metadata.generation,
      deletionTimestamp: old.metadata.deletionTimestamp,
      deletionGracePeriodSeconds: old.metadata.deletionGracePeriodSeconds,
      selfLink: undefined,
    },
  };
  if (resource.hasStatus) {
    next.status = old.status;
  }
  return next;
}

function contentChanged(
  resource: ResourceDefinition,
  next: KubernetesObject,
  old: KubernetesObject,
): boolean {
  const ignored = new Set(['metadata', 'apiVersion']);
  if (resource.hasStatus) {
    ignored.add('status');
  }
  return [...new Set([...Object.keys(next), ...Object.keys(old)])].some(
    key => !ignored.has(key) && !equalJson(next[key], old[key]),
  );
}

/** Removes `undefined` members, which are equal to absent ones, from the object to store. */
function dropUndefined(object: { [key: string]: unknown }): void {
  for (const key of Object.keys(object)) {
    if (object[key] === undefined) {
      delete object[key];
    }
  }
}

/**
 * Updates a stored object. An update without a change is not stored; an object that is being deleted is removed with
 * its last finalizer.
 */
export function updateObject(
  context: HubContext,
  request: UpdateRequest,
): KubernetesObject {
  const { resource, old, subresource, options } = request;
  assertCurrent(request);
  resource.schema.applyDefaults(request.candidate);
  const next = assemble(request);
  dropUndefined(next);
  dropUndefined(next.metadata as { [key: string]: unknown });
  resource.prepareForUpdate?.(next, old);
  dropEmptyFields(resource, next);
  if (resource.hasGeneration && contentChanged(resource, next, old)) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1;
  }
  const metaErrors = [
    ...objectMetaUpdateErrors(next, old),
    ...objectMetaErrors(resource, next.metadata),
  ];
  const errors = [
    ...metaErrors,
    ...resource.schema.validate(next, old, metaErrors),
    ...(resource.validate?.(next, old) ?? []),
  ];
  if (errors.length > 0) {
    throw invalid(resource, old.metadata.name!, errors);
  }
  if (!subresource) {
    resource.admit?.(next);
    context.access?.assertMayGrant(resource, next, old);
  }
  if (!request.applied) {
    recordUpdate(next, old, resource.schema.structure, {
      manager: options.fieldManager,
      operation: 'Update',
      apiVersion: apiVersionOf(resource),
      subresource,
      time: kubeTime(context.now()),
    });
  }
  next.apiVersion = resource.storageApiVersion;
  next.metadata.resourceVersion = old.metadata.resourceVersion;
  if (equalJson(next, old)) {
    return inVersionOf(resource, old);
  }
  assertStorable(next);
  if (!options.dryRun) {
    if (isFinalized(next)) {
      context.store.remove(collectionKey(resource), next);
    } else {
      context.store.put(collectionKey(resource), next);
    }
  }
  return inVersionOf(resource, next);
}

/** Whether an object that is being deleted has no finalizers left. */
function isFinalized(object: KubernetesObject): boolean {
  const specFinalizers = (object.spec as { finalizers?: unknown[] } | undefined)
    ?.finalizers;
  return (
    object.metadata.deletionTimestamp !== undefined &&
    !object.metadata.finalizers?.length &&
    !(object.kind === 'Namespace' && specFinalizers?.length)
  );
}
