/** An object of a snapshot: as the API shows it, or without what the server would have given it. */
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

/** What a hub can start from: a file that `saveSnapshot` or `writeSnapshot` made, or the objects themselves. */
export type SnapshotSource =
  string | Iterable<SnapshotObject> | AsyncIterable<SnapshotObject>;

/** First line of a snapshot file. */
export interface SnapshotHead {
  readonly kind: 'HubSnapshot';
  readonly version: 1;
  /** Revision of the hub that was saved, whose whole state this is; absent when the objects come from elsewhere. */
  readonly revision?: number;
}

/** Last line of a snapshot file: without it, the file was cut short. */
export interface SnapshotEnd {
  readonly kind: 'HubSnapshotEnd';
  readonly objects: number;
}

/** What was written. */
export interface SavedSnapshot {
  readonly objects: number;
  /** Size of the file, compressed if it is. */
  readonly bytes: number;
}
