import { SearchItem } from './searchSchema';

/** What can be wrong with a Search endpoint. */
export interface SearchTrouble {
  /** Answers every request with this status. */
  readonly refuse?: 401 | 403 | 500;
  /** Takes requests and never answers. */
  readonly hang: boolean;
  /** Keeps answering what was true when this was switched on. */
  readonly stale: boolean;
  /** Breaks every second item: fields are missing, of another type, or no JSON. */
  readonly malformed: boolean;
  /** Fails every second search of a request, which answers null and an error for it. */
  readonly halfOfBatch: boolean;
}

/** An endpoint that is as it should be. */
export const noTrouble: SearchTrouble = {
  hang: false,
  stale: false,
  malformed: false,
  halfOfBatch: false,
};

/** Every second item as no reader expects it. */
export function malformedItems(items: readonly SearchItem[]): unknown[] {
  const damages: ((item: SearchItem) => unknown)[] = [
    ({ _uid: _lost, name: _too, ...rest }) => rest,
    item => ({ ...item, _missingResources: '[{"kind":"Serv', name: 7 }),
    () => null,
    item => ({ ...item, _hostingResource: 'ApplicationSet', cluster: null }),
  ];
  return items.map((item, index) =>
    index % 2 === 0
      ? item
      : damages[Math.floor(index / 2) % damages.length](item),
  );
}
