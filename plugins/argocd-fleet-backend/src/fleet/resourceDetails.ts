/** Tells when more is known of Applications than their hub holds; what it is comes with what the reader reads. */
export interface ResourceDetails {
  /** Takes up what is known already: without it, states would seem to change with each start. */
  refresh(): Promise<void>;
  /** Calls back with the keys of Applications about which something new is known. */
  onChange(listener: (keys: readonly string[]) => void): () => void;
}
