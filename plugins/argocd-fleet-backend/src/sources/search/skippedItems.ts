/** Kinds of malformed items in Search's answers. */
export type SkippedKind = 'application' | 'related' | 'condition' | 'missing';

/** Counts malformed items, and keeps the first as an example. */
export interface SkippedItems {
  add(kind: SkippedKind, item: unknown): void;
  /** Adds the counts of another one. */
  include(other: SkippedItems): void;
  readonly counts: ReadonlyMap<SkippedKind, number>;
  /** The first one as JSON, at most 300 characters after its kind; undefined where nothing was skipped. */
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
    add(kind, item) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      example ??= `${kind}: ${JSON.stringify(item)?.slice(0, EXAMPLE_LENGTH)}`;
    },
  };
}
