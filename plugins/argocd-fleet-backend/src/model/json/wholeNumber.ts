/** Reads a whole number that a cluster sent as text. Undefined for anything else, and for one that JSON or a database could not hold. */
export function parseWholeNumber(text: string | undefined): number | undefined {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
