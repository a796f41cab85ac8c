import { createConnector } from '../../plugins/argocd-fleet-backend/src/kubernetes/client/connection';

/** Plain requests to a hub, without the backend's client: the baseline of the benchmarks. */
export interface HubCalls {
  call<T = unknown>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<T>;
  /** The text of a resource. */
  read(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Sends requests to the hub of a kubeconfig, with another user agent than the controllers. */
export function createHubCalls(path: string): HubCalls {
  const connector = createConnector({
    server: 'hub "bench"',
    access: { kubeconfig: { path } },
  });
  async function send(
    method: Parameters<HubCalls['call']>[0],
    url: string,
    body?: unknown,
  ): Promise<string> {
    const { origin, basePath, headers, dispatcher } = await connector.connect();
    const response = await dispatcher.request({
      origin,
      path: basePath + url,
      method,
      headers: {
        ...headers,
        'user-agent': 'bench',
        'content-type':
          method === 'PATCH'
            ? 'application/merge-patch+json'
            : 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.body.text();
    const { statusCode } = response;
    const isDone = statusCode === (method === 'DELETE' ? 404 : 409);
    if (statusCode >= 300 && !isDone) {
      throw new Error(`${method} ${url}: ${statusCode} ${text}`);
    }
    return text;
  }

  return {
    call: async (method, url, body) =>
      JSON.parse(await send(method, url, body)),
    read: url => send('GET', url),
    close: () => connector.close(),
  };
}

/** Runs `work` for each item, `concurrency` at a time. Returns the duration in seconds. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (next < items.length) {
        const item = items[next];
        next += 1;
        await work(item);
      }
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
