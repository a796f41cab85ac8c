import { SearchItem } from './searchSchema';

/** Faults of a Search endpoint. */
export interface SearchFaults {
  /** Responds to every request with this status. */
  readonly refuse?: 401 | 403 | 500;
  /** Accepts requests and never responds. */
  readonly hang: boolean;
  /** Keeps returning the items of the time when this was switched on. */
  readonly stale: boolean;
  /** Damages every second item: fields are missing, have another type, or are invalid JSON. */
  readonly malformed: boolean;
  /** Fails every second search of a request: its result is null with an error. */
  readonly halfOfBatch: boolean;
}

/** The faults of a working endpoint. */
export const noFaults: SearchFaults = {
  hang: false,
  stale: false,
  malformed: false,
  halfOfBatch: false,
};

/** The items, every second one damaged. */
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
