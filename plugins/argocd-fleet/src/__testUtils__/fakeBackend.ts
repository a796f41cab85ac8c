import type {
  ApplicationSetList,
  ApplicationSetRows,
  ArgocdFleetClient,
  ChangedEvent,
  ClusterApplication,
  EntityFleet,
  LinkList,
  TransitionPage,
} from 'backstage-plugin-argocd-fleet-common';
import { argocdFleetApiFactory } from '../api';

/** A response of the fake backend: an HTTP status with a JSON body. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** An error response in Backstage's format. */
export function failure(status: number, name: string, message: string): Answer {
  return {
    status,
    body: { error: { name, message }, response: { statusCode: status } },
  };
}

/** The 404 of a backend without the plugin: it has no body. */
export const NO_SUCH_PLUGIN: Answer = { status: 404, body: undefined };

/** The plugin's backend, faked at the HTTP boundary; the API client is the real one, with its shared event stream. */
export interface FakeBackend {
  readonly fetch: typeof fetch;
  readonly api: ArgocdFleetClient;
  /** Paths requested so far, without the event stream and timelines. */
  readonly requests: readonly string[];
  /** Paths and queries of the timelines requested so far. */
  readonly timelines: readonly string[];
  /** How often the event stream was opened. */
  readonly streams: () => number;
  /** @param path - limits the answer to this path, or to those that match */
  answer(
    answer: Answer | 'networkError' | 'never',
    path?: string | RegExp,
  ): void;
  /** Answer for timelines from now on; before, they are empty. */
  answerTimelines(
    answer: (query: URLSearchParams) => Answer | 'networkError' | 'never',
  ): void;
  /** Sends a `changed` event on all open streams. */
  emit(event: ChangedEvent): void;
  /** Closes all open streams and refuses new ones. */
  refuseStreams(): void;
}

/** Serves the ApplicationSets, and the Applications in detail, at their paths. */
export function serveSets(
  backend: Pick<FakeBackend, 'answer'>,
  sets: readonly ApplicationSetRows[],
  applications: readonly ClusterApplication[] = [],
): void {
  const api = '/api/argocd-fleet';
  for (const set of sets) {
    const { hub, namespace, name } = set.ref;
    backend.answer(
      ok(set),
      `${api}/applicationsets/${hub}/${namespace}/${name}/rows`,
    );
  }
  for (const application of applications) {
    const { namespace, name } = application.application;
    backend.answer(
      ok(application),
      `${api}/applications/hub/${namespace}/${name}`,
    );
  }
}

/** A response with status 200. */
export function ok(
  body:
    | EntityFleet
    | ApplicationSetRows
    | ApplicationSetList
    | ClusterApplication
    | LinkList
    | TransitionPage,
): Answer {
  return { status: 200, body };
}

async function respond(
  answer: Answer | 'networkError' | 'never',
): Promise<Response> {
  if (answer === 'never') {
    return new Promise(() => {});
  }
  if (answer === 'networkError') {
    throw new TypeError('Failed to fetch');
  }
  return answer.body === undefined
    ? new Response(null, { status: answer.status })
    : new Response(JSON.stringify(answer.body), {
        status: answer.status,
        headers: { 'Content-Type': 'application/json' },
      });
}

export function createFakeBackend(
  first: Answer | 'networkError' | 'never',
): FakeBackend {
  let current = first;
  const ofPaths = new Map<
    string | RegExp,
    Parameters<FakeBackend['answer']>[0]
  >([['/api/argocd-fleet/links', ok({ items: [] })]]);
  let timelineAnswer: Parameters<FakeBackend['answerTimelines']>[0] = () =>
    ok({ items: [] });
  let streamsRefused = false;
  let opened = 0;
  const requests: string[] = [];
  const timelines: string[] = [];
  const listeners = new Set<ReadableStreamDefaultController<Uint8Array>>();

  function openStream(signal: AbortSignal | null | undefined): Response {
    if (streamsRefused) {
      return new Response('', { status: 503 });
    }
    opened += 1;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        listeners.add(controller);
        signal?.addEventListener('abort', () => {
          if (listeners.delete(controller)) {
            controller.error(signal.reason);
          }
        });
      },
      cancel() {
        listeners.clear();
      },
    });
    return new Response(body, {
      headers: { 'Content-Type': 'text/event-stream' },
    });
  }

  async function fakeFetch(
    input: RequestInfo | URL,
    init?: RequestInit,
  ): Promise<Response> {
    const { url } = new Request(input, init);
    const { pathname, search, searchParams } = new URL(url);
    if (pathname.endsWith('/events')) {
      return openStream(init?.signal);
    }
    if (pathname.endsWith('/transitions')) {
      timelines.push(`${pathname}${search}`);
      return respond(timelineAnswer(searchParams));
    }
    requests.push(pathname);
    const [, own] =
      [...ofPaths].find(([path]) =>
        typeof path === 'string' ? path === pathname : path.test(pathname),
      ) ?? [];
    return respond(own ?? current);
  }

  return {
    fetch: fakeFetch,
    api: argocdFleetApiFactory.factory({
      discoveryApi: {
        getBaseUrl: async () => 'http://localhost/api/argocd-fleet',
      },
      fetchApi: { fetch: fakeFetch },
    }),
    requests,
    timelines,
    streams: () => opened,
    answer(answer, path) {
      if (path) {
        ofPaths.set(path, answer);
      } else {
        current = answer;
      }
    },
    answerTimelines: answer => {
      timelineAnswer = answer;
    },
    emit: event => {
      const text = `event: changed\ndata: ${JSON.stringify(event)}\n\n`;
      for (const listener of listeners) {
        listener.enqueue(new TextEncoder().encode(text));
      }
    },
    refuseStreams: () => {
      streamsRefused = true;
      for (const listener of listeners) {
        listeners.delete(listener);
        listener.close();
      }
    },
  };
}
