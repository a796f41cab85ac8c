import { createConnector } from '../../plugins/argocd-fleet-backend/src/kubernetes/client/connection';

/** Requests to a hub with nothing in between: what a bare loop would make. */
export interface HubCalls {
  call<T = unknown>(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<T>;
  /** The text that is there. */
  read(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Speaks to the hub of that kubeconfig, as somebody else than the controllers. */
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
    const answer = await dispatcher.request({
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
    const text = await answer.body.text();
    if (answer.statusCode >= 300 && answer.statusCode !== 409) {
      throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
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

/** Does it for each, so many at once; answers with the seconds that it took. */
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
