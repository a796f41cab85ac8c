import type { IncomingMessage } from 'node:http';

/** One event of a Kubernetes watch. */
export interface WatchEvent<T> {
  readonly type: string;
  readonly object: T;
}

/** The events of an open watch response, one JSON object per line. */
export async function* watchEvents<T>(
  response: IncomingMessage,
): AsyncGenerator<WatchEvent<T>> {
  let pending = '';
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (pending + chunk).split('\n');
    pending = lines.pop()!;
    for (const line of lines) {
      yield JSON.parse(line);
    }
  }
}
