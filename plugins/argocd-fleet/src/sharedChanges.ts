import type {
  ArgocdFleetClient,
  ChangedEvent,
} from 'backstage-plugin-argocd-fleet-common';

type Changes = ArgocdFleetClient['changes'];

/** The stream that is open, and those who read it. */
interface SharedStream {
  readonly abort: AbortController;
  /** Each reader's queue, and whom to tell that the server accepted the request. */
  readonly readers: Map<
    ReadableStreamDefaultController<ChangedEvent>,
    (() => void) | undefined
  >;
  accepted: boolean;
}

/**
 * Lets all subscribers read one event stream, because browsers open only six connections to one host. It is opened with
 * the first subscriber and closed with the last, and ends or fails for all of them together. A subscriber that finds it
 * open is told so before the call returns its first promise.
 */
export function shareChanges(changes: Changes): Changes {
  let current: SharedStream | undefined;

  async function follow(stream: SharedStream) {
    const { abort, readers } = stream;
    let end = (queue: ReadableStreamDefaultController<ChangedEvent>) =>
      queue.close();
    try {
      const events = changes({
        signal: abort.signal,
        onOpen: () => {
          stream.accepted = true;
          readers.forEach(onOpen => onOpen?.());
        },
      });
      for await (const event of events) {
        readers.forEach((_, queue) => queue.enqueue(event));
      }
    } catch (error) {
      end = queue => queue.error(error);
    }
    if (current === stream) {
      current = undefined;
    }
    const queues = [...readers.keys()];
    readers.clear();
    queues.forEach(end);
  }

  function start(): SharedStream {
    return {
      abort: new AbortController(),
      readers: new Map(),
      accepted: false,
    };
  }

  return async function* subscribe({ signal, onOpen } = {}) {
    signal?.throwIfAborted();
    const first = current === undefined;
    const stream = (current ??= start());
    let queue!: ReadableStreamDefaultController<ChangedEvent>;
    const reader = new ReadableStream<ChangedEvent>({
      start: controller => {
        queue = controller;
      },
    }).getReader();
    stream.readers.set(queue, onOpen);
    const onAbort = () => queue.error(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    if (first) {
      follow(stream);
    } else if (stream.accepted) {
      onOpen?.();
    }
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          return;
        }
        yield value;
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      stream.readers.delete(queue);
      if (stream.readers.size === 0) {
        stream.abort.abort();
        if (current === stream) {
          current = undefined;
        }
      }
    }
  };
}
