import { RequestInfo } from 'apimachinery';
import { ResourceDefinition } from '../resources/resourceDefinition';
import {
  methodNotAllowed,
  notFound,
  resourceUnknown,
} from '../api/statusErrors';
import { handleGet, handleList, handleWatch } from './readHandlers';
import { Handler, ResourceRequest } from './resourceRequest';
import { addWarnings, sendText } from './responses';
import {
  handleCreate,
  handleDelete,
  handleDeleteCollection,
  handlePatch,
  handleUpdate,
} from './writeHandlers';

/** The response of Kubernetes' extension server where no resource is served. */
const PAGE_NOT_FOUND = '404 page not found\n';

const HANDLERS: { readonly [verb: string]: Handler } = {
  get: handleGet,
  list: handleList,
  watch: handleWatch,
  create: handleCreate,
  update: handleUpdate,
  patch: handlePatch,
  delete: handleDelete,
  deletecollection: handleDeleteCollection,
};

/** Answers a request about objects. @throws ApiError for the response of a failed request. */
export async function handleResource(call: ResourceRequest): Promise<void> {
  const { context, info, response } = call;
  const resource = context.registry.find(
    info.group,
    info.version,
    info.resource,
  );
  if (!resource) {
    rejectUnknown(call);
    return;
  }
  if (resource.deprecationWarning) {
    addWarnings(response, [resource.deprecationWarning]);
  }
  if (resource.custom && info.namespace !== '' && !resource.namespaced) {
    sendText(response, 404, PAGE_NOT_FOUND);
    return;
  }
  if (resource.custom && isNamespaceMissing(info, resource)) {
    sendText(response, 404, PAGE_NOT_FOUND);
    return;
  }
  assertServed(info, resource);
  await HANDLERS[info.verb](call, resource);
}

/** In groups of custom resources Kubernetes answers with a plain 404, in its own groups with a `Status`. */
function rejectUnknown({ context, info, response }: ResourceRequest): void {
  const builtIn = context.registry
    .inVersion(info.group, info.version)
    .some(resource => !resource.custom);
  if (builtIn) {
    throw resourceUnknown();
  }
  sendText(response, 404, PAGE_NOT_FOUND);
}

const NEED_NAMESPACE = ['get', 'update', 'patch', 'delete', 'create'];

function isNamespaceMissing(
  info: RequestInfo,
  resource: ResourceDefinition,
): boolean {
  return (
    resource.namespaced &&
    info.namespace === '' &&
    NEED_NAMESPACE.includes(info.verb)
  );
}

function assertServed(info: RequestInfo, resource: ResourceDefinition): void {
  const { verb, subresource } = info;
  if (subresource) {
    const known =
      (subresource === 'status' && resource.hasStatus) ||
      (subresource === 'finalize' && resource.kind === 'Namespace');
    if (!known) {
      throw resource.custom ? notFound(resource, info.name) : resourceUnknown();
    }
    if (!['get', 'update', 'patch'].includes(verb)) {
      throw methodNotAllowed();
    }
  }
  if (info.namespace && !resource.namespaced) {
    throw resourceUnknown();
  }
  if (isNamespaceMissing(info, resource)) {
    throw verb === 'create' ? methodNotAllowed() : resourceUnknown();
  }
  const isCollection = info.name === '';
  if (isCollection && (verb === 'update' || verb === 'patch')) {
    throw methodNotAllowed();
  }
  // Kubernetes accepts POST of a custom resource at the object's name too.
  if (!isCollection && verb === 'create' && !resource.custom) {
    throw methodNotAllowed();
  }
  if (!resource.verbs.includes(verb) || !HANDLERS[verb]) {
    throw methodNotAllowed();
  }
}
