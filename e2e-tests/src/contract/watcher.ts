import { eventually } from './conditions';
import { HubBody } from './hubBody';
import { Headers, HttpClient } from './httpClient';

export interface SeenEvent {
  readonly type: string;
  readonly object: HubBody;
}

/** A watch that collects its events. */
export interface Watcher {
  readonly events: readonly SeenEvent[];
  /** `TYPE name` of each event, bookmarks left out. */
  readonly texts: readonly string[];
  /** Waits until this many events came that are no bookmarks. */
  until(count: number): Promise<readonly SeenEvent[]>;
  /** Waits for a bookmark. */
  untilBookmark(timeoutMs: number): Promise<SeenEvent>;
  /** Settles when the server ends the watch. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Opens a watch; it is on when this returns. */
export async function openWatch(
  client: HttpClient,
  path: string,
  headers: Headers = {},
): Promise<Watcher> {
  const abort = new AbortController();
  const response = await client.open(
    'GET',
    path,
    undefined,
    headers,
    abort.signal,
  );
  const events: SeenEvent[] = [];
  const read = async () => {
    let text = '';
    response.setEncoding('utf8');
    for await (const chunk of response) {
      text += chunk;
      const lines = text.split('\n');
      text = lines.pop()!;
      events.push(...lines.map(line => JSON.parse(line)));
    }
  };
  const ended = read().catch(error => {
    if (!abort.signal.aborted) {
      throw error;
    }
  });
  if (response.statusCode !== 200) {
    abort.abort();
    throw new Error(`GET ${path} answered ${response.statusCode}`);
  }
  const changes = () => events.filter(({ type }) => type !== 'BOOKMARK');
  return {
    events,
    get texts() {
      return changes().map(
        ({ type, object }) => `${type} ${object.metadata?.name ?? ''}`,
      );
    },
    until: count => eventually(changes, seen => seen.length >= count),
    async untilBookmark(timeoutMs) {
      const seen = await eventually(
        () => events,
        all => all.some(({ type }) => type === 'BOOKMARK'),
        timeoutMs,
      );
      return seen.find(({ type }) => type === 'BOOKMARK')!;
    },
    ended,
    async stop() {
      abort.abort();
      await ended;
    },
  };
}
