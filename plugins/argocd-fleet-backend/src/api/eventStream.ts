import type { Request, Response } from 'express';
import type { ChangeFeed } from './changeFeed';

/** Milliseconds between the comments that keep proxies from ending an idle connection. */
const HEARTBEAT_MS = 15_000;
/** A client that lets so many bytes pile up is not reading any more. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/**
 * Answers with the feed as server-sent events, until either side ends it.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function streamEvents(
  feed: ChangeFeed,
  request: Request,
  response: Response,
): void {
  // Gone while it was found out what it may see: there is nobody to tell, and nothing that would ever end this.
  if (request.destroyed || response.destroyed) {
    return;
  }
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    // The backend's compression would hold events back; it leaves alone what may not be transformed.
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
