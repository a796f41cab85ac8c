import { randomBytes, randomUUID } from 'node:crypto';
import { apiVersionOf } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { objectMetaErrors } from '../api/objectMetaValidation';
import {
  collectionKey,
  ResourceDefinition,
} from '../resources/resourceDefinition';
import {
  alreadyExists,
  ApiError,
  forbidden,
  invalid,
  notFound,
} from '../api/statusErrors';
import { recordUpdate } from '../apply/managedFields';
import { pruneObject, unknownFieldsRefusal } from './decodeObject';
import {
  collectionOf,
  HubContext,
  inVersionOf,
  timestamp,
  WriteOptions,
} from './hubContext';
import { dropEmptyFields } from './emptyFields';
import { assertStorable } from './storedSize';

/** Letters of generated names: Kubernetes leaves out vowels and what looks like another letter. */
const NAME_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';
const GENERATED_NAME_LIMIT = 63;
const SUFFIX_LENGTH = 5;
const NAME_ATTEMPTS = 8;

const NAMESPACES = { group: '', plural: 'namespaces', kind: 'Namespace' };

function randomSuffix(): string {
  return [...randomBytes(SUFFIX_LENGTH)]
    .map(byte => NAME_LETTERS[byte % NAME_LETTERS.length])
    .join('');
}

/** Refuses objects in a namespace that is not there, or is going away. */
function assertNamespaceOpen(
  context: HubContext,
  resource: ResourceDefinition,
  object: KubernetesObject,
): void {
  const name = object.metadata.namespace ?? '';
  const namespace = context.store.collection('/namespaces').get('', name);
  if (!namespace) {
    throw notFound(NAMESPACES, name);
  }
  if (namespace.metadata.deletionTimestamp) {
    throw forbidden(
      resource,
      object.metadata.name ?? '',
      `unable to create new content in namespace ${name} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${name} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}

function assignName(
  context: HubContext,
  resource: ResourceDefinition,
  object: KubernetesObject,
): void {
  const { metadata } = object;
  if (metadata.name) {
    return;
  }
  const prefix = metadata.generateName;
  if (!prefix) {
    return;
  }
  const collection = collectionOf(context, resource);
  for (let attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
    metadata.name =
      prefix.slice(0, GENERATED_NAME_LIMIT - SUFFIX_LENGTH) + randomSuffix();
    if (!collection.get(metadata.namespace ?? '', metadata.name)) {
      return;
    }
  }
  throw new ApiError(
    409,
    'AlreadyExists',
    `${resource.plural} "${metadata.name}" already exists, the server was not able to generate a unique name for the object`,
    { retryAfterSeconds: 1, kind: resource.plural },
  );
}

/**
 * Creates an object that was decoded for this resource. The object becomes the
 * store's. `entries` of managed fields that it has already (from an apply) stay.
 */
export function createObject(
  context: HubContext,
  resource: ResourceDefinition,
  object: KubernetesObject,
  options: WriteOptions,
  applied = false,
): KubernetesObject {
  const { metadata } = object;
  if (metadata.resourceVersion && metadata.resourceVersion !== '0') {
    // Kubernetes' storage says so, which nobody takes for the client's mistake.
    throw new ApiError(
      500,
      '',
      'resourceVersion should not be set on objects to be created',
    );
  }
  pruneObject(resource, object, options, unknownFieldsRefusal(resource));
  if (resource.answer) {
    return resource.answer(object, context.access);
  }
  assignName(context, resource, object);
  if (resource.namespaced) {
    assertNamespaceOpen(context, resource, object);
  }
  if (resource.hasStatus && resource.custom) {
    delete object.status;
  }
  resource.schema.applyDefaults(object);
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
  delete metadata.resourceVersion;
  delete metadata.generation;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = timestamp(context.now());
  if (resource.hasGeneration) {
    metadata.generation = 1;
  }
  resource.prepareForCreate?.(object);
  dropEmptyFields(resource, object);

  const metaErrors = objectMetaErrors(resource, metadata);
  const errors = [
    ...metaErrors,
    ...resource.schema.validate(object, undefined, metaErrors),
    ...(resource.validate?.(object) ?? []),
  ];
  if (errors.length > 0) {
    throw invalid(resource, metadata.name ?? '', errors);
  }
  resource.admit?.(object);
  context.access?.assertMayGrant(resource, object);
  if (
    collectionOf(context, resource).get(
      metadata.namespace ?? '',
      metadata.name!,
    )
  ) {
    throw alreadyExists(resource, metadata.name!);
  }
  if (!applied) {
    recordUpdate(object, undefined, resource.schema.structure, {
      manager: options.fieldManager,
      operation: 'Update',
      apiVersion: apiVersionOf(resource),
      time: timestamp(context.now()),
    });
  }
  object.apiVersion = resource.storageApiVersion;
  assertStorable(object);
  if (!options.dryRun) {
    context.store.put(collectionKey(resource), object);
  }
  return inVersionOf(resource, object);
}
