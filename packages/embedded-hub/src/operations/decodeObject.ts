import { apiVersionOf, groupOf, isJsonObject, JsonObject } from 'apimachinery';
import { FieldError, fieldInvalid } from '../api/fieldErrors';
import { goTypeOf } from '../api/goDecoding';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { badRequest, invalid } from '../api/statusErrors';
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

function unrecognized(resource: ResourceDefinition, why: string): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): ${why}`,
  );
}

/** The error for a custom object of another kind or apiVersion; like Kubernetes, it names the kind in the object. */
export function wrongKind(
  resource: ResourceDefinition,
  object: JsonObject,
  name: string,
): Error | undefined {
  const named = {
    group: groupOf(String(object.apiVersion ?? '')),
    plural: resource.plural,
    kind: String(object.kind ?? ''),
  };
  const expected = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  for (const member of ['kind', 'apiVersion'] as const) {
    if (object[member] !== expected[member]) {
      return invalid(named, name, [
        fieldInvalid(member, object[member], `must be ${expected[member]}`),
      ]);
    }
  }
  return undefined;
}

/** Objects of built-in kinds may omit apiVersion and kind, which the URL implies; custom objects may not. */
function assertKind(resource: ResourceDefinition, body: JsonObject): void {
  const expected = apiVersionOf(resource);
  if (resource.custom && !body.kind) {
    const text = JSON.stringify(body);
    throw unrecognized(
      resource,
      `Object 'Kind' is missing in '${text}' (${
        text.length > 30 ? `${text.slice(0, 30)} ...` : text
      })`,
    );
  }
  if (!resource.custom) {
    body.apiVersion ??= expected;
    body.kind ??= resource.kind;
  }
  const actual = String(body.apiVersion ?? '');
  if (!resource.custom && groupOf(actual) !== resource.group) {
    throw cannotBeHandled(
      body,
      resource,
      `no kind "${body.kind}" is registered for version "${actual}"`,
    );
  }
  if (actual !== expected) {
    throw badRequest(
      `the API version in the data (${actual}) does not match the expected API version (${expected})`,
    );
  }
  if (body.kind !== resource.kind) {
    const { name } = (body.metadata ?? {}) as { name?: string };
    throw resource.custom
      ? wrongKind(resource, body, name ?? '')!
      : cannotBeHandled(body, resource, `it is no ${resource.kind}`);
  }
}

/** Decodes a body as an object of the resource at this URL. @throws ApiError 400 when it is not one. */
export function decodeObject(
  resource: ResourceDefinition,
  body: unknown,
  target: { namespace: string; name?: string },
): KubernetesObject {
  if (!isJsonObject(body)) {
    throw unrecognized(
      resource,
      body === undefined
        ? "couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)"
        : `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  assertKind(resource, body);
  if (body.metadata === undefined || body.metadata === null) {
    body.metadata = {};
  }
  const object = body as KubernetesObject;
  assertDecodable(resource, object);
  const { metadata } = object;
  if (resource.namespaced && target.namespace) {
    metadata.namespace ??= target.namespace;
    if (metadata.namespace !== target.namespace) {
      throw badRequest(
        'the namespace of the provided object does not match the namespace sent on the request',
      );
    }
  }
  if (!resource.namespaced) {
    delete metadata.namespace;
  }
  if (target.name !== undefined) {
    if (!metadata.name) {
      throw badRequest(
        `the name of the object (${target.name} based on URL) was undeterminable: name must be provided`,
      );
    }
    if (metadata.name !== target.name) {
      throw badRequest(
        `the name of the object (${metadata.name}) does not match the name on the URL (${target.name})`,
      );
    }
  }
  return object;
}

/** RFC 3339 with seconds and a time zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/;

function timeError(object: KubernetesObject): string | undefined {
  const { creationTimestamp, deletionTimestamp } = object.metadata;
  const invalidTime = [creationTimestamp, deletionTimestamp].find(
    time => time && !TIME.test(time),
  );
  return invalidTime === undefined
    ? undefined
    : `parsing time "${invalidTime}" as "2006-01-02T15:04:05Z07:00": cannot parse "${invalidTime}" as "2006"`;
}

/** The error of Go's decoder for a value that does not fit the Go type of its field. */
function unmarshalError(
  resource: ResourceDefinition,
  object: KubernetesObject,
  error: FieldError,
): string {
  if (error.detail?.startsWith('illegal base64')) {
    return error.detail;
  }
  const path = error.field.split(/[.[]/).map(part => part.replace(/]$/, ''));
  const value = path.reduce<unknown>(
    (member, part) => (member as JsonObject | undefined)?.[part],
    object,
  );
  return `json: cannot unmarshal ${goTypeOf(value)} into Go struct field ${resource.kind}.${error.field}`;
}

/** Why an object cannot be decoded, as opposed to being invalid; undefined when it can. */
function decodeError(
  resource: ResourceDefinition,
  object: KubernetesObject,
): string | undefined {
  const errors = resource.schema.metadataTypeErrors(object);
  if (!resource.custom) {
    // Built-in kinds are Go structs: a value that does not fit its type cannot be decoded.
    errors.push(
      ...resource.schema
        .validate(object)
        .filter(error => error.reason === 'FieldValueTypeInvalid'),
    );
  }
  return errors.length > 0
    ? unmarshalError(resource, object, errors[0])
    : timeError(object);
}

/** Rejects an object that cannot be decoded as one of the resource, by default with 400. */
export function assertDecodable(
  resource: ResourceDefinition,
  object: KubernetesObject,
  refuse = (why: string) => cannotBeHandled(object, resource, why),
): void {
  const why = decodeError(resource, object);
  if (why) {
    throw refuse(why);
  }
  for (const [key, value] of Object.entries(object.metadata)) {
    if (value === null) {
      delete object.metadata[key as keyof typeof object.metadata];
    }
  }
}

/** Removes unknown fields; warns of them or rejects them, as `fieldValidation` requests. */
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

/** Makes the error for unknown fields in a whole object, as opposed to a patch. */
export function unknownFieldsError(
  resource: ResourceDefinition,
): (why: string) => Error {
  return why => cannotBeHandled({ kind: resource.kind }, resource, why);
}
