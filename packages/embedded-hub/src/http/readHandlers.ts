import { ResourceDefinition } from '../resources/resourceDefinition';
import { notFound } from '../api/statusErrors';
import { collectionOf, inVersionOf } from '../operations/hubContext';
import {
  assertRevisionReached,
  listObjects,
  parseRevision,
} from '../operations/listObjects';
import { negotiate } from './mediaTypes';
import { ResourceRequest, respond } from './resourceRequest';
import { sendList } from './responses';
import { parseWatchOptions, WatchStream } from './watchStream';
import { parseListOptions } from './requestOptions';

export function handleGet(
  call: ResourceRequest,
  resource: ResourceDefinition,
): void {
  const { context, info, query } = call;
  const revision = parseRevision(query.get('resourceVersion') ?? '');
  if (revision) {
    assertRevisionReached(context, revision);
  }
  const object = collectionOf(context, resource).get(info.namespace, info.name);
  if (!object) {
    throw notFound(resource, info.name);
  }
  respond(call, resource, 200, inVersionOf(resource, object));
}

export async function handleList(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, request, response, info, query } = call;
  const representation = negotiate(request.headers.accept, query);
  const list = listObjects(
    context,
    resource,
    info.namespace,
    parseListOptions(query),
  );
  await sendList(response, resource, list, representation, context.now());
}

export async function handleWatch(
  call: ResourceRequest,
  resource: ResourceDefinition,
): Promise<void> {
  const { context, request, response, info, query } = call;
  const options = parseWatchOptions(
    query,
    parseListOptions(query),
    call.bookmarkInterval,
  );
  const representation = negotiate(request.headers.accept, query);
  await new WatchStream(
    context,
    resource,
    info.namespace,
    options,
    representation,
    response,
  ).start();
}
