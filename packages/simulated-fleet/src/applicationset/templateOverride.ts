import { ApplicationTemplate } from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';

/**
 * Merges a generator's own template with the ApplicationSet's: each empty field
 * of the former gets the value of the latter. Lists and Helm's `valuesObject`
 * are not merged but taken from one of the two.
 */
export function mergeTemplates(
  own: ApplicationTemplate | undefined,
  common: ApplicationTemplate,
): ApplicationTemplate {
  return own ? (mergeField(own, common) as ApplicationTemplate) : common;
}

function mergeField(own: unknown, common: unknown, field?: string): unknown {
  if (isEmpty(own)) {
    return common === undefined ? own : common;
  }
  if (!isJsonObject(own) || !isJsonObject(common) || field === 'valuesObject') {
    return own;
  }
  const result = { ...own };
  for (const [key, value] of Object.entries(common)) {
    result[key] = mergeField(own[key], value, key);
  }
  return result;
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && value.length === 0) ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  );
}
