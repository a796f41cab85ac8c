import { ResponseError } from '@backstage/errors';
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

/** What a caller may pass with each request. @public */
export interface ArgocdFleetRequestOptions {
  /** Backstage token of the user or service on whose behalf the request is made; not needed where `fetch` adds it itself. */
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
 * Creates a client on any `fetch` and any way to find the plugin's base URL (Backstage's discovery API or service).
 * Every method throws a `ResponseError` that carries the server's own name and message of the error.
 * @public
 */
export function createArgocdFleetClient(options: {
  readonly discoveryApi: { getBaseUrl(pluginId: string): Promise<string> };
  readonly fetchApi?: { fetch: typeof fetch };
}): ArgocdFleetClient {
  const { discoveryApi, fetchApi = { fetch } } = options;

  async function request(
    path: readonly string[],
    init: RequestInit,
    { token, signal, limit, before }: ArgocdFleetPageOptions = {},
  ): Promise<Response> {
    const base = await discoveryApi.getBaseUrl('argocd-fleet');
    const headers = new Headers(init.headers);
    if (token) {
      headers.set('Authorization', `Bearer ${token}`);
    }
    const query = new URLSearchParams({
      ...(limit !== undefined && { limit: String(limit) }),
      ...(before !== undefined && { before }),
    });
    const response = await fetchApi.fetch(
      [base, ...path.map(encodeURIComponent)].join('/') +
        (query.size > 0 ? `?${query}` : ''),
      { ...init, headers, signal },
    );
    if (!response.ok) {
      throw await ResponseError.fromResponse(response);
    }
    return response;
  }

  async function get<T>(
    path: readonly string[],
    requestOptions?: ArgocdFleetPageOptions,
  ): Promise<T> {
    return (await request(path, {}, requestOptions)).json();
  }

  async function put<T>(
    path: readonly string[],
    body: unknown,
    requestOptions?: ArgocdFleetRequestOptions,
  ): Promise<T> {
    const init = {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    };
    return (await request(path, init, requestOptions)).json();
  }

  return {
    listApplicationSets: o => get(['applicationsets'], o),
    getApplicationSet: (ref, o) =>
      get(['applicationsets', ref.hub, ref.namespace, ref.name], o),
    getEntityFleet: ({ kind, namespace, name }, o) =>
      get(['entities', kind, namespace, name], o),
    listClusters: o => get(['clusters'], o),
    listControllers: o => get(['controllers'], o),
    listApplicationTransitions: (ref, o) =>
      get(['applications', ...namesIn(ref), 'transitions'], o),
    listApplicationSetTransitions: (ref, o) =>
      get(['applicationsets', ...namesIn(ref), 'transitions'], o),
    listClusterTransitions: ({ hub, name }, o) =>
      get(['clusters', hub, name, 'transitions'], o),
    putApplicationSet: (ref, body, o) =>
      put(['applicationsets', ref.hub, ref.namespace, ref.name], body, o),
    putPlacement: (ref, body, o) =>
      put(['placements', ref.hub, ref.namespace, ref.name], body, o),
    async *changes(o) {
      const response = await request(
        ['events'],
        { headers: { Accept: 'text/event-stream' } },
        o,
      );
      o?.onOpen?.();
      if (response.body) {
        yield* readChangedEvents(response.body);
      }
    },
  };
}

function namesIn({ hub, namespace, name }: ObjectRef): string[] {
  return [hub, namespace, name];
}

/** Reads `changed` events off a server-sent event stream; comments and other events are passed over. */
async function* readChangedEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ChangedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      pending += decoder.decode(value, { stream: true });
      const events = pending.split('\n\n');
      pending = events.pop() ?? '';
      for (const event of events) {
        const lines = event.split('\n');
        const data = lines.find(line => line.startsWith('data: '));
        if (lines.includes('event: changed') && data) {
          yield JSON.parse(data.slice('data: '.length));
        }
      }
    }
  } finally {
    await reader.cancel();
  }
}
