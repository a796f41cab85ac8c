import { Headers } from '../hub/connection';
import { HttpClient } from '../hub/httpClient';
import { eventually } from '../polling';
import { ResponseBody } from '../hub/responseBody';
import { WatchEvent, watchEvents } from '../hub/watchEvents';

export type RecordedEvent = WatchEvent<ResponseBody>;

/** A watch that records its events. */
export interface WatchRecorder {
  readonly events: readonly RecordedEvent[];
  /** `TYPE name` of each event except bookmarks. */
  readonly changes: readonly string[];
  /** Waits for this number of events, bookmarks not counted. */
  waitForChanges(count: number): Promise<readonly RecordedEvent[]>;
  /** Waits for the first bookmark; undefined if the server ends the watch without one. */
  waitForBookmark(): Promise<RecordedEvent | undefined>;
  /** Resolves when the server ends the watch. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Opens a watch; resolves once the server has accepted it. */
export async function openWatch(
  client: HttpClient,
  path: string,
  headers: Headers = {},
): Promise<WatchRecorder> {
  const abort = new AbortController();
  const response = await client.open(
    'GET',
    path,
    undefined,
    headers,
    abort.signal,
  );
  if (response.statusCode !== 200) {
    response.resume();
    throw new Error(`GET ${path}: ${response.statusCode}`);
  }
  const events: RecordedEvent[] = [];
  const read = async () => {
    for await (const event of watchEvents<ResponseBody>(response)) {
      events.push(event);
    }
  };
  let hasEnded = false;
  const ended = read()
    .catch(error => {
      if (!abort.signal.aborted) {
        throw error;
      }
    })
    .finally(() => {
      hasEnded = true;
    });
  const isBookmark = ({ type }: RecordedEvent) => type === 'BOOKMARK';
  const withoutBookmarks = () => events.filter(event => !isBookmark(event));
  return {
    events,
    get changes() {
      return withoutBookmarks().map(
        ({ type, object }) => `${type} ${object.metadata?.name ?? ''}`,
      );
    },
    waitForChanges: count =>
      eventually(withoutBookmarks, changes => changes.length >= count),
    async waitForBookmark() {
      await eventually(
        () => events,
        all => hasEnded || all.some(isBookmark),
      );
      return events.find(isBookmark);
    },
    ended,
    async stop() {
      abort.abort();
      await ended;
    },
  };
}
