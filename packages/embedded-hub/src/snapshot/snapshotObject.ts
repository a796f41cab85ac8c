/** An object of a snapshot, with or without the fields that the server sets. */
export interface SnapshotObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
  };
}

/** A snapshot: the path of a file that `saveSnapshot` or `writeSnapshot` wrote, or the objects themselves. */
export type SnapshotSource =
  string | Iterable<SnapshotObject> | AsyncIterable<SnapshotObject>;

/** First line of a snapshot file. */
export interface SnapshotHead {
  readonly kind: 'HubSnapshot';
  readonly version: 1;
  /** Revision of the hub whose state this is; absent when the objects come from elsewhere. */
  readonly revision?: number;
}

/** Last line of a snapshot file; a file without it is truncated. */
export interface SnapshotEnd {
  readonly kind: 'HubSnapshotEnd';
  readonly objects: number;
}

/** A snapshot file that was written. */
export interface SavedSnapshot {
  readonly objects: number;
  /** Size of the file, after compression if any. */
  readonly bytes: number;
}
