/** What of Search's answers could not be read: its kind. */
export type SkippedKind = 'application' | 'related' | 'condition' | 'missing';

/** Counts what could not be read, and keeps the first of it to show. */
export interface SkippedItems {
  add(kind: SkippedKind, thing: unknown): void;
  /** Adds what another count has. */
  include(other: SkippedItems): void;
  readonly counts: ReadonlyMap<SkippedKind, number>;
  /** Of the first one, as JSON and no longer than a line or two; undefined where everything could be read. */
  readonly example?: string;
}

const EXAMPLE_LENGTH = 300;

/** Creates an empty count. */
export function createSkippedItems(): SkippedItems {
  const counts = new Map<SkippedKind, number>();
  let example: string | undefined;
  return {
    counts,
    get example() {
      return example;
    },
    include(other) {
      other.counts.forEach((count, kind) =>
        counts.set(kind, (counts.get(kind) ?? 0) + count),
      );
      example ??= other.example;
    },
    add(kind, thing) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      example ??= `${kind}: ${JSON.stringify(thing)?.slice(0, EXAMPLE_LENGTH)}`;
    },
  };
}
