/** A field manager that wrote an object's spec. */
export interface SpecWriter {
  readonly manager: string;
  /** RFC 3339. */
  readonly at: string;
}

/** The fields of one entry of `managedFields` that are read here. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/**
 * The last other writer of an object's spec since `manager` last wrote any of the object; undefined where there is
 * none, or `manager` never wrote it. Times have whole seconds: a write in the same second does not count as later.
 * @see https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management
 */
export function specWriterAfter(
  manager: string,
  entries: readonly ManagedFields[],
): SpecWriter | undefined {
  const own = entries
    .filter(entry => entry.manager === manager)
    .map(({ time }) => Date.parse(time ?? ''));
  const since = Math.max(...own);
  const [latest] = entries
    .filter(
      entry =>
        entry.manager !== manager &&
        !entry.subresource &&
        entry.fieldsV1?.['f:spec'] !== undefined &&
        Date.parse(entry.time ?? '') > since,
    )
    .map(entry => ({ manager: entry.manager ?? '', at: entry.time ?? '' }))
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return own.length > 0 ? latest : undefined;
}

/**
 * Who empties or replaces what `manager` writes into an object's status, as far as its managed fields tell: the last other
 * writer of the status, or, where the status is empty, the last other writer of the object. Removing a field leaves no
 * trace, so the latter is likely, not certain.
 * @param isEmpty - whether the status has nothing that `manager` writes
 */
export function statusWriter(
  manager: string,
  entries: readonly ManagedFields[],
  isEmpty: boolean,
): string | undefined {
  const others = entries
    .filter(entry => entry.manager && entry.manager !== manager)
    .sort((a, b) => Date.parse(b.time ?? '') - Date.parse(a.time ?? ''));
  const ofStatus = others.find(
    ({ fieldsV1 }) => fieldsV1?.['f:status'] !== undefined,
  );
  return (ofStatus ?? (isEmpty ? others[0] : undefined))?.manager;
}
