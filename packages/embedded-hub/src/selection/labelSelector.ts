import { labelValueProblem, qualifiedNameProblem } from 'apimachinery';
import { badRequest } from '../api/statusErrors';
import { KubernetesObject } from '../api/kubernetesObject';

type Labels = { [key: string]: string };
type Requirement = (labels: Labels) => boolean;

const SET_BASED = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/;
const EQUALITY = /^([^=!<>\s]+)\s*(==|=|!=)\s*([^=!<>\s]*)$/;
const COMPARISON = /^([^=!<>\s]+)\s*([<>])\s*(-?\d+)$/;
const EXISTENCE = /^(!?)\s*([^=!<>\s(),]+)$/;

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}

/** Splits at the commas outside of value lists. */
function splitRequirements(selector: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < selector.length; i++) {
    const character = selector[i];
    if (character === '(') {
      depth += 1;
    } else if (character === ')') {
      depth -= 1;
    } else if (character === ',' && depth === 0) {
      parts.push(selector.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(selector.slice(start));
  return parts.map(part => part.trim());
}

function checkedKey(key: string): string {
  const problem = qualifiedNameProblem(key, 'a valid label key');
  if (problem) {
    throw unparsable(`<nil>: Invalid value: "${key}": ${problem}`);
  }
  return key;
}

function checkedValue(value: string, key: string): string {
  const problem = labelValueProblem(value);
  if (problem) {
    throw badRequest(
      `unable to parse requirement: values[0][${key}]: Invalid value: "${value}": ${problem}`,
    );
  }
  return value;
}

function parseRequirement(text: string): Requirement {
  const setBased = SET_BASED.exec(text);
  if (setBased) {
    const key = checkedKey(setBased[1]);
    const values = new Set(
      setBased[3].split(',').map(value => checkedValue(value.trim(), key)),
    );
    return setBased[2] === 'in'
      ? labels => key in labels && values.has(labels[key])
      : labels => !(key in labels) || !values.has(labels[key]);
  }
  const equality = EQUALITY.exec(text);
  if (equality) {
    const key = checkedKey(equality[1]);
    const value = checkedValue(equality[3], key);
    return equality[2] === '!='
      ? labels => labels[key] !== value
      : labels => labels[key] === value;
  }
  const comparison = COMPARISON.exec(text);
  if (comparison) {
    const key = checkedKey(comparison[1]);
    const bound = Number(comparison[3]);
    return labels =>
      /^-?\d+$/.test(labels[key] ?? '') &&
      (comparison[2] === '>'
        ? Number(labels[key]) > bound
        : Number(labels[key]) < bound);
  }
  const existence = EXISTENCE.exec(text);
  if (existence) {
    const key = checkedKey(existence[2]);
    return existence[1] ? labels => !(key in labels) : labels => key in labels;
  }
  throw unparsable(
    `found '${text}', expected: a key, optionally followed by =, ==, !=, in, notin, < or >`,
  );
}

/**
 * Compiles the `labelSelector` parameter of a list: equality, set-based, existence and comparison requirements. Returns
 * undefined when it selects all objects.
 *
 * @throws ApiError 400 when it cannot be parsed.
 */
export function compileLabelSelector(
  selector: string,
): ((object: KubernetesObject) => boolean) | undefined {
  if (!selector.trim()) {
    return undefined;
  }
  const requirements = splitRequirements(selector).map(parseRequirement);
  const none: Labels = {};
  return object => {
    const labels = object.metadata.labels ?? none;
    return requirements.every(matches => matches(labels));
  };
}
