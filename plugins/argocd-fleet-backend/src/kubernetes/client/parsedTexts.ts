import { parseExactJson } from './exactJson';

/** Parses texts of which many come twice, a moment apart: what a write answers with, the watch tells again word for word. */
export interface ParsedTexts {
  /**
   * As `parseExactJson`; for the same text a second time it may be the same value, which nobody must change therefore.
   * @throws SyntaxError
   */
  parse<T>(text: string): T;
  forgetAll(): void;
}

/** More than there are writes under way at once. */
const REMEMBERED = 32;

/** Creates the parser, with nothing remembered. */
export function createParsedTexts(): ParsedTexts {
  const recent: { readonly text: string; readonly value: unknown }[] = [];
  return {
    parse<T>(text: string) {
      const index = recent.findIndex(parsed => parsed.text === text);
      if (index >= 0) {
        // There is no third time.
        const [{ value }] = recent.splice(index, 1);
        return value as T;
      }
      const value = parseExactJson<T>(text);
      recent.push({ text, value });
      if (recent.length > REMEMBERED) {
        recent.shift();
      }
      return value;
    },
    forgetAll() {
      recent.length = 0;
    },
  };
}
