import { HttpMethod, KubeConfig } from '@kubernetes/client-node';
import { apiVersionOf } from 'apimachinery';

import { ApiError, isNotFound } from './apiError';
import { connectTo } from './connection';
import { JsonObject, KubeObject, ObjectMeta } from './objects';
import { Resource, resourcePath } from './resources';

/** Which objects of a resource are meant. */
export interface Selection {
  namespace?: string;
  labelSelector?: string;
}

/** One line of a watch. */
export interface WatchEvent<T> {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  object: T;
}

/** How a write is done. */
export interface WriteOptions {
  /** Under which name the server records the fields, `simulated-fleet` by default. */
  fieldManager?: string;
  subresource?: 'status';
}

type Name = Pick<ObjectMeta, 'name' | 'namespace'>;

/** The few verbs of the Kubernetes API that the fleet needs, for any resource. */
export interface HubClient {
  readonly server: string;
  /** Every page of a list; `resourceVersion` is where a watch goes on. */
  list<T extends KubeObject>(
    resource: Resource<T>,
    selection?: Selection,
    signal?: AbortSignal,
  ): Promise<{ items: T[]; resourceVersion: string }>;
  /** Ends when the server closes the watch; throws {@link ApiError} on an ERROR line. */
  watch<T extends KubeObject>(
    resource: Resource<T>,
    selection: Selection & { resourceVersion: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>>;
  get<T extends KubeObject>(resource: Resource<T>, name: Name): Promise<T>;
  create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options?: WriteOptions,
  ): Promise<T>;
  /** A JSON merge patch (RFC 7386). */
  patch<T extends KubeObject>(
    resource: Resource<T>,
    name: Name,
    patch: JsonObject,
    options?: WriteOptions,
  ): Promise<T>;
  delete(resource: Resource, name: Name): Promise<void>;
  /** Whether the server has the resource in this version. */
  serves(resource: Resource): Promise<boolean>;
  /** Ends the connections. */
  close(): Promise<void>;
}

const PAGE_SIZE = 500;
/**
 * How long a watch lasts. Shorter than the five minutes after which undici
 * gives up on a silent body, so that an idle one ends in an orderly way.
 */
export const WATCH_SECONDS = 270;

/** A client of the Kubernetes API server that the kubeconfig's current context names. */
export function createHubClient(config: KubeConfig): HubClient {
  const connection = connectTo(config);
  const { server, ask, send } = connection;

  return {
    server,
    async list(resource, selection = {}, signal) {
      type Page = {
        items: KubeObject[];
        metadata: { resourceVersion: string; continue?: string };
      };
      const items: KubeObject[] = [];
      let page: Page | undefined;
      do {
        page = await ask<Page>(
          HttpMethod.GET,
          resourcePath(resource, selection.namespace),
          {
            query: {
              limit: `${PAGE_SIZE}`,
              continue: page?.metadata.continue,
              labelSelector: selection.labelSelector,
            },
            signal,
          },
        );
        items.push(...page.items.map(item => withType(resource, item)));
      } while (page.metadata.continue);
      // The server promises that a list of a resource holds that resource's kind.
      return {
        items: items as never[],
        resourceVersion: page.metadata.resourceVersion,
      };
    },

    async *watch(resource, selection, signal) {
      const path = resourcePath(resource, selection.namespace);
      const response = await send(HttpMethod.GET, path, {
        query: {
          watch: 'true',
          allowWatchBookmarks: 'true',
          timeoutSeconds: `${WATCH_SECONDS}`,
          resourceVersion: selection.resourceVersion,
          labelSelector: selection.labelSelector,
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
      ask(HttpMethod.GET, resourcePath(resource, namespace, name)),

    create: (resource, object, options = {}) =>
      ask(HttpMethod.POST, resourcePath(resource, object.metadata.namespace), {
        body: object,
        query: fieldManager(options),
      }),

    patch: (resource, { namespace, name }, patch, options = {}) =>
      ask(
        HttpMethod.PATCH,
        resourcePath(resource, namespace, name, options.subresource),
        {
          body: patch,
          contentType: 'application/merge-patch+json',
          query: fieldManager(options),
        },
      ),

    async delete(resource, { namespace, name }) {
      await ask(HttpMethod.DELETE, resourcePath(resource, namespace, name));
    },

    async serves({ group, version, plural }) {
      const path = group ? `/apis/${group}/${version}` : `/api/${version}`;
      try {
        const { resources } = await ask<{ resources: { name: string }[] }>(
          HttpMethod.GET,
          path,
        );
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

/** Items of a list carry no apiVersion and kind of their own. */
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
