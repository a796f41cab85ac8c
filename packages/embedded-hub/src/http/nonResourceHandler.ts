import { IncomingMessage, ServerResponse } from 'node:http';
import {
  aggregatedDiscovery,
  coreVersions,
  groupDocument,
  groupList,
  resourceList,
} from '../discovery/discovery';
import {
  OPENAPI_V2,
  OPENAPI_V2_PROTOBUF,
  OPENAPI_V2_PROTOBUF_TYPE,
  openApiDocument,
  openApiIndex,
} from '../discovery/openApi';
import { HubContext } from '../operations/hubContext';
import { parseAccept } from './mediaTypes';
import { sendJson, sendText } from './responses';

/** The Kubernetes version whose behaviour the hub follows. */
export const SERVED_VERSION = {
  major: '1',
  minor: '36',
  gitVersion: 'v1.36.3+embedded-hub',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch}`,
};

const HEALTH_PATHS = new Set(['/healthz', '/livez', '/readyz']);

/** The version of aggregated discovery that a client requests, if any. */
function aggregatedVersion(accept: string | undefined): string | undefined {
  const requested = parseAccept(accept).find(
    ({ type, parameters }) =>
      type === 'application/json' &&
      (!parameters.as ||
        (parameters.as === 'APIGroupDiscoveryList' &&
          parameters.g === 'apidiscovery.k8s.io' &&
          (parameters.v === 'v2' || parameters.v === 'v2beta1'))),
  );
  return requested?.parameters.v;
}

/** Answers requests that are not about objects: discovery, OpenAPI, version, health. */
export function handleNonResource(
  context: HubContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): void {
  const { registry } = context;
  const { accept, host = '' } = request.headers;
  const parts = path.split('/').filter(Boolean);
  if (HEALTH_PATHS.has(path.replace(/(?<=z)\/.*/, ''))) {
    sendText(response, 200, 'ok');
    return;
  }
  const aggregated = aggregatedVersion(accept);
  if (parts.length === 1 && aggregated && /^apis?$/.test(parts[0])) {
    sendJson(
      response,
      200,
      aggregatedDiscovery(registry, parts[0] === 'api', aggregated),
      `application/json;g=apidiscovery.k8s.io;v=${aggregated};as=APIGroupDiscoveryList`,
    );
    return;
  }
  if (path === '/openapi/v2' && accept?.includes('protobuf')) {
    response.writeHead(200, { 'Content-Type': OPENAPI_V2_PROTOBUF_TYPE });
    response.end(OPENAPI_V2_PROTOBUF);
    return;
  }
  const document = documentAt(context, parts, host);
  if (document) {
    sendJson(response, 200, document);
  } else {
    sendText(response, 404, '404 page not found\n');
  }
}

function documentAt(
  { registry }: HubContext,
  parts: readonly string[],
  host: string,
): unknown {
  const [root, first, second] = parts;
  switch (root) {
    case 'version':
      return parts.length === 1 ? SERVED_VERSION : undefined;
    case 'api':
      return parts.length === 1
        ? coreVersions(host)
        : resourceList(registry, '', first);
    case 'apis':
      if (parts.length === 1) {
        return groupList(registry);
      }
      return parts.length === 2
        ? groupDocument(registry, first)
        : resourceList(registry, first, second);
    case 'openapi':
      return openApiAt(registry, parts);
    default:
      return undefined;
  }
}

function openApiAt(
  registry: HubContext['registry'],
  [, version, root, ...rest]: readonly string[],
): unknown {
  if (version === 'v2') {
    return OPENAPI_V2;
  }
  if (version !== 'v3') {
    return undefined;
  }
  if (root === undefined) {
    return openApiIndex(registry);
  }
  return root === 'api'
    ? openApiDocument(registry, '', rest[0])
    : openApiDocument(registry, rest[0], rest[1]);
}
