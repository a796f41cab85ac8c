/**
 * Parses a whole number that a cluster sent as text. Undefined for other text, and for a number of more than nine
 * digits, which JSON or a database might not hold.
 */
export function parseWholeNumber(text: string | undefined): number | undefined {
  return text && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
