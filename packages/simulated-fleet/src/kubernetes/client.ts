import { HttpMethod, KubeConfig } from '@kubernetes/client-node';
import { apiVersionOf } from 'apimachinery';

import { ApiError, isNotFound } from './apiError';
import { connectTo } from './connection';
import { JsonObject, KubeObject, ObjectMeta } from './objects';
import { Resource, resourcePath } from './resources';

/** Selects objects of a resource. */
export interface ListOptions {
  namespace?: string;
  labelSelector?: string;
}

/** One event of a watch. */
export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

/** Options of a write. */
export interface WriteOptions {
  /** The field manager of the written fields; `simulated-fleet` by default. */
  fieldManager?: string;
  subresource?: 'status';
}

type Name = Pick<ObjectMeta, 'name' | 'namespace'>;

/** The verbs of the Kubernetes API that the fleet needs, for any resource. Error responses throw {@link ApiError}. */
export interface HubClient {
  readonly server: string;
  /** Reads all pages of a list; a watch continues from `resourceVersion`. */
  list<T extends KubeObject>(
    resource: Resource<T>,
    listOptions?: ListOptions,
    signal?: AbortSignal,
  ): Promise<{ items: T[]; resourceVersion: string }>;
  /** Ends when the server closes the watch; throws {@link ApiError} on an ERROR event. */
  watch<T extends KubeObject>(
    resource: Resource<T>,
    listOptions: ListOptions & { resourceVersion: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>>;
  get<T extends KubeObject>(resource: Resource<T>, name: Name): Promise<T>;
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  /** Applies a JSON merge patch (RFC 7386). */
  patch<T extends KubeObject>(
    resource: Resource<T>,
    name: Name,
    patch: JsonObject,
    options?: WriteOptions,
  ): Promise<T>;
  delete(resource: Resource, name: Name): Promise<void>;
  /** Whether the server serves the resource in this version. */
  serves(resource: Resource): Promise<boolean>;
  /** Closes the connections. */
  close(): Promise<void>;
}

const PAGE_SIZE = 500;
/**
 * The timeout of a watch. It is shorter than the five minutes after which
 * undici aborts a silent body, so that an idle watch ends without an error.
 */
export const WATCH_SECONDS = 270;

/** Creates a client of the API server in the kubeconfig's current context. */
export function createHubClient(config: KubeConfig): HubClient {
  const connection = connectTo(config);
  const { server, requestJson, send } = connection;

  return {
    server,
    async list(resource, listOptions = {}, signal) {
      type Page = {
        items: KubeObject[];
        metadata: { resourceVersion: string; continue?: string };
      };
      const items: KubeObject[] = [];
      let page: Page | undefined;
      do {
        page = await requestJson<Page>(
          HttpMethod.GET,
          resourcePath(resource, listOptions.namespace),
          {
            query: {
              limit: `${PAGE_SIZE}`,
              continue: page?.metadata.continue,
              labelSelector: listOptions.labelSelector,
            },
            signal,
          },
        );
        items.push(...page.items.map(item => withType(resource, item)));
      } while (page.metadata.continue);
      // The API guarantees that the items of a list have the kind of the resource.
      return {
        items: items as never[],
        resourceVersion: page.metadata.resourceVersion,
      };
    },

    async *watch(resource, listOptions, signal) {
      const path = resourcePath(resource, listOptions.namespace);
      const response = await send(HttpMethod.GET, path, {
        query: {
          watch: 'true',
          allowWatchBookmarks: 'true',
          timeoutSeconds: `${WATCH_SECONDS}`,
          resourceVersion: listOptions.resourceVersion,
          labelSelector: listOptions.labelSelector,
        },
        signal,
      });
      const stream = response.body.stream();
      if (!stream) {
        return;
      }
      for await (const line of linesOf(stream)) {
        const event = JSON.parse(line);
        if (event.type === 'ERROR') {
          const { code, reason, message } = event.object;
          throw new ApiError(`watch ${path}: ${message}`, code, reason ?? '');
        }
        yield event;
      }
    },

    get: (resource, { namespace, name }) =>
      requestJson(HttpMethod.GET, resourcePath(resource, namespace, name)),

    create: (resource, object, options = {}) =>
      requestJson(
        HttpMethod.POST,
        resourcePath(resource, object.metadata.namespace),
        {
          body: object,
          query: fieldManager(options),
        },
      ),

    patch: (resource, { namespace, name }, patch, options = {}) =>
      requestJson(
        HttpMethod.PATCH,
        resourcePath(resource, namespace, name, options.subresource),
        {
          body: patch,
          contentType: 'application/merge-patch+json',
          query: fieldManager(options),
        },
      ),

    async delete(resource, { namespace, name }) {
      await requestJson(
        HttpMethod.DELETE,
        resourcePath(resource, namespace, name),
      );
    },

    async serves({ group, version, plural }) {
      const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
      try {
        const { resources } = await requestJson<{
          resources: { name: string }[];
        }>(HttpMethod.GET, path);
        return resources.some(({ name }) => name === plural);
      } catch (error) {
        if (isNotFound(error)) {
          return false;
        }
        throw error;
      }
    },

    close: connection.close,
  };
}

function fieldManager(options: WriteOptions) {
  return { fieldManager: options.fieldManager ?? 'simulated-fleet' };
}

/** Items of a list have no apiVersion and kind of their own. */
function withType(resource: Resource, item: KubeObject): KubeObject {
  return { ...item, apiVersion: apiVersionOf(resource), kind: resource.kind };
}

async function* linesOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      rest += decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter(line => line !== '');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
