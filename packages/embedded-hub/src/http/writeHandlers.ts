import { apiVersionOf, nextTurn, RequestInfo } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { ApiError, unsupportedMediaType } from '../api/statusErrors';
import { assertNotProtected } from '../builtin/namespaceProtection';
import { createObject } from '../operations/createObject';
import { decodeObject } from '../operations/decodeObject';
import { deleteObject } from '../operations/deleteObject';
import { collectionOf } from '../operations/hubContext';
import { listObjects } from '../operations/listObjects';
import {
  APPLY_PATCH,
  patchObject,
  patchTypesOf,
  putObject,
} from '../operations/patchObject';
import { Subresource } from '../operations/updateObject';
import { negotiate } from './mediaTypes';
import { contentType, parseText, readBody, readObject } from './requestBody';
import { ResourceRequest, respond } from './resourceRequest';
import { addWarnings, sendList } from './responses';
import {
  parseDeleteOptions,
  parseListOptions,
  parseWriteOptions,
} from './requestOptions';

/** Objects that deletecollection deletes before it lets other requests run. */
const DELETIONS_PER_TURN = 20;

export async function handleCreate(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, request, response, info, query } = call;
  const options = parseWriteOptions(
    query,
    request.headers['user-agent'],
    'CreateOptions',
  );
  const body = await readObject(request, resource.kind);
  const decoded = decodeObject(resource, body, { namespace: info.namespace });
  const object = createObject(context, resource, decoded, options);
  addWarnings(response, warningsOf(resource, options.warnings));
  respond(call, resource, 201, object);
}

function warningsOf(
  resource: ResourceDefinition,
  warnings: readonly string[],
): string[] {
  return resource.deprecationWarning
    ? [resource.deprecationWarning, ...warnings]
    : [...warnings];
}

function subresourceOf(info: RequestInfo): Subresource | undefined {
  return info.subresource ? (info.subresource as Subresource) : undefined;
}

export async function handleUpdate(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, request, response, info, query } = call;
  const options = parseWriteOptions(
    query,
    request.headers['user-agent'],
    'UpdateOptions',
  );
  const { object, created } = putObject(context, {
    resource,
    namespace: info.namespace,
    name: info.name,
    subresource: subresourceOf(info),
    body: await readObject(request, resource.kind),
    options,
  });
  addWarnings(response, warningsOf(resource, options.warnings));
  respond(call, resource, created ? 201 : 200, object);
}

export async function handlePatch(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, request, response, info, query } = call;
  const patchType = contentType(request);
  if (!patchTypesOf(resource).includes(patchType)) {
    request.resume();
    throw resource.custom
      ? unsupportedMediaType(patchTypesOf(resource))
      : new ApiError(
          415,
          'UnsupportedMediaType',
          '415: Unsupported Media Type',
          {},
        );
  }
  const options = parseWriteOptions(
    query,
    request.headers['user-agent'],
    'PatchOptions',
  );
  const body = await readBody(request);
  const force = query.get('force');
  const { object, created } = patchObject(context, {
    resource,
    namespace: info.namespace,
    name: info.name,
    subresource: subresourceOf(info),
    patchType,
    patch: parseText(body, patchType === APPLY_PATCH, 'error decoding patch'),
    force: force === null ? undefined : force === 'true' || force === '1',
    explicitManager: query.get('fieldManager') ?? undefined,
    options,
  });
  addWarnings(response, warningsOf(resource, options.warnings));
  respond(call, resource, created ? 201 : 200, object);
}

async function readDeleteOptions(call: ResourceRequest) {
  const body = await readObject(call.request, 'DeleteOptions');
  return parseDeleteOptions(call.query, body);
}

export async function handleDelete(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, info } = call;
  const options = await readDeleteOptions(call);
  assertNotProtected(resource, info.name);
  const { namespace, name } = info;
  const result = deleteObject(context, resource, { namespace, name }, options);
  respond(call, resource, 200, result);
}

export async function handleDeleteCollection(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, request, response, info, query } = call;
  const options = await readDeleteOptions(call);
  const representation = negotiate(request.headers.accept, query);
  const list = listObjects(
    context,
    resource,
    info.namespace,
    parseListOptions(query),
  );
  const items: KubernetesObject[] = [];
  for (const object of list.items) {
    const { namespace = '', name } = object.metadata;
    if (collectionOf(context, resource).get(namespace, name!)) {
      deleteObject(context, resource, { namespace, name: name! }, options);
      items.push({ ...object, apiVersion: apiVersionOf(resource) });
    }
    if (items.length % DELETIONS_PER_TURN === 0) {
      await nextTurn();
    }
  }
  await sendList(
    response,
    resource,
    { items, resourceVersion: String(context.store.revision) },
    representation,
    context.now(),
  );
}
