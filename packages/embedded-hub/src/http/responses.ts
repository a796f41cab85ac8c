import { once } from 'node:events';
import { ServerResponse } from 'node:http';
import { stringify as toYaml } from 'yaml';
import { apiVersionOf, JsonObject, nextTurn, Status } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { ApiError } from '../api/statusErrors';
import { inVersionOf } from '../operations/hubContext';
import { ListResult } from '../operations/listObjects';
import { partialObjectMetadata, tableHead, tableRow } from '../table/table';
import { Representation } from './mediaTypes';

/** Characters that are collected before a write to the socket. */
const CHUNK_SIZE = 256 * 1024;

/** Sends one JSON body. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  contentType = 'application/json',
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': contentType,
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** Sends the `Status` of an error. */
export function sendError(response: ServerResponse, error: ApiError): void {
  const { retryAfterSeconds } = error.status.details ?? {};
  if (retryAfterSeconds) {
    response.setHeader('Retry-After', String(retryAfterSeconds));
  }
  sendJson(response, error.code, error.status);
}

/** Adds warnings to the response headers (RFC 7234). */
export function addWarnings(
  response: ServerResponse,
  warnings: readonly string[],
): void {
  if (warnings.length > 0) {
    response.setHeader(
      'Warning',
      warnings.map(text => `299 - ${JSON.stringify(text)}`),
    );
  }
}

/** Sends one object, or the status of an operation, in the requested representation. */
export function sendObject(
  response: ServerResponse,
  status: number,
  resource: ResourceDefinition,
  body: Status | KubernetesObject,
  representation: Representation,
  now: Date,
): void {
  const object = body as KubernetesObject;
  const isStatus = body.kind === 'Status' && body.apiVersion === 'v1';
  if (isStatus || representation.kind === 'object') {
    if (representation.yaml) {
      const text = toYaml(body);
      response.writeHead(status, {
        'Content-Type': 'application/yaml',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
      return;
    }
    sendJson(response, status, body);
  } else if (representation.kind === 'metadata') {
    sendJson(response, status, partialObjectMetadata(object));
  } else {
    const { resourceVersion } = object.metadata;
    sendJson(response, status, {
      ...tableHead(resource, { resourceVersion }),
      rows: [tableRow(resource, object, representation.include, now)],
    });
  }
}

function listHead(
  resource: ResourceDefinition,
  metadata: JsonObject,
  representation: Representation,
): { head: JsonObject; member: string } {
  if (representation.kind === 'table') {
    return { head: tableHead(resource, metadata), member: 'rows' };
  }
  const head =
    representation.kind === 'metadata'
      ? { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' }
      : { kind: resource.listKind, apiVersion: apiVersionOf(resource) };
  return { head: { ...head, metadata }, member: 'items' };
}

/** One object as an entry of a list or watch in that representation. */
export function represent(
  resource: ResourceDefinition,
  object: KubernetesObject,
  representation: Representation,
  now: Date,
): unknown {
  const versioned = inVersionOf(resource, object);
  switch (representation.kind) {
    case 'table':
      return tableRow(resource, versioned, representation.include, now);
    case 'metadata':
      return partialObjectMetadata(versioned);
    default:
      return versioned;
  }
}

/** {@link represent} for a list: items of built-in kinds have no apiVersion and kind, since the list has them. */
function listEntry(
  resource: ResourceDefinition,
  object: KubernetesObject,
  representation: Representation,
  now: Date,
): unknown {
  if (resource.custom || representation.kind !== 'object') {
    return represent(resource, object, representation, now);
  }
  const { apiVersion: _apiVersion, kind: _kind, ...item } = object;
  return item;
}

/** Streams a list, so that one of a hundred thousand objects neither blocks the event loop nor exists as one string. */
export async function sendList(
  response: ServerResponse,
  resource: ResourceDefinition,
  list: ListResult,
  representation: Representation,
  now: Date,
): Promise<void> {
  const metadata: JsonObject = {
    resourceVersion: list.resourceVersion,
    ...(list.continue ? { continue: list.continue } : {}),
    ...(list.remainingItemCount
      ? { remainingItemCount: list.remainingItemCount }
      : {}),
  };
  const { head, member } = listHead(resource, metadata, representation);
  if (representation.yaml) {
    const items = list.items.map(item =>
      listEntry(resource, item, representation, now),
    );
    response.writeHead(200, { 'Content-Type': 'application/yaml' });
    response.end(toYaml({ ...head, items }));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  let text = `${JSON.stringify(head).slice(0, -1)},"${member}":[`;
  let first = true;
  for (const item of list.items) {
    text +=
      (first ? '' : ',') +
      JSON.stringify(listEntry(resource, item, representation, now));
    first = false;
    if (text.length >= CHUNK_SIZE) {
      await writeChunk(response, text);
      text = '';
      if (response.destroyed) {
        return;
      }
    }
  }
  response.end(`${text}]}\n`);
}

/**
 * Writes, waits until the socket accepts more, and lets other requests run: a socket on loopback may drain without
 * yielding to the event loop.
 */
export async function writeChunk(
  response: ServerResponse,
  text: string,
): Promise<void> {
  if (!response.write(text)) {
    await drained(response);
  }
  await nextTurn();
}

/** Waits until the socket accepts more, or is closed. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) {
    return;
  }
  const ended = new AbortController();
  const { signal } = ended;
  try {
    await Promise.race([
      once(response, 'drain', { signal }),
      once(response, 'close', { signal }),
    ]);
  } finally {
    ended.abort();
  }
}
