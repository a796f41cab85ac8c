import { parseExactJson } from './exactJson';
import { createParsedTexts } from './parsedTexts';
import type { RawWatchEvent } from './watchEvents';

/**
 * Parses the answers to writes, and the events that repeat them word for word, before or after: each such text is
 * parsed once.
 */
export interface WriteEchoes {
  /** Makes a write; `send` reads its answer with the given function. */
  write<R>(send: (parse: (text: string) => R) => Promise<R>): Promise<R>;
  /** @throws SyntaxError */
  parseEvent<T>(line: string): RawWatchEvent<T>;
}

const CHANGE = /^\{"type":"(ADDED|MODIFIED)","object":/;

/** Creates the parser; it remembers nothing while no write is under way. */
export function createWriteEchoes(): WriteEchoes {
  const texts = createParsedTexts();
  let writes = 0;
  return {
    async write<R>(send: (parse: (text: string) => R) => Promise<R>) {
      writes += 1;
      try {
        // API servers end an answer with a line break.
        return await send(text => texts.parse<R>(text.trimEnd()));
      } finally {
        writes -= 1;
        if (writes === 0) {
          texts.forgetAll();
        }
      }
    },
    parseEvent<T>(line: string): RawWatchEvent<T> {
      const [begin, type] = (writes > 0 && CHANGE.exec(line)) || [];
      return begin
        ? { type, object: texts.parse(line.slice(begin.length, -1)) }
        : parseExactJson(line);
    },
  };
}
