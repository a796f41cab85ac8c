import { ApplicationTemplate } from '../kubernetes/argocdTypes';
import { isJsonObject } from '../kubernetes/json';

/**
 * A generator's own template with the ApplicationSet's put into everything
 * that it leaves empty, field by field. Lists, and Helm's `valuesObject`, are
 * taken whole from one of the two.
 */
export function overriddenTemplate(
  own: ApplicationTemplate | undefined,
  common: ApplicationTemplate,
): ApplicationTemplate {
  return own ? (filled(own, common) as ApplicationTemplate) : common;
}

function filled(own: unknown, common: unknown, field?: string): unknown {
  if (isEmpty(own)) {
    return common === undefined ? own : common;
  }
  if (!isJsonObject(own) || !isJsonObject(common) || field === 'valuesObject') {
    return own;
  }
  const result = { ...own };
  for (const [key, value] of Object.entries(common)) {
    result[key] = filled(own[key], value, key);
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
