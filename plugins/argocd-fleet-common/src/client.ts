import { ResponseError } from '@backstage/errors';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import createClient from 'openapi-fetch';
import type {
  ApplicationSetDetail,
  ApplicationSetList,
  ApplicationSetRows,
  ChangedEvent,
  ClusterApplication,
  ClusterList,
  ControllerList,
  Deletion,
  EntityFleet,
  Inventory,
  LinkList,
  NamespacedName,
  ObjectRef,
  PlacementInUse,
  PlacementOptionsList,
  PlacementPreview,
  PlacementProposal,
  PlacementSelection,
  ApplicationManifests,
  GitOpsClusterRequest,
  ManifestsRequest,
  Promotion,
  PullModelApplicationSet,
  ReleaseOrder,
  TransitionPage,
  Withdrawal,
  WriteResult,
} from './api';
import type { paths } from './api.generated';
import type { Release } from './labels';

/**
 * Name of the error, with status 503, of a request for an object of a hub that the backend has not listed completely
 * yet, so that it does not know whether the object exists.
 * @public
 */
export const HUB_NOT_LISTED_ERROR = 'HubNotListedError';

/** Options of each request. @public */
export interface ArgocdFleetRequestOptions {
  /**
   * Backstage token of the user or service on whose behalf the request is made; not needed if `fetch` adds one.
   */
  readonly token?: string;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}

/** Kind, namespace and name of a catalog entity. @public */
export interface EntityName {
  /** For example `Component`; the catalog ignores its case. */
  readonly kind: string;
  /** `default` for an entity without one. */
  readonly namespace: string;
  /** `metadata.name` of the entity. */
  readonly name: string;
}

/** Options of a request for the rows of an ApplicationSet. @public */
export interface ArgocdFleetRowsOptions extends ArgocdFleetRequestOptions {
  /** An earlier answer for the same ApplicationSet: only the rows that changed since then are sent. */
  readonly known?: ApplicationSetRows;
}

/** Options of a request for a page of a timeline. @public */
export interface ArgocdFleetPageOptions extends ArgocdFleetRequestOptions {
  /** Maximum number of items, 1 to 1000; 100 by default. */
  readonly limit?: number;
  /** `next` of the previous page; without it, the latest page. */
  readonly before?: string;
}

/**
 * Client of the HTTP API, for the frontend, other backend plugins and scripts. For errors, see
 * {@link createArgocdFleetClient}.
 * @public
 */
export interface ArgocdFleetClient {
  /** Every ApplicationSet on every hub, without its Applications; a hub that cannot be read is reported in `hubs`. */
  listApplicationSets(
    options?: ArgocdFleetRequestOptions,
  ): Promise<ApplicationSetList>;
  /** One ApplicationSet with every Application in detail: megabytes where there are thousands. */
  getApplicationSet(
    ref: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<ApplicationSetDetail>;
  /** One ApplicationSet with what a table shows of each Application, and the causes of what is wrong. */
  getApplicationSetRows(
    ref: ObjectRef,
    options?: ArgocdFleetRowsOptions,
  ): Promise<ApplicationSetRows>;
  /** One Application of an ApplicationSet in detail. */
  getApplication(
    ref: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<ClusterApplication>;
  /** The ApplicationSets that a catalog entity is linked to, without their Applications. */
  getEntityFleet(
    entity: EntityName,
    options?: ArgocdFleetRequestOptions,
  ): Promise<EntityFleet>;
  /** The entities of the catalog that are linked to ApplicationSets, of both those that the caller may see. */
  listLinks(options?: ArgocdFleetRequestOptions): Promise<LinkList>;
  /** What a Placement can be made of on each hub: namespaces, cluster sets and cluster labels. */
  listPlacementOptions(
    options?: ArgocdFleetRequestOptions,
  ): Promise<PlacementOptionsList>;
  /** The clusters that a Placement would select now; nothing is written. */
  previewPlacement(
    target: Pick<ObjectRef, 'hub' | 'namespace'>,
    selection: PlacementSelection,
    options?: ArgocdFleetRequestOptions,
  ): Promise<PlacementPreview>;
  /** Every ManagedCluster on every hub. */
  listClusters(options?: ArgocdFleetRequestOptions): Promise<ClusterList>;
  /**
   * What catalog entities are made of: all clusters and ApplicationSets, or what changed since an earlier answer.
   * @param since - `next` of that answer; without it, or if the server no longer knows it, the answer is full
   */
  getInventory(
    since?: string,
    options?: ArgocdFleetRequestOptions,
  ): Promise<Inventory>;
  /** The last run and the findings of each controller on each hub, as known to the replica that answers. */
  listControllers(options?: ArgocdFleetRequestOptions): Promise<ControllerList>;
  /** Changes of an Application's state, the latest first; also after the Application was deleted. */
  listApplicationTransitions(
    ref: ObjectRef,
    options?: ArgocdFleetPageOptions,
  ): Promise<TransitionPage>;
  /** Changes of state of the Applications of an ApplicationSet, the latest first. */
  listApplicationSetTransitions(
    ref: ObjectRef,
    options?: ArgocdFleetPageOptions,
  ): Promise<TransitionPage>;
  /** Changes of state of the Applications on a cluster, the latest first. */
  listClusterTransitions(
    cluster: Pick<ObjectRef, 'hub' | 'name'>,
    options?: ArgocdFleetPageOptions,
  ): Promise<TransitionPage>;
  /**
   * Creates an ApplicationSet, or updates one that an earlier call created. With `dryRun`, nothing is written, and the result
   * says what would be done.
   * @throws ResponseError with status 409 if the ApplicationSet was not created by this API
   */
  putApplicationSet(
    ref: ObjectRef,
    body: PullModelApplicationSet,
    options?: ArgocdFleetRequestOptions & { readonly dryRun?: boolean },
  ): Promise<WriteResult>;
  /**
   * Creates a Placement, or updates one that an earlier call created. With `applicationSet`, the name of an
   * ApplicationSet of the same namespace and owner that the caller writes next, nothing is written unless that one may be.
   * @throws ResponseError with status 409 if the Placement, or that ApplicationSet, was not created by this API
   */
  putPlacement(
    ref: ObjectRef,
    body: PlacementSelection,
    options?: ArgocdFleetRequestOptions & { readonly applicationSet?: string },
  ): Promise<WriteResult>;
  /**
   * Makes sure that the clusters of a Placement are imported into the hub's Argo CD; `ref` of the result names the
   * GitOpsCluster that does it, which may have been there.
   * @throws ResponseError with status 403 where the caller may not write every ApplicationSet, 409 where the name is taken or
   * the hub has no such resource
   */
  putGitOpsCluster(
    ref: ObjectRef,
    body: GitOpsClusterRequest,
    options?: ArgocdFleetRequestOptions,
  ): Promise<WriteResult>;
  /**
   * A new ApplicationSet and its Placement as manifests for a Git repository that the hub's own Argo CD applies; the hub is
   * asked whether it would accept them, and nothing is written.
   * @throws ResponseError with status 403 where the caller may not create them, 409 where a name is taken
   */
  renderManifests(
    ref: ObjectRef,
    body: ManifestsRequest,
    options?: ArgocdFleetRequestOptions,
  ): Promise<ApplicationManifests>;
  /**
   * What a pull request has to bring to the folder that the ApplicationSet `to` deploys, so that its clusters run what those
   * of `from` run; nothing is written.
   * @throws ResponseError with status 403 where the caller may not have `to` changed, 400 where no change of files can do it,
   * 409 where `from` runs nothing yet
   */
  preparePromotion(
    to: ObjectRef,
    from: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<Promotion>;
  /**
   * Orders what becomes of what an ApplicationSet runs when it is deleted; must be repeated until the answer is `stored`.
   * @throws ResponseError with status 404 where the caller may not see it, 403 where it may not be changed, 409 where the
   * portal did not make it, or where it is not of the pull model and its workloads shall stay
   */
  orderRelease(
    ref: ObjectRef,
    release: Release,
    options?: ArgocdFleetRequestOptions,
  ): Promise<ReleaseOrder>;
  /**
   * Takes an order back; must be repeated while the answer is `stored`.
   * @throws ResponseError as `orderRelease`
   */
  withdrawRelease(
    ref: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<Withdrawal>;
  /**
   * What the Placement of an ApplicationSet selects, and whether the portal can change it.
   * @param selection - where given, the answer says what it would change; an empty one means every cluster of the sets that
   * are bound to the namespace
   * @throws ResponseError with status 404 where the caller may not see the ApplicationSet, 400 for a selection that the
   * configuration does not allow
   */
  getPlacementInUse(
    ref: ObjectRef,
    selection?: PlacementSelection,
    options?: ArgocdFleetRequestOptions,
  ): Promise<PlacementInUse>;
  /**
   * What a pull request has to write into the Placement of an ApplicationSet that a repository keeps; nothing is written.
   * @throws ResponseError with status 403 where the caller may not have it changed, 409 where no repository keeps it for this
   * ApplicationSet alone
   */
  proposePlacement(
    ref: ObjectRef,
    selection: PlacementSelection,
    options?: ArgocdFleetRequestOptions,
  ): Promise<PlacementProposal>;
  /**
   * Deletes an ApplicationSet; it stays until its last Application is gone from its cluster.
   * @throws ResponseError with status 404 where the caller may not see it, 403 where it may not be deleted, 409 where the
   * portal did not make it, or until a release is ordered and stored
   */
  deleteApplicationSet(
    ref: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<Deletion>;
  /**
   * Deletes a Placement.
   * @throws ResponseError with status 404 where the caller may not see it, 403 where it may not be deleted, 409 where the
   * portal did not make it, or where something uses it
   */
  deletePlacement(
    ref: ObjectRef,
    options?: ArgocdFleetRequestOptions,
  ): Promise<Deletion>;
  /**
   * Yields an event after each change, until the connection ends; the caller reconnects. `onOpen` is called when the
   * server has accepted the request: from then on no change is missed.
   * @throws the signal's reason when it is aborted; an error where nothing came for 40 s, since the server sends at
   * least a comment every 15 s: it hangs, or the connection is lost
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
  const { DELETE: remove, GET: get, POST: post, PUT: put } = api;

  /** Adds what every request needs, and returns the body of the response. */
  async function call<P, T>(
    { token, signal }: ArgocdFleetRequestOptions = {},
    params: P,
    send: (init: {
      readonly baseUrl: string;
      readonly headers: { readonly Authorization: string | undefined };
      readonly fetch: (request: Request) => Promise<Response>;
      readonly params: P;
    }) => Promise<{ data?: T; response: Response }>,
  ): Promise<NonNullable<T>> {
    const { data, response } = await send({
      baseUrl: await discoveryApi.getBaseUrl('argocd-fleet'),
      headers: { Authorization: token && `Bearer ${token}` },
      // Not as the Request's own signal: in Node, that no longer aborts the response once the Request is
      // garbage-collected.
      fetch: request => fetchApi.fetch(request, { signal }),
      params,
    });
    if (data === undefined || data === null) {
      throw new Error(`Empty response from ${response.url}`);
    }
    return data;
  }

  return {
    listApplicationSets: o =>
      call(o, {}, init => get('/applicationsets', init)),
    getApplicationSet: (path, o) =>
      call(o, { path }, init =>
        get('/applicationsets/{hub}/{namespace}/{name}', init),
      ),
    async getApplicationSetRows(path, { known, ...o } = {}) {
      const since = known?.next;
      const answer = await call(o, { path, query: { since } }, init =>
        get('/applicationsets/{hub}/{namespace}/{name}/rows', init),
      );
      return completeRows(answer, known);
    },
    getApplication: (path, o) =>
      call(o, { path }, init =>
        get('/applications/{hub}/{namespace}/{name}', init),
      ),
    getEntityFleet: (path, o) =>
      call(o, { path }, init =>
        get('/entities/{kind}/{namespace}/{name}', init),
      ),
    listLinks: o => call(o, {}, init => get('/links', init)),
    listPlacementOptions: o =>
      call(o, {}, init => get('/placement-options', init)),
    previewPlacement: (path, selection, o) =>
      call(o, { path, query: selectionQuery(selection) }, init =>
        get('/placement-previews/{hub}/{namespace}', init),
      ),
    listClusters: o => call(o, {}, init => get('/clusters', init)),
    getInventory: (since, o) =>
      call(o, { query: { since } }, init => get('/inventory', init)),
    listControllers: o => call(o, {}, init => get('/controllers', init)),
    listApplicationTransitions: (path, o) =>
      call(o, { path, query: pageOf(o) }, init =>
        get('/applications/{hub}/{namespace}/{name}/transitions', init),
      ),
    listApplicationSetTransitions: (path, o) =>
      call(o, { path, query: pageOf(o) }, init =>
        get('/applicationsets/{hub}/{namespace}/{name}/transitions', init),
      ),
    listClusterTransitions: (path, o) =>
      call(o, { path, query: pageOf(o) }, init =>
        get('/clusters/{hub}/{name}/transitions', init),
      ),
    putApplicationSet: (path, body, { dryRun, ...o } = {}) =>
      call(o, { path, query: { dryRun } }, init =>
        put('/applicationsets/{hub}/{namespace}/{name}', { ...init, body }),
      ),
    putPlacement: (path, body, { applicationSet, ...o } = {}) =>
      call(o, { path, query: { applicationSet } }, init =>
        put('/placements/{hub}/{namespace}/{name}', { ...init, body }),
      ),
    putGitOpsCluster: (path, body, o) =>
      call(o, { path }, init =>
        put('/gitopsclusters/{hub}/{namespace}/{name}', { ...init, body }),
      ),
    renderManifests: (path, body, o) =>
      call(o, { path }, init =>
        post('/applicationsets/{hub}/{namespace}/{name}/manifests', {
          ...init,
          body,
        }),
      ),
    preparePromotion: (path, from, o) =>
      call(o, { path }, init =>
        post('/applicationsets/{hub}/{namespace}/{name}/promotions', {
          ...init,
          body: { from },
        }),
      ),
    orderRelease: (path, release, o) =>
      call(o, { path }, init =>
        put('/applicationsets/{hub}/{namespace}/{name}/release', {
          ...init,
          body: { release },
        }),
      ),
    withdrawRelease: (path, o) =>
      call(o, { path }, init =>
        remove('/applicationsets/{hub}/{namespace}/{name}/release', init),
      ),
    proposePlacement: (path, body, o) =>
      call(o, { path }, init =>
        post('/applicationsets/{hub}/{namespace}/{name}/placement', {
          ...init,
          body,
        }),
      ),
    getPlacementInUse: (path, selection, o) =>
      call(
        o,
        {
          path,
          query: selection && {
            ...selectionQuery(selection),
            allClusters: true,
          },
        },
        init =>
          get('/applicationsets/{hub}/{namespace}/{name}/placement', init),
      ),
    deleteApplicationSet: (path, o) =>
      call(o, { path }, init =>
        remove('/applicationsets/{hub}/{namespace}/{name}', init),
      ),
    deletePlacement: (path, o) =>
      call(o, { path }, init =>
        remove('/placements/{hub}/{namespace}/{name}', init),
      ),
    async *changes({ token, signal, onOpen } = {}) {
      const silence = watchForSilence(signal);
      try {
        const stream = await call(
          { token, signal: silence.signal },
          {},
          ({ headers, ...init }) =>
            get('/events', {
              ...init,
              headers: { ...headers, Accept: 'text/event-stream' },
              parseAs: 'stream',
            }),
        );
        onOpen?.();
        yield* readChangedEvents(stream, silence);
      } finally {
        silence.end();
      }
    },
  };
}

/** A selection in the query of a request. */
function selectionQuery({
  matchLabels,
  matchClaims,
  owner: _,
  ...query
}: PlacementSelection) {
  const pairs = (values: Readonly<Record<string, string>> = {}) =>
    Object.entries(values).map(([key, value]) => `${key}=${value}`);
  return {
    ...query,
    matchLabels: pairs(matchLabels),
    matchClaims: pairs(matchClaims),
  };
}

/** The complete answer: one with `removed` has only the rows that changed. */
function completeRows(
  { removed, ...answer }: ApplicationSetRows,
  known: ApplicationSetRows | undefined,
): ApplicationSetRows {
  if (!removed || !known) {
    return answer;
  }
  const keyOf = ({ namespace, name }: NamespacedName) => `${namespace}/${name}`;
  const rows = new Map(
    known.applications.map(row => [keyOf(row.application), row]),
  );
  removed.forEach(application => rows.delete(keyOf(application)));
  answer.applications.forEach(row => rows.set(keyOf(row.application), row));
  return {
    ...answer,
    // By name, as in a full answer.
    applications: [...rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row),
  };
}

function pageOf({ limit, before }: ArgocdFleetPageOptions = {}) {
  return { limit, before };
}

/** Milliseconds without an event or comment after which an event stream is dead: two comments are missing. */
const SILENT_STREAM_MS = 40_000;

/** Aborts an event stream on which nothing comes. */
interface Silence {
  readonly signal: AbortSignal;
  /** Something came. */
  interrupt(): void;
  end(): void;
}

function watchForSilence(outer: AbortSignal | undefined): Silence {
  const abort = new AbortController();
  const onOuterAbort = () => abort.abort(outer?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  function interrupt() {
    clearTimeout(timer);
    timer = setTimeout(
      () =>
        abort.abort(
          new Error(
            `Nothing came on the event stream for ${SILENT_STREAM_MS / 1000} s`,
          ),
        ),
      SILENT_STREAM_MS,
    );
  }
  if (outer?.aborted) {
    onOuterAbort();
  }
  outer?.addEventListener('abort', onOuterAbort);
  interrupt();
  return {
    signal: abort.signal,
    interrupt,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuterAbort);
    },
  };
}

/** Reads the `changed` events of a server-sent event stream; other events and comments only interrupt the silence. */
async function* readChangedEvents(
  body: ReadableStream<BufferSource>,
  { signal, interrupt }: Silence,
): AsyncGenerator<ChangedEvent> {
  // A reader, because Safari cannot iterate a stream.
  const reader = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream({ onComment: interrupt }))
    .getReader();
  // Not every `fetch` ends the body of its response when the signal is aborted.
  const cancel = () => reader.cancel(signal.reason);
  signal.addEventListener('abort', cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) {
        return;
      }
      interrupt();
      if (value.event === 'changed') {
        yield JSON.parse(value.data);
      }
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    await reader.cancel();
  }
}
