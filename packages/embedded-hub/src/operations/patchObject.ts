import { apiVersionOf, isJsonObject, JsonObject, kubeTime } from 'apimachinery';
import { fieldInvalid, fieldRequired } from '../api/fieldErrors';
import { goTypeOf } from '../api/goDecoding';
import { copyJson, KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import {
  ApiError,
  badRequest,
  conflict,
  invalid,
  notFound,
  unsupportedMediaType,
} from '../api/statusErrors';
import { updateLastApplied } from '../apply/lastApplied';
import { applyConfiguration } from '../apply/serverSideApply';
import { applyJsonPatch } from '../patch/jsonPatch';
import { applyMergePatch } from '../patch/mergePatch';
import { applyStrategicMergePatch } from '../patch/strategicMergePatch';
import { createObject } from './createObject';
import {
  assertDecodable,
  decodeObject,
  pruneObject,
  unknownFieldsError,
  wrongKind,
} from './decodeObject';
import {
  collectionOf,
  HubContext,
  inVersionOf,
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
  /** The `fieldManager` parameter as sent; apply requires it. */
  readonly explicitManager?: string;
  readonly options: WriteOptions;
}

/** The object after a write, and whether the write created it. */
export interface WriteResult {
  readonly object: KubernetesObject;
  readonly created: boolean;
}

/** The patch types that a resource supports. */
export function patchTypesOf(resource: ResourceDefinition): string[] {
  return resource.custom
    ? [JSON_PATCH, MERGE_PATCH, APPLY_PATCH]
    : [JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, APPLY_PATCH];
}

function assertObject(patch: unknown): asserts patch is JsonObject {
  if (!isJsonObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${goTypeOf(patch)} into Go value of type map[string]interface {}`,
    );
  }
}

function patchedObject(
  request: PatchRequest,
  current: KubernetesObject,
): unknown {
  const { patch, resource } = request;
  switch (request.patchType) {
    case JSON_PATCH:
      return applyJsonPatch(current, patch);
    case MERGE_PATCH:
      assertObject(patch);
      return applyMergePatch(current, patch);
    case STRATEGIC_MERGE_PATCH:
      assertObject(patch);
      return applyStrategicMergePatch(
        current,
        patch,
        resource.schema.structure,
      );
    default:
      throw unsupportedMediaType(patchTypesOf(resource));
  }
}

/** Patches a stored object; apply creates it where it does not exist. */
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
  const candidate = copyJson(
    patchedObject(request, current),
  ) as KubernetesObject;
  candidate.metadata ??= {};
  const text = JSON.stringify(candidate);
  const refuse = (why: string) =>
    invalid({ group: '', plural: '', kind: '' }, '', [
      fieldInvalid('patch', text, why),
    ]);
  assertDecodable(resource, candidate, refuse);
  pruneObject(resource, candidate, options, refuse);
  assertSameIdentity(resource, candidate, current);
  candidate.metadata.resourceVersion ||= old.metadata.resourceVersion;
  const object = updateObject(context, {
    resource,
    old,
    candidate,
    subresource,
    options,
    patched: true,
  });
  return { object, created: false };
}

function assertSameIdentity(
  resource: ResourceDefinition,
  candidate: KubernetesObject,
  current: KubernetesObject,
): void {
  const { name, namespace } = current.metadata;
  const refusal = wrongKind(resource, candidate, name!);
  if (refusal) {
    throw refusal;
  }
  if (candidate.metadata.name !== name) {
    throw badRequest(
      `the name of the object (${candidate.metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  if (candidate.metadata.namespace !== namespace) {
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}

/** Decodes an applied configuration, which must have apiVersion and kind. */
function decodeApplied(request: PatchRequest): KubernetesObject {
  const { resource, namespace, name, patch } = request;
  const { apiVersion = '', kind = '' } = isJsonObject(patch) ? patch : {};
  if (apiVersion !== apiVersionOf(resource) || kind !== resource.kind) {
    const [group, version] = String(apiVersion).includes('/')
      ? String(apiVersion).split('/')
      : ['', String(apiVersion)];
    throw badRequest(`invalid object type: ${group}/${version}, Kind=${kind}`);
  }
  return decodeObject(resource, patch, { namespace, name });
}

/** The namespace in an applied configuration itself. */
function sentNamespace(patch: unknown): string {
  const metadata = isJsonObject(patch) ? patch.metadata : undefined;
  return isJsonObject(metadata) ? String(metadata.namespace ?? '') : '';
}

/** Rejects fields that the schema does not declare: they cannot have an owner. */
function assertDeclared(
  { resource, name }: PatchRequest,
  applied: KubernetesObject,
  namespace: string,
): void {
  const unknown = resource.schema.prune(applied);
  if (unknown.length > 0) {
    const object = `${namespace}/${name}; ${resource.group}/${resource.version}, Kind=${resource.kind}`;
    const [first, ...more] = unknown.map(
      path => `.${path}: field not declared in schema`,
    );
    throw new ApiError(
      500,
      '',
      `failed to create typed patch object (${object}): ${
        more.length > 0
          ? `errors:\n${[first, ...more].map(text => `  ${text}`).join('\n')}`
          : first
      }`,
    );
  }
}

function apply(
  context: HubContext,
  request: PatchRequest,
  old: KubernetesObject | undefined,
): WriteResult {
  const { resource, name, options, subresource } = request;
  if (!request.explicitManager) {
    throw invalid(PATCH_OPTIONS, '', [
      fieldRequired('fieldManager', 'is required for apply patch'),
    ]);
  }
  if (subresource && !old) {
    throw notFound(resource, name);
  }
  const namespaceSent = sentNamespace(request.patch);
  const applied = decodeApplied(request);
  if (applied.metadata.managedFields?.length) {
    throw badRequest('metadata.managedFields must be nil');
  }
  assertDeclared(request, applied, namespaceSent);
  const { resourceVersion, uid } = applied.metadata;
  if (!old && uid) {
    throw conflict(
      resource,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  }
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
        time: kubeTime(context.now()),
      },
      force: request.force ?? false,
      ignoredFields: ignoredFields(resource, subresource),
    }),
  );
  if (options.fieldManager === 'kubectl') {
    // Without a namespace that only the URL names.
    updateLastApplied(merged, {
      ...applied,
      metadata: { ...applied.metadata, namespace: namespaceSent || undefined },
    });
  }
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

/** Top-level fields that an endpoint does not write; an apply to it does not own them. */
function ignoredFields(
  resource: ResourceDefinition,
  subresource: Subresource | undefined,
): string[] {
  if (subresource) {
    return subresource === 'status' ? ['spec'] : ['status'];
  }
  return resource.hasStatus ? ['status'] : [];
}

/** PUT on a name: updates the object, or creates it where the resource allows that. */
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
  pruneObject(resource, candidate, options, unknownFieldsError(resource));
  const object = updateObject(context, {
    resource,
    old,
    candidate,
    subresource,
    options,
  });
  return { object, created: false };
}
