import { withoutTokens } from './tokens';
import { withoutUrlSecrets } from './urlSecrets';

/** Bytes that are kept of a text, in UTF-8 and with the mark. */
export const MAX_TEXT_BYTES = 4_096;

/** No more of a text is read, in UTF-16 code units: what is kept is far shorter, whatever is taken out. */
const MAX_READ = 4 * MAX_TEXT_BYTES;

/** The end of a text that was cut. */
const CUT_MARK = '… [cut]';
const MARK_BYTES = Buffer.byteLength(CUT_MARK);

/** No character has more bytes in UTF-8, for each of its UTF-16 code units. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Control characters could make a terminal run text that is pasted; bidirectional ones make a text read as another.
 * Tabs and line breaks are text.
 */
const UNPRINTABLE = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;

const encoder = new TextEncoder();
const buffer = new Uint8Array(MAX_TEXT_BYTES);

/**
 * A text as it is kept and shown: without what may be a password or a token, with every control character visible, and
 * cut. Idempotent.
 */
export function shownText(text: string): string {
  const read = text.length > MAX_READ ? beginning(text) : text;
  const shown = visibleText(withoutTokens(withoutUrlSecrets(read)));
  return cutText(read === text ? shown : `${shown}${CUT_MARK}`);
}

/** What is read of a long text. Half of a word could be half of a secret, which nothing recognises; few are so long. */
function beginning(text: string): string {
  const read = text.slice(0, MAX_READ);
  const end = read.search(/\s\S*$/);
  return end > MAX_READ - MAX_TEXT_BYTES ? read.slice(0, end) : read;
}

/** The text with U+FFFD in place of each control character and each bidirectional control character. */
export function visibleText(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD');
}

/**
 * The text cut between two characters, with a mark at the end; the same text if it fits.
 * @param maxBytes - in UTF-8 and with the mark; at most {@link MAX_TEXT_BYTES}
 */
export function cutText(text: string, maxBytes = MAX_TEXT_BYTES): string {
  if (
    text.length * MAX_BYTES_PER_UNIT <= maxBytes ||
    encoder.encodeInto(text, buffer.subarray(0, maxBytes)).read === text.length
  ) {
    return text;
  }
  const { written } = encoder.encodeInto(
    text,
    buffer.subarray(0, maxBytes - MARK_BYTES),
  );
  // Decoded, not sliced: a slice would keep the whole text in memory.
  return `${Buffer.from(buffer.buffer, 0, written).toString()}${CUT_MARK}`;
}
