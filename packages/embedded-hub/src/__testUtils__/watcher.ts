import { pollUntil } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { TestHub } from './testHub';

/** One event of a watch. */
export interface ReceivedEvent {
  readonly type: string;
  readonly object: KubernetesObject & { readonly [key: string]: never };
}

/** A watch that collects its events. */
export interface Watcher {
  readonly events: readonly ReceivedEvent[];
  /** `TYPE name` of each event. */
  readonly texts: readonly string[];
  /** Waits until this many events have been received. */
  until(count: number): Promise<readonly ReceivedEvent[]>;
  /** Resolves when the hub ends the watch. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Opens a watch; it is open when the promise resolves. */
export async function watch(
  hub: TestHub,
  path: string,
  headers: { [name: string]: string } = {},
): Promise<Watcher> {
  const abort = new AbortController();
  const response = await fetch(`${hub.url}${path}`, {
    headers,
    signal: abort.signal,
  });
  if (!response.ok || !response.body) {
    throw new Error(`GET ${path} answered ${response.status}`);
  }
  const events: ReceivedEvent[] = [];
  const read = async (body: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      const lines = text.split('\n');
      text = lines.pop()!;
      events.push(...lines.map(line => JSON.parse(line)));
    }
  };
  const ended = read(response.body).catch(error => {
    if (!abort.signal.aborted) {
      throw error;
    }
  });
  return {
    events,
    get texts() {
      return events.map(
        ({ type, object }) => `${type} ${object.metadata?.name ?? ''}`,
      );
    },
    until: count =>
      pollUntil(
        () => events,
        seen => seen.length >= count,
      ),
    ended,
    async stop() {
      abort.abort();
      await ended;
    },
  };
}
