import type { KubernetesObject } from 'backstage-plugin-argocd-fleet-common';
import type { ResourceType } from './client';
import { parseObject } from './unreadable';

/**
 * Parses the texts of objects, of which many arrive twice within a moment: a watch repeats the answer to a write word for
 * word.
 */
export interface ParsedTexts {
  /**
   * As `parseObject`; the second time it may return the same value for the same text, so that no caller may change it.
   * @throws SyntaxError
   */
  parse<T extends KubernetesObject>(
    text: string,
    resource?: Pick<ResourceType, 'maxDepth'>,
  ): T;
  forgetAll(): void;
}

/** More than there are concurrent writes. */
const MAX_TEXTS = 32;

/** Creates the parser; it remembers no text yet. */
export function createParsedTexts(): ParsedTexts {
  const recent: { readonly text: string; readonly value: unknown }[] = [];
  return {
    parse<T extends KubernetesObject>(
      text: string,
      resource?: Pick<ResourceType, 'maxDepth'>,
    ) {
      const index = recent.findIndex(parsed => parsed.text === text);
      if (index >= 0) {
        // A text never arrives a third time.
        const [{ value }] = recent.splice(index, 1);
        return value as T;
      }
      const value = parseObject<T>(text, resource);
      recent.push({ text, value });
      if (recent.length > MAX_TEXTS) {
        recent.shift();
      }
      return value;
    },
    forgetAll() {
      recent.length = 0;
    },
  };
}
