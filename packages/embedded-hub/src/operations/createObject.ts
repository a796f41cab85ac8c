import { randomBytes, randomUUID } from 'node:crypto';
import { apiVersionOf, kubeTime } from 'apimachinery';
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
import { pruneObject, unknownFieldsError } from './decodeObject';
import {
  collectionOf,
  HubContext,
  inVersionOf,
  WriteOptions,
} from './hubContext';
import { dropEmptyFields } from './emptyFields';
import { assertStorable } from './storedSize';

/** Characters of generated names: like Kubernetes, without vowels and characters that resemble others. */
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

/** Rejects an object whose namespace does not exist or is being deleted. */
function assertNamespaceActive(
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
 * Creates an object that was decoded for this resource. The store keeps the object itself. With `applied`, its managed
 * fields were recorded by an apply and stay as they are.
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
    // As in Kubernetes, this is an error of the storage, not a 400.
    throw new ApiError(
      500,
      '',
      'resourceVersion should not be set on objects to be created',
    );
  }
  pruneObject(resource, object, options, unknownFieldsError(resource));
  if (resource.answer) {
    return resource.answer(object, context.access);
  }
  assignName(context, resource, object);
  if (resource.namespaced) {
    assertNamespaceActive(context, resource, object);
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
  metadata.creationTimestamp = kubeTime(context.now());
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
      time: kubeTime(context.now()),
    });
  }
  object.apiVersion = resource.storageApiVersion;
  assertStorable(object);
  if (!options.dryRun) {
    context.store.put(collectionKey(resource), object);
  }
  return inVersionOf(resource, object);
}
