import { createHash } from 'node:crypto';

/** What is kept of a message of our own, of which nothing is asked but whether it says what it should ({@link saysMessage}) and its end. */
export function keptMessage(message: string): string {
  const lastLine = message.slice(message.lastIndexOf('\n') + 1);
  // No secret. Joined, the text is one piece in memory.
  return [createHash('sha1').update(message).digest('base64'), lastLine].join(
    ' ',
  );
}

/** Whether a message that was replaced by {@link keptMessage}, or was not, is this one. */
export function saysMessage(
  kept: string | undefined,
  message: string,
): boolean {
  return kept === message || kept === keptMessage(message);
}
