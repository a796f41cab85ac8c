import { InputError } from '@backstage/errors';

/** Labels as an object, or as the rows of a form. */
export type MatchLabelsInput =
  Record<string, string> | { key: string; value: string }[];

/**
 * Labels as the API takes them.
 * @throws InputError when two rows ask for different values of one label: no cluster could have both
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
        `matchLabels asks for ${key}=${labels[key]} and for ${key}=${value}, which no cluster has both; leave one of them out`,
      );
    }
    labels[key] = value;
  }
  return labels;
}
