import { IncomingMessage, ServerResponse } from 'node:http';
import { RequestInfo } from 'apimachinery';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { HubContext } from '../operations/hubContext';
import { negotiate } from './mediaTypes';
import { sendObject } from './responses';

/** One request about objects. */
export interface ResourceRequest {
  readonly context: HubContext;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Milliseconds between the bookmarks of a watch. */
  readonly bookmarkInterval: number;
}

/** Answers one verb on one resource. @throws ApiError */
export type Handler = (
  call: ResourceRequest,
  resource: ResourceDefinition,
) => Promise<void> | void;

/** Sends one object, or a status, in the form that the request accepts. */
export function respond(
  call: ResourceRequest,
  resource: ResourceDefinition,
  status: number,
  body: Parameters<typeof sendObject>[3],
): void {
  const { context, request, response, query } = call;
  const representation = negotiate(request.headers.accept, query);
  sendObject(response, status, resource, body, representation, context.now());
}
