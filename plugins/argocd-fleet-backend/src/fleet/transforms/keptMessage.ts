import { hash } from 'node:crypto';

/** What the cache stores of a message of ours: a hash to compare it ({@link saysMessage}), and its last line. */
export function keptMessage(message: string): string {
  const lastLine = message.slice(message.lastIndexOf('\n') + 1);
  // The message is no secret. A joined string is stored flat.
  return [hash('sha1', message, 'base64'), lastLine].join(' ');
}

/** Whether a message is this one, whether or not it was replaced by {@link keptMessage}. */
export function saysMessage(
  kept: string | undefined,
  message: string,
): boolean {
  return kept === message || kept === keptMessage(message);
}
