import type { Request, Response } from 'express';
import type { ChangedEvent } from 'backstage-plugin-argocd-fleet-common';
import type { ChangeFeed, FeedEvent } from './changeFeed';

/** Milliseconds between comments, which keep proxies from closing an idle connection. */
const HEARTBEAT_MS = 15_000;
/** A client with so many unread bytes has stopped reading. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/**
 * Milliseconds after which a stream ends, so that the client's next one is decided anew: a permission that was taken
 * away is in force by then. It varies, so that the clients of a restarted backend do not all come back at once.
 */
const LIFETIME_MS = 5 * 60_000;
/** Milliseconds that a client has to read the rest of a stream that has ended. */
const READ_REST_MS = 10_000;

/** What a stream needs besides the feed. */
export interface StreamOptions {
  /** What the client may see of an event; undefined if that is nothing. */
  readonly visible: (event: FeedEvent) => ChangedEvent | undefined;
  /** Called once, when the stream has ended. */
  readonly onEnd: () => void;
  /** About how many milliseconds the stream lasts. */
  readonly lifetimeMs?: number;
  /** For how many milliseconds a client may leave the rest unread, once the stream has ended. */
  readonly readRestMs?: number;
}

/**
 * Streams the feed as server-sent events until the client or the backend ends it.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function streamEvents(
  feed: ChangeFeed,
  request: Request,
  response: Response,
  {
    visible,
    onEnd,
    lifetimeMs = LIFETIME_MS,
    readRestMs = READ_REST_MS,
  }: StreamOptions,
): void {
  // The client left during the permission check: no `close` event would ever end this stream.
  if (request.destroyed || response.destroyed) {
    onEnd();
    return;
  }
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    // The backend's compression would delay events; it skips responses with no-transform.
    'Cache-Control': 'no-cache, no-transform',
    Connection: 'keep-alive',
    'X-Accel-Buffering': 'no',
  });
  if (request.method === 'HEAD') {
    // Without a body nothing would ever be sent: the client would wait as long as a stream lives.
    response.end();
    onEnd();
    return;
  }

  const send = (text: string) => {
    response.write(text);
    if (response.writableLength > MAX_UNREAD_BYTES) {
      response.destroy();
    }
  };
  send(': connected\n\n');
  const heartbeat = setInterval(() => send(': heartbeat\n\n'), HEARTBEAT_MS);
  const lifetime = setTimeout(end, lifetimeMs * (0.8 + 0.4 * Math.random()));
  const unsubscribe = feed.subscribe(event => {
    const seen = visible(event);
    if (seen) {
      send(`event: changed\ndata: ${JSON.stringify(seen)}\n\n`);
    }
  });
  const removeCloseListener = feed.onClose(end);
  response.once('close', () => {
    stop();
    onEnd();
  });

  /** Nothing may be written after the end. */
  function stop() {
    clearInterval(heartbeat);
    clearTimeout(lifetime);
    unsubscribe();
    removeCloseListener();
  }

  function end() {
    stop();
    response.end();
    // A client that does not read leaves the response unfinished: it would never be closed, and count for ever.
    const unread = setTimeout(() => response.destroy(), readRestMs);
    unread.unref();
    response.once('close', () => clearTimeout(unread));
  }
}
