import type { Readable } from 'node:stream';
import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import { answerTooLarge } from './boundedText';
import type { WatchEvent } from './client';
import { errorFromStatus, type KubernetesStatus } from './errors';

/** One line of a watch, as the API server writes it. */
export interface RawWatchEvent<T> {
  readonly type: string;
  readonly object: T & KubernetesStatus;
}

/**
 * Yields the lines of a watch.
 * @throws Error when a line has more characters than `maxLength`
 */
export async function* readLines(
  body: Readable,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // A large object arrives in dozens of chunks: they are joined once, not with each chunk.
  let pending: string[] = [];
  let length = 0;
  for await (const chunk of body) {
    const [rest, ...begun] = decoder
      .decode(chunk, { stream: true })
      .split('\n');
    pending.push(rest);
    length += rest.length;
    if (length > maxLength) {
      throw answerTooLarge(maxLength);
    }
    if (begun.length > 0) {
      const lines = [pending.join(''), ...begun];
      pending = lines.splice(-1);
      length = pending[0].length;
      yield* lines.filter(Boolean);
    }
  }
}

/**
 * Reads the event of a line.
 * @param description - of the watch, for messages
 * @throws KubernetesError for an event that is an error
 */
export function readWatchEvent<T extends KubernetesObject>(
  { type, object }: RawWatchEvent<T>,
  description: string,
): WatchEvent<T> {
  switch (type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return { type, object };
    case 'BOOKMARK':
      return {
        type,
        resourceVersion: object.metadata.resourceVersion ?? '0',
      };
    default:
      throw errorFromStatus(object, description);
  }
}
