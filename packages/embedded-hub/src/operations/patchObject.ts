import { fieldInvalid, fieldRequired } from '../api/fieldErrors';
import {
  copyJson,
  isJsonObject,
  KubernetesObject,
} from '../api/kubernetesObject';
import { apiVersionOf, ResourceDefinition } from '../api/resourceDefinition';
import {
  badRequest,
  invalid,
  notFound,
  unsupportedMediaType,
} from '../api/statusErrors';
import { applyConfiguration } from '../apply/serverSideApply';
import { applyJsonPatch } from '../patch/jsonPatch';
import { applyMergePatch } from '../patch/mergePatch';
import { applyStrategicMergePatch } from '../patch/strategicMergePatch';
import { createObject } from './createObject';
import {
  assertReadable,
  decodeObject,
  pruneObject,
  unknownFieldsRefusal,
} from './decodeObject';
import {
  collectionOf,
  HubContext,
  inVersionOf,
  timestamp,
  WriteOptions,
} from './hubContext';
import { Subresource, updateObject } from './updateObject';

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE_PATCH = 'application/merge-patch+json';
export const STRATEGIC_MERGE_PATCH = 'application/strategic-merge-patch+json';
export const APPLY_PATCH = 'application/apply-patch+yaml';

const PATCH_OPTIONS = {
  group: 'meta.k8s.io',
  plural: 'patchoptions',
  kind: 'PatchOptions',
};

export interface PatchRequest {
  readonly resource: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: Subresource;
  readonly patchType: string;
  readonly patch: unknown;
  readonly force?: boolean;
  /** The `fieldManager` parameter as sent; applies may not go without. */
  readonly explicitManager?: string;
  readonly options: WriteOptions;
}

/** The object after a write, and whether it is a new one. */
export interface WriteResult {
  readonly object: KubernetesObject;
  readonly created: boolean;
}

/** Patch types that a resource takes. */
export function patchTypesOf(resource: ResourceDefinition): string[] {
  return resource.custom
    ? [JSON_PATCH, MERGE_PATCH, APPLY_PATCH]
    : [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH];
}

function patched(request: PatchRequest, current: KubernetesObject): unknown {
  const { patch, resource } = request;
  switch (request.patchType) {
    case JSON_PATCH:
      return applyJsonPatch(current, patch);
    case MERGE_PATCH:
      return applyMergePatch(current, patch);
    case STRATEGIC_MERGE_PATCH:
      if (!isJsonObject(patch)) {
        throw badRequest(
          'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
        );
      }
      return applyStrategicMergePatch(
        current,
        patch,
        resource.schema.structure,
      );
    default:
      throw unsupportedMediaType(patchTypesOf(resource));
  }
}

/** Applies a patch of any type to a stored object, or creates it where an apply finds none. */
export function patchObject(
  context: HubContext,
  request: PatchRequest,
): WriteResult {
  const { resource, namespace, name, options, subresource } = request;
  if (!patchTypesOf(resource).includes(request.patchType)) {
    throw unsupportedMediaType(patchTypesOf(resource));
  }
  const old = collectionOf(context, resource).get(namespace, name);
  if (request.patchType === APPLY_PATCH) {
    return apply(context, request, old);
  }
  if (request.force !== undefined) {
    throw invalid(PATCH_OPTIONS, '', [
      {
        reason: 'FieldValueForbidden',
        field: 'force',
        detail: 'may not be specified for non-apply patch',
      },
    ]);
  }
  if (!old) {
    throw notFound(resource, name);
  }
  const current = inVersionOf(resource, old);
  const candidate = copyJson(patched(request, current)) as KubernetesObject;
  candidate.metadata ??= {};
  assertReadable(resource, candidate);
  pruneObject(resource, candidate, options, why =>
    invalid({ group: '', plural: '', kind: '' }, '', [
      fieldInvalid('patch', request.patch, why),
    ]),
  );
  assertSameIdentity(resource, candidate, current);
  candidate.metadata.resourceVersion ||= old.metadata.resourceVersion;
  const object = updateObject(context, {
    resource,
    old,
    candidate,
    subresource,
    options,
  });
  return { object, created: false };
}

function assertSameIdentity(
  resource: ResourceDefinition,
  candidate: KubernetesObject,
  current: KubernetesObject,
): void {
  for (const member of ['apiVersion', 'kind'] as const) {
    if (candidate[member] !== current[member]) {
      throw invalid(resource, current.metadata.name!, [
        fieldInvalid(member, candidate[member], `must be ${current[member]}`),
      ]);
    }
  }
}

function apply(
  context: HubContext,
  request: PatchRequest,
  old: KubernetesObject | undefined,
): WriteResult {
  const { resource, namespace, name, options, subresource } = request;
  if (!request.explicitManager) {
    throw invalid(PATCH_OPTIONS, '', [
      fieldRequired('fieldManager', 'is required for apply patch'),
    ]);
  }
  if (subresource && !old) {
    throw notFound(resource, name);
  }
  const applied = decodeObject(resource, request.patch, { namespace, name });
  if (applied.metadata.managedFields?.length) {
    throw badRequest('metadata.managedFields must be nil');
  }
  pruneObject(resource, applied, options, unknownFieldsRefusal(resource));
  const { resourceVersion, uid } = applied.metadata;
  const merged = copyJson(
    applyConfiguration({
      live: old && inVersionOf(resource, old),
      applied,
      schema: resource.schema.structure,
      writer: {
        manager: options.fieldManager,
        operation: 'Apply',
        apiVersion: apiVersionOf(resource),
        subresource,
        time: timestamp(context.now()),
      },
      force: request.force ?? false,
      ignoredFields: ignoredFields(resource, subresource),
    }),
  );
  if (!old) {
    const object = createObject(context, resource, merged, options, true);
    return { object, created: true };
  }
  merged.metadata.resourceVersion =
    resourceVersion ?? old.metadata.resourceVersion;
  merged.metadata.uid = uid ?? old.metadata.uid;
  const object = updateObject(context, {
    resource,
    old,
    candidate: merged,
    subresource,
    options,
    applied: true,
  });
  return { object, created: false };
}

/** What an endpoint cannot write, so that applying to it does not own it. */
function ignoredFields(
  resource: ResourceDefinition,
  subresource: Subresource | undefined,
): string[] {
  if (subresource) {
    return subresource === 'status' ? ['spec'] : ['status'];
  }
  return resource.hasStatus ? ['status'] : [];
}

/** PUT on a name: an update, or a create where the resource allows that. */
export function putObject(
  context: HubContext,
  request: {
    readonly resource: ResourceDefinition;
    readonly namespace: string;
    readonly name: string;
    readonly subresource?: Subresource;
    readonly body: unknown;
    readonly options: WriteOptions;
  },
): WriteResult {
  const { resource, namespace, name, options, subresource } = request;
  const candidate = decodeObject(resource, request.body, { namespace, name });
  const old = collectionOf(context, resource).get(namespace, name);
  if (!old) {
    if (!resource.createOnUpdate || subresource) {
      throw notFound(resource, name);
    }
    delete candidate.metadata.resourceVersion;
    return {
      object: createObject(context, resource, candidate, options),
      created: true,
    };
  }
  pruneObject(resource, candidate, options, unknownFieldsRefusal(resource));
  const object = updateObject(context, {
    resource,
    old,
    candidate,
    subresource,
    options,
  });
  return { object, created: false };
}
