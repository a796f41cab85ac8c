import type { Readable } from 'node:stream';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { createYield } from '../../async';
import { MAX_ANSWER_BYTES } from './boundedText';
import type {
  DeleteOptions,
  KubernetesClient,
  ListOptions,
  ObjectName,
  RequestOptions,
  ResourceType,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client';
import type { KubernetesStatus } from './errors';
import { parseExactJson } from './exactJson';
import { createListSplitter, type ListSplitter } from './listSplitter';
import { patchBody } from './patchBody';
import { apiVersionOf, describeRequestTo, type ApiRequest } from './request';
import {
  createRequestSender,
  type RequestSenderOptions,
} from './requestSender';
import { parseObject } from './unreadable';
import { readLines, readWatchEvent } from './watchEvents';
import { createWriteEchoes } from './writeEchoes';

/** A list without its items. */
interface RawList {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
  };
}

/** Creates the client that speaks HTTP to an API server, over kept-alive connections. */
export function createHttpClient(
  options: Omit<RequestSenderOptions, 'userAgent'> & {
    /** Name under which the API server records our writes; the user agent too. */
    readonly fieldManager: string;
    /** Milliseconds for one request; a page of a list, and a watch until it begins, may take three times as long. */
    readonly requestTimeoutMs?: number;
    /** Milliseconds after its timeout at which a watch that has not ended is overdue, and is closed. */
    readonly watchGraceMs?: number;
  },
): KubernetesClient {
  const {
    server,
    fieldManager,
    requestTimeoutMs: timeoutMs = 8_000,
    watchGraceMs = 5_000,
    maxAnswerBytes = MAX_ANSWER_BYTES,
  } = options;
  const sender = createRequestSender({ ...options, userAgent: fieldManager });
  const echoes = createWriteEchoes();

  function write<R extends KubernetesObject>(
    request: Omit<ApiRequest, 'query' | 'timeoutMs' | 'metadataOnly'>,
    dryRun: WriteOptions['dryRun'],
  ): Promise<R> {
    return echoes.write(request.resource, parse =>
      sender.json<R>(
        {
          ...request,
          query: { fieldManager, dryRun: dryRun ? 'All' : undefined },
          metadataOnly: request.resource.large,
          timeoutMs,
        },
        parse,
      ),
    );
  }

  return {
    async list<T extends KubernetesObject>(
      resource: ResourceType<T>,
      {
        limit,
        continue: token,
        signal,
        namespace,
        onItem,
        ...selection
      }: ListOptions<T> = {},
    ) {
      const request: ApiRequest = {
        method: 'GET',
        resource,
        namespace,
        query: { ...selection, limit: limit?.toString(), continue: token },
        signal,
        timeoutMs: 3 * timeoutMs,
      };
      const kept: T[] = [];
      const take = onItem ?? ((item: T) => void kept.push(item));
      const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
      const parse = (text: string) => parseObject<T>(text, resource);
      const list = createListSplitter(maxAnswerBytes);
      const yieldSometimes = createYield();
      for await (const texts of sender.stream(request, body =>
        items(body, list),
      )) {
        for (const text of texts) {
          // Items of a list come without their type.
          take({ ...(await sender.parse(request, text, parse)), ...type });
          const yielding = yieldSometimes();
          if (yielding) {
            await yielding;
          }
        }
      }
      const { metadata } = await sender.parse(
        request,
        list.rest(),
        parseExactJson<RawList>,
      );
      return {
        items: kept,
        resourceVersion: metadata?.resourceVersion ?? '0',
        continue: metadata?.continue || undefined,
      };
    },

    async *watch<T extends KubernetesObject>(
      resource: ResourceType<T>,
      {
        resourceVersion,
        timeoutSeconds,
        onOpen,
        signal,
        namespace,
        ...selection
      }: WatchOptions,
    ): AsyncGenerator<WatchEvent<T>> {
      const request: ApiRequest = {
        method: 'GET',
        resource,
        namespace,
        query: {
          ...selection,
          watch: 'true',
          allowWatchBookmarks: 'true',
          resourceVersion,
          timeoutSeconds: timeoutSeconds.toString(),
        },
        metadataOnly: resource.large,
        signal,
        // An API server answers a watch at once, and ends it by itself: a hub that hangs does neither.
        beginTimeoutMs: 3 * timeoutMs,
        timeoutMs: timeoutSeconds * 1000 + watchGraceMs,
      };
      const description = describeRequestTo(server, request);
      const read = (body: Readable) => {
        onOpen?.();
        return readLines(body, maxAnswerBytes);
      };
      const yieldSometimes = createYield();
      for await (const line of sender.stream(request, read)) {
        const event = await sender.parse(request, line, text =>
          echoes.parseEvent<T>(resource, text),
        );
        yield readWatchEvent(event, description);
        const yielding = yieldSometimes();
        if (yielding) {
          await yielding;
        }
      }
    },

    get: <T extends KubernetesObject>(
      resource: ResourceType<T>,
      name: ObjectName,
      { signal }: RequestOptions = {},
    ) =>
      sender.json<T>(
        { method: 'GET', resource, ...name, signal, timeoutMs },
        text => parseObject(text, resource),
      ),

    create: (resource, object, { signal, notAfter, dryRun } = {}) =>
      write(
        {
          method: 'POST',
          resource,
          namespace: object.metadata.namespace,
          body: object,
          signal,
          notAfter,
        },
        dryRun,
      ),

    patch: (
      resource,
      name,
      patch,
      { signal, notAfter, dryRun, resourceVersion, subresource } = {},
    ) =>
      write(
        {
          method: 'PATCH',
          resource,
          ...name,
          subresource,
          ...patchBody(patch, resourceVersion),
          signal,
          notAfter,
        },
        dryRun,
      ),

    async delete<T extends KubernetesObject>(
      resource: ResourceType<T>,
      name: ObjectName,
      {
        signal,
        notAfter,
        dryRun,
        uid,
        resourceVersion,
        propagationPolicy = 'Background',
      }: DeleteOptions,
    ) {
      const answer = await sender.json<T & KubernetesStatus>(
        {
          method: 'DELETE',
          resource,
          ...name,
          body: {
            apiVersion: 'v1',
            kind: 'DeleteOptions',
            preconditions: { uid, ...(resourceVersion && { resourceVersion }) },
            propagationPolicy,
            ...(dryRun ? { dryRun: ['All'] } : {}),
          },
          signal,
          notAfter,
          timeoutMs,
        },
        text => parseObject(text, resource),
      );
      return answer.kind !== 'Status' && answer.metadata?.deletionTimestamp
        ? answer
        : undefined;
    },

    close: sender.close,
  };
}

/** The texts of a list's items, as many at once as a chunk of the answer completes. */
async function* items(
  body: AsyncIterable<Buffer>,
  list: ListSplitter,
): AsyncGenerator<readonly string[]> {
  for await (const chunk of body) {
    yield list.push(chunk);
  }
}
