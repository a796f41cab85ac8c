/**
 * Changes of the details that resource sources add to Applications; the details themselves are read through the reader.
 */
export interface ResourceDetails {
  /** Loads the stored details: without them, states would seem to change with each start. */
  refresh(): Promise<void>;
  /** Calls back with the keys of Applications whose details have changed. */
  onChange(listener: (keys: readonly string[]) => void): () => void;
}
