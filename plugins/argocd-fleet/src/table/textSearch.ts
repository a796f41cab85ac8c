/** Compares names with their numbers in numeric order: `edge2` before `edge10`. */
export const BY_NAME = new Intl.Collator(undefined, { numeric: true });

/** Labels as people write them: `key=value`. */
export function labelTexts(labels: Readonly<Record<string, string>> = {}) {
  return Object.entries(labels).map(([key, value]) => `${key}=${value}`);
}

/**
 * A test for a search text: each of its words must occur in one of the texts, whatever their case. An empty search text
 * matches everything, without reading the texts.
 */
export function matcherOf(
  search = '',
): (texts: () => readonly (string | undefined)[]) => boolean {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return texts => {
    if (words.length === 0) {
      return true;
    }
    const searched = texts().join(' ').toLocaleLowerCase();
    return words.every(word => searched.includes(word));
  };
}
