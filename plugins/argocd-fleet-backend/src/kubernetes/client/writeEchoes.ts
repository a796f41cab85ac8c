import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type { ResourceType } from './client';
import { MAX_DEPTH, parseExactJson } from './exactJson';
import { createParsedTexts } from './parsedTexts';
import { tooDeep } from './unreadable';
import type { RawWatchEvent } from './watchEvents';

/**
 * Parses the answers to writes, and the events that repeat them word for word, before or after: each such text is
 * parsed once.
 */
export interface WriteEchoes {
  /** Makes a write; `send` reads its answer with the given function. */
  write<R extends KubernetesObject>(
    resource: ResourceType,
    send: (parse: (text: string) => R) => Promise<R>,
  ): Promise<R>;
  /** @throws SyntaxError */
  parseEvent<T extends KubernetesObject>(
    resource: ResourceType,
    line: string,
  ): RawWatchEvent<T>;
}

const CHANGE = /^\{"type":"(ADDED|MODIFIED)","object":/;

/** Creates the parser; it remembers nothing while no write is under way. */
export function createWriteEchoes(): WriteEchoes {
  const texts = createParsedTexts();
  let writes = 0;
  return {
    async write<R extends KubernetesObject>(
      resource: ResourceType,
      send: (parse: (text: string) => R) => Promise<R>,
    ) {
      writes += 1;
      try {
        // API servers end an answer with a line break.
        return await send(text => texts.parse<R>(text.trimEnd(), resource));
      } finally {
        writes -= 1;
        if (writes === 0) {
          texts.forgetAll();
        }
      }
    },
    parseEvent<T extends KubernetesObject>(
      resource: ResourceType,
      line: string,
    ) {
      const [begin, type] = (writes > 0 && CHANGE.exec(line)) || [];
      return begin
        ? {
            type,
            object: texts.parse<T>(line.slice(begin.length, -1), resource),
          }
        : parseEventOf<T>(line, resource);
    },
  };
}

function parseEventOf<T extends KubernetesObject>(
  line: string,
  { maxDepth = MAX_DEPTH }: ResourceType,
): RawWatchEvent<T> {
  return parseExactJson(
    line,
    event => {
      const { type, object } = event as RawWatchEvent<T>;
      return { type, object: tooDeep(object, maxDepth) };
    },
    // The object is one level down.
    maxDepth + 1,
  );
}
