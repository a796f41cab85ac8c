import { ResponseError } from '@backstage/errors';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import createClient from 'openapi-fetch';
import type {
  ApplicationSetDetail,
  ApplicationSetList,
  ChangedEvent,
  ClusterList,
  ControllerList,
  EntityFleet,
  ObjectRef,
  PlacementSelection,
  PullModelApplicationSet,
  TransitionPage,
  WriteResult,
} from './api';
import type { paths } from './api.generated';

/** What a caller may pass with each request. @public */
export interface ArgocdFleetRequestOptions {
  /**
   * Backstage token of the user or service on whose behalf the request is made; not needed where `fetch` adds it
   * itself.
   */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/** The parts of an entity's identity that name it in a URL. @public */
export interface EntityName {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Which part of a timeline is asked for. @public */
export interface ArgocdFleetPageOptions extends ArgocdFleetRequestOptions {
  /** The most items, 1 to 1000; 100 by default. */
  readonly limit?: number;
  /** `next` of the page before. */
  readonly before?: string;
}

/** Client of the HTTP API, for the frontend, for other backend plugins and for scripts. @public */
export interface ArgocdFleetClient {
  listApplicationSets(
    options?: ArgocdFleetRequestOptions,
  ): Promise<ApplicationSetList>;
  getApplicationSet(
    ref: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<ApplicationSetDetail>;
  getEntityFleet(
    entity: EntityName,
    options?: ArgocdFleetRequestOptions,
  ): Promise<EntityFleet>;
  listClusters(options?: ArgocdFleetRequestOptions): Promise<ClusterList>;
  listControllers(options?: ArgocdFleetRequestOptions): Promise<ControllerList>;
  /** What an Application turned to, the latest first. */
  listApplicationTransitions(
    ref: ObjectRef,
    options?: ArgocdFleetPageOptions,
  ): Promise<TransitionPage>;
  /** What the Applications of an ApplicationSet turned to, the latest first. */
  listApplicationSetTransitions(
    ref: ObjectRef,
    options?: ArgocdFleetPageOptions,
  ): Promise<TransitionPage>;
  /** What the Applications on a cluster turned to, the latest first. */
  listClusterTransitions(
    cluster: Pick<ObjectRef, 'hub' | 'name'>,
    options?: ArgocdFleetPageOptions,
  ): Promise<TransitionPage>;
  putApplicationSet(
    ref: ObjectRef,
    body: PullModelApplicationSet,
    options?: ArgocdFleetRequestOptions,
  ): Promise<WriteResult>;
  putPlacement(
    ref: ObjectRef,
    body: PlacementSelection,
    options?: ArgocdFleetRequestOptions,
  ): Promise<WriteResult>;
  /**
   * Yields as things change, until the signal is aborted or the connection ends; the caller connects again.
   * `onOpen` is called once the server has accepted: from then on no change is missed.
   * @throws ResponseError when the server refuses
   */
  changes(
    options?: ArgocdFleetRequestOptions & { readonly onOpen?: () => void },
  ): AsyncIterable<ChangedEvent>;
}

/**
 * Creates a client on any `fetch` and any source of the plugin's base URL (Backstage's discovery API or service). Every
 * method throws a `ResponseError` with the name and message of the server's error; without a response, the error of
 * `fetch`.
 * @public
 */
export function createArgocdFleetClient(options: {
  readonly discoveryApi: { getBaseUrl(pluginId: string): Promise<string> };
  readonly fetchApi?: { fetch: typeof fetch };
}): ArgocdFleetClient {
  const { discoveryApi, fetchApi = { fetch } } = options;
  const api = createClient<paths>();
  api.use({
    async onResponse({ response }) {
      if (!response.ok) {
        throw await ResponseError.fromResponse(response);
      }
    },
  });

  async function init<T>(
    { token, signal }: ArgocdFleetRequestOptions = {},
    params: T,
  ) {
    return {
      baseUrl: await discoveryApi.getBaseUrl('argocd-fleet'),
      headers: { Authorization: token && `Bearer ${token}` },
      // Not as the Request's own signal: in Node it no longer aborts the response once the Request is
      // garbage-collected.
      fetch: (request: Request) => fetchApi.fetch(request, { signal }),
      params,
    };
  }

  return {
    listApplicationSets: async o =>
      bodyOf(api.GET('/applicationsets', await init(o, {}))),
    getApplicationSet: async (path, o) =>
      bodyOf(
        api.GET(
          '/applicationsets/{hub}/{namespace}/{name}',
          await init(o, { path }),
        ),
      ),
    getEntityFleet: async (path, o) =>
      bodyOf(
        api.GET('/entities/{kind}/{namespace}/{name}', await init(o, { path })),
      ),
    listClusters: async o => bodyOf(api.GET('/clusters', await init(o, {}))),
    listControllers: async o =>
      bodyOf(api.GET('/controllers', await init(o, {}))),
    listApplicationTransitions: async (path, o) =>
      bodyOf(
        api.GET(
          '/applications/{hub}/{namespace}/{name}/transitions',
          await init(o, { path, query: pageOf(o) }),
        ),
      ),
    listApplicationSetTransitions: async (path, o) =>
      bodyOf(
        api.GET(
          '/applicationsets/{hub}/{namespace}/{name}/transitions',
          await init(o, { path, query: pageOf(o) }),
        ),
      ),
    listClusterTransitions: async (path, o) =>
      bodyOf(
        api.GET(
          '/clusters/{hub}/{name}/transitions',
          await init(o, { path, query: pageOf(o) }),
        ),
      ),
    putApplicationSet: async (path, body, o) =>
      bodyOf(
        api.PUT('/applicationsets/{hub}/{namespace}/{name}', {
          ...(await init(o, { path })),
          body,
        }),
      ),
    putPlacement: async (path, body, o) =>
      bodyOf(
        api.PUT('/placements/{hub}/{namespace}/{name}', {
          ...(await init(o, { path })),
          body,
        }),
      ),
    async *changes(o) {
      const request = await init(o, {});
      const stream = await bodyOf(
        api.GET('/events', {
          ...request,
          headers: { ...request.headers, Accept: 'text/event-stream' },
          parseAs: 'stream',
        }),
      );
      o?.onOpen?.();
      yield* readChangedEvents(stream);
    },
  };
}

function pageOf({ limit, before }: ArgocdFleetPageOptions = {}) {
  return { limit, before };
}

/** The body of a response with a success status; any other has already been thrown. */
async function bodyOf<T>(
  result: Promise<{ data?: T; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, response } = await result;
  if (data === undefined || data === null) {
    throw new Error(`Empty response from ${response.url}`);
  }
  return data;
}

/** Reads the `changed` events of a server-sent event stream; comments and other events are ignored. */
async function* readChangedEvents(
  body: ReadableStream<BufferSource>,
): AsyncGenerator<ChangedEvent> {
  // A reader, because Safari cannot iterate a stream.
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      if (value.event === 'changed') {
        yield JSON.parse(value.data);
      }
    }
  } finally {
    await reader.cancel();
  }
}
