import { SearchInput, SearchItem } from './searchSchema';

/** Search's limit for an input without one. */
const DEFAULT_LIMIT = 10_000;

/** The result of one search. */
export interface SearchAnswer {
  /** The number of matching items, regardless of the limit. */
  count: number;
  items: SearchItem[];
  related: { kind: string; count: number; items: SearchItem[] }[];
}

/** Runs one search over the index. */
export function runSearch(
  input: SearchInput,
  index: readonly SearchItem[],
): SearchAnswer {
  const found = index.filter(
    item => matchesFilters(item, input) && matchesKeywords(item, input),
  );
  const limit = input.limit ?? DEFAULT_LIMIT;
  const items = limit < 0 ? found : found.slice(0, limit || DEFAULT_LIMIT);
  return {
    count: found.length,
    items,
    related: relatedTo(items, index, input.relatedKinds ?? [], limit),
  };
}

function matchesFilters(item: SearchItem, { filters }: SearchInput): boolean {
  return (filters ?? []).every(({ property, values }) => {
    const desired = values.filter(value => value !== null);
    const allowed = desired.filter(value => !value.startsWith('!'));
    const excluded = desired
      .filter(value => value.startsWith('!'))
      .map(value => value.slice(1));
    const has = (value: string) => hasValue(item, property, value);
    return (allowed.length === 0 || allowed.some(has)) && !excluded.some(has);
  });
}

function hasValue(item: SearchItem, property: string, value: string): boolean {
  const actual = item[property];
  if (property === 'label') {
    return String(actual ?? '')
      .split('; ')
      .includes(value);
  }
  // Kind is the only property that Search compares case-insensitively.
  return property === 'kind'
    ? String(actual).toLowerCase() === value.toLowerCase()
    : String(actual ?? '') === value;
}

function matchesKeywords(item: SearchItem, { keywords }: SearchInput): boolean {
  return (keywords ?? []).every(keyword =>
    Object.values(item).some(value =>
      String(value)
        .toLowerCase()
        .includes((keyword ?? '').toLowerCase()),
    ),
  );
}

function relatedTo(
  items: readonly SearchItem[],
  index: readonly SearchItem[],
  kinds: readonly (string | null)[],
  limit: number,
): SearchAnswer['related'] {
  const uids = new Set(items.map(({ _uid }) => _uid));
  const clusters = new Set(items.map(({ cluster }) => cluster));
  const desired = new Set(kinds.map(kind => kind?.toLowerCase()));
  const byKind = new Map<string, SearchItem[]>();
  let count = 0;
  for (const item of index) {
    const { _relatedUids: related, kind, cluster } = item;
    const isRelated = Array.isArray(related)
      ? related.some(uid => uids.has(uid))
      : // Every item is related to its cluster.
        kind === 'Cluster' && clusters.has(cluster);
    const name = String(kind);
    // The limit applies to all related items together, not to each kind.
    if (
      isRelated &&
      (limit < 0 || count < (limit || DEFAULT_LIMIT)) &&
      (desired.size === 0 || desired.has(name.toLowerCase()))
    ) {
      count += 1;
      const known = byKind.get(name);
      if (known) {
        known.push(item);
      } else {
        byKind.set(name, [item]);
      }
    }
  }
  return [...byKind].map(([kind, found]) => ({
    kind,
    count: found.length,
    items: found,
  }));
}
