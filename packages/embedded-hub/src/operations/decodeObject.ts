import { fieldErrorText } from '../api/fieldErrors';
import {
  isJsonObject,
  JsonObject,
  KubernetesObject,
} from '../api/kubernetesObject';
import { apiVersionOf, ResourceDefinition } from '../api/resourceDefinition';
import { badRequest } from '../api/statusErrors';
import { WriteOptions } from './hubContext';

function cannotBeHandled(
  object: JsonObject,
  resource: ResourceDefinition,
  why: string,
): Error {
  return badRequest(
    `${object.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: ${why}`,
  );
}

/** Accepts a body as an object of the resource at this URL; throws 400 when it is none. */
export function decodeObject(
  resource: ResourceDefinition,
  body: unknown,
  target: { namespace: string; name?: string },
): KubernetesObject {
  if (!isJsonObject(body)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error`,
    );
  }
  body.apiVersion ??= apiVersionOf(resource);
  body.kind ??= resource.kind;
  if (body.apiVersion !== apiVersionOf(resource)) {
    throw badRequest(
      `the API version in the data (${
        body.apiVersion
      }) does not match the expected API version (${apiVersionOf(resource)})`,
    );
  }
  if (body.kind !== resource.kind) {
    throw cannotBeHandled(
      body,
      resource,
      `no kind "${body.kind}" is served here`,
    );
  }
  if (body.metadata === undefined || body.metadata === null) {
    body.metadata = {};
  }
  const object = body as KubernetesObject;
  assertReadable(resource, object);
  const { metadata } = object;
  if (resource.namespaced && target.namespace) {
    metadata.namespace ??= target.namespace;
    if (metadata.namespace !== target.namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
  }
  if (target.name !== undefined) {
    metadata.name ??= target.name;
    if (metadata.name !== target.name) {
      throw badRequest(
        `the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`,
      );
    }
  }
  return object;
}

/** Types that make an object unreadable, rather than invalid, are refused with 400. */
export function assertReadable(
  resource: ResourceDefinition,
  object: KubernetesObject,
): void {
  const errors = resource.schema.metadataTypeErrors(object);
  if (!resource.custom) {
    // Built-in kinds are Go structs: what does not fit their types cannot be decoded.
    errors.push(
      ...resource.schema
        .validate(object)
        .filter(error => error.reason === 'FieldValueTypeInvalid'),
    );
  }
  if (errors.length > 0) {
    throw cannotBeHandled(
      object,
      resource,
      `json: cannot unmarshal ${errors[0].value} into Go struct field ${
        resource.kind
      }.${errors[0].field} (${fieldErrorText(errors[0])})`,
    );
  }
  for (const [key, value] of Object.entries(object.metadata)) {
    if (value === null) {
      delete object.metadata[key as keyof typeof object.metadata];
    }
  }
}

/** Removes what the schema does not know, and says so as the request asked. */
export function pruneObject(
  resource: ResourceDefinition,
  object: KubernetesObject,
  options: WriteOptions,
  refuse: (why: string) => Error,
): void {
  const unknown = resource.schema.prune(object);
  if (unknown.length === 0 || options.fieldValidation === 'Ignore') {
    return;
  }
  const texts = unknown.map(path => `unknown field "${path}"`);
  if (options.fieldValidation === 'Strict') {
    throw refuse(`strict decoding error: ${texts.join(', ')}`);
  }
  options.warnings.push(...texts);
}

/** The refusal of unknown fields in a whole object, as opposed to a patch. */
export function unknownFieldsRefusal(
  resource: ResourceDefinition,
): (why: string) => Error {
  return why => cannotBeHandled({ kind: resource.kind }, resource, why);
}
