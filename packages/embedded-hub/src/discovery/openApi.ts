import { createHash } from 'node:crypto';
import { JsonObject } from 'apimachinery';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { ResourceRegistry } from '../resources/resourceRegistry';
import { patchTypesOf } from '../operations/patchObject';

function groupPath(group: string, version: string): string {
  return group ? `apis/${group}/${version}` : `api/${version}`;
}

/** `/openapi/v3`: the paths of the documents of all group versions. */
export function openApiIndex(registry: ResourceRegistry): JsonObject {
  const paths: JsonObject = {};
  for (const group of registry.groups()) {
    for (const version of group.versions) {
      const path = groupPath(group.name, version);
      const hash = createHash('sha1')
        .update(`${path} ${registry.generation}`)
        .digest('hex');
      paths[path] = {
        serverRelativeURL: `/openapi/v3/${path}?hash=${hash.toUpperCase()}`,
      };
    }
  }
  return { paths };
}

function parameter(name: string): JsonObject {
  return { name, in: 'query', schema: { type: 'string', uniqueItems: true } };
}

const LIST_PARAMETERS = [
  'labelSelector',
  'fieldSelector',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'watch',
].map(parameter);

/** From these parameters kubectl concludes that the server validates fields and supports dry run. */
const WRITE_PARAMETERS = ['dryRun', 'fieldManager', 'fieldValidation'].map(
  parameter,
);

function gvkOf(resource: ResourceDefinition): JsonObject {
  const { group, version, kind } = resource;
  return { group, version, kind };
}

function schemaName(resource: ResourceDefinition): string {
  const domain = (resource.group || 'io.k8s.api.core')
    .split('.')
    .reverse()
    .join('.');
  return `${domain}.${resource.version}.${resource.kind}`;
}

function operation(
  resource: ResourceDefinition,
  action: string,
  parameters: readonly JsonObject[],
  bodyTypes: readonly string[] = [],
): JsonObject {
  return {
    operationId: `${action}${resource.kind}`,
    parameters,
    ...(bodyTypes.length > 0
      ? {
          requestBody: {
            content: Object.fromEntries(
              bodyTypes.map(type => [type, { schema: { type: 'object' } }]),
            ),
          },
        }
      : {}),
    responses: { '200': { description: 'OK' } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvkOf(resource),
  };
}

function pathsOf(resource: ResourceDefinition): JsonObject {
  const root = `/${groupPath(resource.group, resource.version)}`;
  const collection = resource.namespaced
    ? `${root}/namespaces/{namespace}/${resource.plural}`
    : `${root}/${resource.plural}`;
  const bodies = ['application/json', 'application/yaml'];
  const collectionPath: JsonObject = {
    post: operation(resource, 'post', WRITE_PARAMETERS, bodies),
  };
  if (!resource.verbs.includes('list')) {
    return { [collection]: collectionPath };
  }
  return {
    [collection]: {
      ...collectionPath,
      get: operation(resource, 'list', LIST_PARAMETERS),
      delete: operation(resource, 'deletecollection', LIST_PARAMETERS),
    },
    [`${collection}/{name}`]: {
      get: operation(resource, 'get', []),
      put: operation(resource, 'put', WRITE_PARAMETERS, bodies),
      patch: operation(
        resource,
        'patch',
        [...WRITE_PARAMETERS, parameter('force')],
        patchTypesOf(resource),
      ),
      delete: operation(resource, 'delete', [parameter('dryRun')]),
    },
  };
}

/**
 * `/openapi/v3/<group version>`; undefined when the version is not served. Only custom resources have schemas: clients
 * have those of the built-in ones.
 */
export function openApiDocument(
  registry: ResourceRegistry,
  group: string,
  version: string,
): JsonObject | undefined {
  const resources = registry.inVersion(group, version);
  if (resources.length === 0) {
    return undefined;
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36' },
    paths: Object.assign({}, ...resources.map(pathsOf)),
    components: {
      schemas: Object.fromEntries(
        resources
          .filter(resource => resource.custom)
          .map(resource => [
            schemaName(resource),
            {
              ...resource.schema.structure,
              'x-kubernetes-group-version-kind': [gvkOf(resource)],
            },
          ]),
      ),
    },
  };
}

/** `/openapi/v2`: an empty document for clients that require one. */
export const OPENAPI_V2: JsonObject = {
  swagger: '2.0',
  info: { title: 'Kubernetes', version: 'v1.36' },
  paths: {},
  definitions: {},
};

export const OPENAPI_V2_PROTOBUF_TYPE =
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

function protobufField(number: number, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([number * 8 + 2, content.length]),
    content,
  ]);
}

/** {@link OPENAPI_V2} in gnostic's protobuf form, the only one that Go clients read. */
export const OPENAPI_V2_PROTOBUF = Buffer.concat([
  protobufField(1, Buffer.from('2.0')),
  protobufField(
    2,
    Buffer.concat([
      protobufField(1, Buffer.from('Kubernetes')),
      protobufField(2, Buffer.from('v1.36')),
    ]),
  ),
]);
