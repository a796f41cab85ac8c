import { InputError } from '@backstage/errors';

/** Labels as an object, or as rows of a form. */
export type MatchLabelsInput =
  Record<string, string> | { key: string; value: string }[];

/**
 * Converts labels to the object that the API expects.
 * @throws InputError when two rows have different values for one label, which no cluster can match
 */
export function readMatchLabels(
  input: MatchLabelsInput | undefined,
): Record<string, string> {
  if (!Array.isArray(input)) {
    return input ?? {};
  }
  const labels: Record<string, string> = {};
  for (const { key, value } of input) {
    if (labels[key] !== undefined && labels[key] !== value) {
      throw new InputError(
        `matchLabels requires both ${key}=${labels[key]} and ${key}=${value}, which no cluster can match; remove one of them`,
      );
    }
    labels[key] = value;
  }
  return labels;
}
