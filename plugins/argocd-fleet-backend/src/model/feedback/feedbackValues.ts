import type { FeedbackName } from './feedbackRules';
import type { ManifestStatus } from './workStatus';

/** The values that the agent reports by feedback rules. */
export type FeedbackValues = Readonly<Partial<Record<FeedbackName, string>>>;

/** The texts among the feedback values, by name; without empty ones. */
export function feedbackValues(
  manifest: ManifestStatus | undefined,
): FeedbackValues {
  const values: Record<string, string> = {};
  for (const { name, fieldValue } of manifest?.statusFeedback?.values ?? []) {
    if (fieldValue.string) {
      values[name] = fieldValue.string;
    }
  }
  return values;
}

/** By default, an agent sends no more than 1,024 bytes of JSON: more values are no list of resources. */
const MAX_VALUES = 1_000;

/** The texts and whole numbers of one name. An agent can be configured to send all matches of a path, as JSON. */
export function valuesNamed(
  manifest: ManifestStatus | undefined,
  name: string,
): readonly (string | number)[] {
  const found = manifest?.statusFeedback?.values?.find(
    value => value.name === name,
  );
  const { string, integer, jsonRaw } = found?.fieldValue ?? {};
  const values: unknown = jsonRaw ? parseJson(jsonRaw) : [string ?? integer];
  return Array.isArray(values)
    ? values
        .slice(0, MAX_VALUES)
        .filter(value => ['string', 'number'].includes(typeof value))
    : [];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // An agent's value is unchecked input, and an invalid one must not affect the others.
    return undefined;
  }
}
