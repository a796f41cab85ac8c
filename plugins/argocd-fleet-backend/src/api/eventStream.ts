import type { Request, Response } from 'express';
import type { ChangeFeed } from './changeFeed';

/** Milliseconds between comments, which keep proxies from closing an idle connection. */
const HEARTBEAT_MS = 15_000;
/** A client with so many unread bytes has stopped reading. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * Streams the feed as server-sent events until the client or the backend ends it.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function streamEvents(
  feed: ChangeFeed,
  request: Request,
  response: Response,
): void {
  // The client left during the permission check: no `close` event would ever end this stream.
  if (request.destroyed || response.destroyed) {
    return;
  }
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    // The backend's compression would delay events; it skips responses with no-transform.
    'Cache-Control': 'no-cache, no-transform',
    Connection: 'keep-alive',
    'X-Accel-Buffering': 'no',
  });

  const send = (text: string) => {
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) {
      response.destroy();
    }
  };
  send(': connected\n\n');
  const heartbeat = setInterval(() => send(': heartbeat\n\n'), HEARTBEAT_MS);
  const unsubscribe = feed.subscribe(event =>
    send(`event: changed\ndata: ${JSON.stringify(event)}\n\n`),
  );
  const removeCloseListener = feed.onClose(() => response.end());
  response.once('close', () => {
    clearInterval(heartbeat);
    unsubscribe();
    removeCloseListener();
  });
}
