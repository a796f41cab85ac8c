import { isJsonObject } from 'apimachinery';
import { KubernetesObject } from '../api/kubernetesObject';
import { ResourceDefinition } from '../resources/resourceDefinition';
import { badRequest } from '../api/statusErrors';

const TERM = /^([^=!]+)(==|!=|=)(.*)$/s;

/** Fields that are selectable in every resource. */
const METADATA_FIELDS = ['metadata.name', 'metadata.namespace'];

/** Splits at unescaped commas and removes the escapes. */
function splitTerms(selector: string): string[] {
  const terms: string[] = [];
  let term = '';
  for (let i = 0; i < selector.length; i++) {
    if (selector[i] === '\\' && i + 1 < selector.length) {
      i += 1;
      term += selector[i];
    } else if (selector[i] === ',') {
      terms.push(term);
      term = '';
    } else {
      term += selector[i];
    }
  }
  terms.push(term);
  return terms.filter(text => text !== '');
}

/** The value at a dotted path as a string, which field selectors compare. */
export function fieldText(object: KubernetesObject, path: string): string {
  let value: unknown = object;
  for (const part of path.split('.')) {
    value = isJsonObject(value) ? value[part] : undefined;
  }
  return value === undefined || value === null ? '' : String(value);
}

/** Compiles `fieldSelector`. @throws ApiError 400 for fields that are not selectable. */
export function compileFieldSelector(
  selector: string,
  resource: ResourceDefinition,
): ((object: KubernetesObject) => boolean) | undefined {
  const terms = splitTerms(selector).map(text => {
    const match = TERM.exec(text);
    if (!match) {
      throw badRequest(
        `invalid selector: '${selector}'; can't understand '${text}'`,
      );
    }
    const [, path, operator, expected] = match;
    if (
      !METADATA_FIELDS.includes(path) &&
      !resource.selectableFields.includes(path)
    ) {
      throw badRequest(
        resource.custom || resource.selectableFields.length > 0
          ? `field label not supported: ${path}`
          : `"${path}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
      );
    }
    return { path, negated: operator === '!=', expected };
  });
  if (terms.length === 0) {
    return undefined;
  }
  return object =>
    terms.every(
      term => (fieldText(object, term.path) === term.expected) !== term.negated,
    );
}

/** The name that a field selector requires, if any: such a list needs no scan. */
export function selectedName(selector: string): string | undefined {
  for (const term of splitTerms(selector)) {
    const match = TERM.exec(term);
    if (match && match[1] === 'metadata.name' && match[2] !== '!=') {
      return match[3];
    }
  }
  return undefined;
}
