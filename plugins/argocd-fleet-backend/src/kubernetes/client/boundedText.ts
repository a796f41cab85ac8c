import type { Readable } from 'node:stream';

/** Bytes that an answer may have; a page of a list has at most 500 objects, and few of them are large. */
export const MAX_ANSWER_BYTES = 256 * 2 ** 20;

/**
 * Reads a text as a whole.
 * @throws Error when it has more bytes: nothing more of it is read
 */
export async function readBoundedText(
  body: Readable | AsyncIterable<Buffer>,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw answerTooLarge(maxBytes);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The reason why an answer is not read to its end. */
export function answerTooLarge(maxBytes: number): Error {
  return new Error(`the answer has more than ${maxBytes} bytes`);
}
