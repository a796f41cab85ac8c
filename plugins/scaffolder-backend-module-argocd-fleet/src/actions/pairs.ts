import { InputError } from '@backstage/errors';

/** Values by their keys as an object, or as a form provides them: `key=value`. */
export type PairsInput = Record<string, string> | string[];

/** Of each field, what its message shows. */
const EXAMPLES = {
  matchLabels: 'region=eu-west-1',
  matchClaims: 'platform.open-cluster-management.io=AWS',
};

/**
 * Converts labels or claims to the object that the API expects.
 * @throws InputError for one without a value, and where two have different values, which no cluster can match
 */
export function readPairs(
  field: keyof typeof EXAMPLES,
  input: PairsInput | undefined,
): Record<string, string> {
  if (!Array.isArray(input)) {
    return input ?? {};
  }
  const pairs: Record<string, string> = {};
  for (const text of input) {
    const [key, value, ...more] = text.split('=').map(part => part.trim());
    if (!key || value === undefined || more.length > 0) {
      throw new InputError(
        `${field} contains ${JSON.stringify(text)}; write each as key=value, for example ${EXAMPLES[field]}`,
      );
    }
    if (pairs[key] !== undefined && pairs[key] !== value) {
      throw new InputError(
        `${field} requires both ${key}=${pairs[key]} and ${key}=${value}, which no cluster can match; remove one of them`,
      );
    }
    pairs[key] = value;
  }
  return pairs;
}
