/** Somebody who wrote an object's spec. */
export interface SpecWriter {
  readonly manager: string;
  /** RFC 3339. */
  readonly at: string;
}

/** One entry of an object's `managedFields`, as far as it is read here. */
export interface ManagedFields {
  readonly manager?: string;
  readonly operation?: string;
  readonly time?: string;
  readonly subresource?: string;
  readonly fieldsV1?: Readonly<Record<string, unknown>>;
}

/**
 * Who else wrote the spec of an object since `manager` last wrote anything of it; undefined where nobody did, or `manager` never
 * wrote it. Times have whole seconds: within the same second, nobody is taken to be the later one.
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
