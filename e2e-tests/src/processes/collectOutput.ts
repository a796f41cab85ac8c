import type { Readable } from 'node:stream';

/** Collects the text of streams; the returned function gives what has arrived so far. */
export function collectOutput(...streams: (Readable | null)[]): () => string {
  const chunks: string[] = [];
  for (const stream of streams) {
    stream?.setEncoding('utf8').on('data', chunk => chunks.push(chunk));
  }
  return () => chunks.join('');
}
