import { InputError } from '@backstage/errors';

/** Labels as an object, or as a form provides them: `key=value`. */
export type MatchLabelsInput = Record<string, string> | string[];

/**
 * Converts labels to the object that the API expects.
 * @throws InputError for a label without a value, and where two have different values, which no cluster can match
 */
export function readMatchLabels(
  input: MatchLabelsInput | undefined,
): Record<string, string> {
  if (!Array.isArray(input)) {
    return input ?? {};
  }
  const labels: Record<string, string> = {};
  for (const label of input) {
    const [key, value, ...more] = label.split('=').map(part => part.trim());
    if (!key || value === undefined || more.length > 0) {
      throw new InputError(
        `matchLabels contains ${JSON.stringify(label)}; write each label as key=value, for example region=eu-west-1`,
      );
    }
    if (labels[key] !== undefined && labels[key] !== value) {
      throw new InputError(
        `matchLabels requires both ${key}=${labels[key]} and ${key}=${value}, which no cluster can match; remove one of them`,
      );
    }
    labels[key] = value;
  }
  return labels;
}
