import { answerTooLarge } from './boundedText';

/** Splits the text of a list, as it arrives, into its items and the rest. */
export interface ListSplitter {
  /**
   * The texts of the items that end in this chunk of the answer.
   * @throws Error when an item, the rest or all together are too large
   */
  push(chunk: Buffer): string[];
  /** The text of the list without its items. */
  rest(): string;
}

/** A list may have so many times the bytes of one of its items: a page has up to 500, and few are that large. */
const MAX_LIST = 8;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] =
  Buffer.from('"\\[]{}');

/** The level of a list's items: inside the object and its array. */
const ITEM_DEPTH = 2;

/**
 * Creates the splitter. A list is parsed item by item: as a whole, some hundred large objects would keep the process
 * busy for seconds and fill its memory, and one that cannot be parsed would fail all others. Of a Kubernetes list,
 * `items` is the only array.
 * @param maxBytes - bytes that an item may have
 */
export function createListSplitter(maxBytes: number): ListSplitter {
  let depth = 0;
  let inText = false;
  let isEscaped = false;
  let inItems = false;
  let bytes = 0;
  const rest = createPieces(maxBytes);
  const item = createPieces(maxBytes);

  return {
    push(chunk) {
      bytes += chunk.length;
      if (bytes > MAX_LIST * maxBytes) {
        throw answerTooLarge(MAX_LIST * maxBytes);
      }
      const items: string[] = [];
      /** Where the part begins that is neither taken nor passed over yet. */
      let from = 0;
      for (let i = 0; i < chunk.length; i += 1) {
        const byte = chunk[i];
        if (inText) {
          if (isEscaped) {
            isEscaped = false;
          } else if (byte === BACKSLASH) {
            isEscaped = true;
          } else if (byte === QUOTE) {
            inText = false;
          }
        } else if (byte === QUOTE) {
          inText = true;
        } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          if (inItems && depth === ITEM_DEPTH) {
            from = i;
          }
          depth += 1;
          if (depth === ITEM_DEPTH && byte === OPEN_LIST) {
            rest.add(chunk.subarray(from, i + 1));
            inItems = true;
          }
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          depth -= 1;
          if (inItems && depth === ITEM_DEPTH) {
            item.add(chunk.subarray(from, i + 1));
            items.push(item.take());
          } else if (inItems && depth < ITEM_DEPTH) {
            inItems = false;
            from = i;
          }
        }
      }
      if (!inItems) {
        rest.add(chunk.subarray(from));
      } else if (depth > ITEM_DEPTH) {
        item.add(chunk.subarray(from));
      }
      return items;
    },
    rest: rest.take,
  };
}

/** A text of limited size, made of pieces. */
function createPieces(maxBytes: number) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  return {
    add(piece: Buffer) {
      bytes += piece.length;
      if (bytes > maxBytes) {
        throw answerTooLarge(maxBytes);
      }
      pieces.push(piece);
    },
    take(): string {
      const text = Buffer.concat(pieces).toString('utf8');
      pieces = [];
      bytes = 0;
      return text;
    },
  };
}
