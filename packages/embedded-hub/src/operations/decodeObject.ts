import { apiVersionOf, isJsonObject, JsonObject } from 'apimachinery';
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

/** The refusal of a custom object that says to be of another kind; Kubernetes names it by what it says. */
export function wrongKind(
  resource: ResourceDefinition,
  object: JsonObject,
  name: string,
): Error | undefined {
  const said = String(object.apiVersion ?? '').split('/');
  const named = {
    group: said.length > 1 ? said[0] : '',
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

/** Built-in objects may leave out what the URL says; custom ones may not. */
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
  const [group] = expected.includes('/') ? expected.split('/') : [''];
  const said = String(body.apiVersion ?? '');
  const [saidGroup] = said.includes('/') ? said.split('/') : [''];
  if (!resource.custom && group !== saidGroup) {
    throw cannotBeHandled(
      body,
      resource,
      `no kind "${body.kind}" is registered for version "${said}"`,
    );
  }
  if (said !== expected) {
    throw badRequest(
      `the API version in the data (${said}) does not match the expected API version (${expected})`,
    );
  }
  if (body.kind !== resource.kind) {
    const { name } = (body.metadata ?? {}) as { name?: string };
    throw resource.custom
      ? wrongKind(resource, body, name ?? '')!
      : cannotBeHandled(body, resource, `it is no ${resource.kind}`);
  }
}

/** Accepts a body as an object of the resource at this URL; throws 400 when it is none. */
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

/** RFC 3339 with seconds and a zone. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)$/;

function unreadableTime(object: KubernetesObject): string | undefined {
  const { creationTimestamp, deletionTimestamp } = object.metadata;
  const wrong = [creationTimestamp, deletionTimestamp].find(
    time => time && !TIME.test(time),
  );
  return wrong === undefined
    ? undefined
    : `parsing time "${wrong}" as "2006-01-02T15:04:05Z07:00": cannot parse "${wrong}" as "2006"`;
}

/** What does not fit the Go type of a field, as Go's decoder says it. */
function unmarshalText(
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

/** Why an object cannot be read as what it should be, rather than being invalid; nothing when it can. */
function unreadableBecause(
  resource: ResourceDefinition,
  object: KubernetesObject,
): string | undefined {
  const errors = resource.schema.metadataTypeErrors(object);
  if (!resource.custom) {
    // Built-in kinds are Go structs: what does not fit their types cannot be decoded.
    errors.push(
      ...resource.schema
        .validate(object)
        .filter(error => error.reason === 'FieldValueTypeInvalid'),
    );
  }
  return errors.length > 0
    ? unmarshalText(resource, object, errors[0])
    : unreadableTime(object);
}

/** Refuses, with 400 unless told otherwise, what cannot be read as an object of the resource. */
export function assertReadable(
  resource: ResourceDefinition,
  object: KubernetesObject,
  refuse = (why: string) => cannotBeHandled(object, resource, why),
): void {
  const why = unreadableBecause(resource, object);
  if (why) {
    throw refuse(why);
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
