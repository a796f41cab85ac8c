import type { LabelSelector } from 'backstage-plugin-argocd-fleet-common';

type Requirement = NonNullable<LabelSelector['matchExpressions']>[number];

/** Longest selector that is read, and most requirements in one. */
const MAX_LENGTH = 2_048;
const MAX_REQUIREMENTS = 32;

const KEY =
  /^(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^(?:[A-Za-z0-9](?:[-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?)?$/;

const SET_FORM =
  /^(?<key>\S+)\s+(?<operator>in|notin)\s*\((?<values>[^()]*)\)$/;
const EQUAL_FORM = /^(?<key>[^=!\s]+)\s*(?<operator>==?|!=)\s*(?<value>\S*)$/;

/**
 * Reads a label selector as `kubectl -l` and the Argo CD API do: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`,
 * with commas between. Spaces and empty parts are ignored.
 * @returns the selector, or what is wrong with the text
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function parseLabelSelector(text: string): LabelSelector | string {
  if (text.length > MAX_LENGTH) {
    return `is longer than ${MAX_LENGTH} characters`;
  }
  const parts = (text.match(/(?:[^,()]|\([^()]*\)?)+|\)/g) ?? [])
    .map(part => part.trim())
    .filter(part => part !== '');
  if (parts.length === 0) {
    return 'is empty';
  }
  if (parts.length > MAX_REQUIREMENTS) {
    return `has more than ${MAX_REQUIREMENTS} requirements`;
  }
  const requirements: Requirement[] = [];
  for (const part of parts) {
    const requirement = requirementOf(part);
    if (!requirement) {
      return `cannot be read at “${part}”`;
    }
    requirements.push(requirement);
  }
  return requirements.some(isPositive)
    ? { matchExpressions: requirements }
    : 'only excludes, and so would select nearly everything: name a label that is there too';
}

/** Whether a label has to be there, so that it finds what has it. */
export function isPositive({ operator }: Requirement): boolean {
  return operator === 'In' || operator === 'Exists';
}

function requirementOf(part: string): Requirement | undefined {
  const set = SET_FORM.exec(part)?.groups;
  if (set) {
    const values = set.values.split(',').map(value => value.trim());
    const named = values.filter(value => value !== '');
    return named.length > 0
      ? checked(set.key, set.operator === 'in' ? 'In' : 'NotIn', named)
      : undefined;
  }
  const equal = EQUAL_FORM.exec(part)?.groups;
  if (equal) {
    return checked(equal.key, equal.operator === '!=' ? 'NotIn' : 'In', [
      equal.value,
    ]);
  }
  return part.startsWith('!')
    ? checked(part.slice(1).trim(), 'DoesNotExist', [])
    : checked(part, 'Exists', []);
}

function checked(
  key: string,
  operator: string,
  values: readonly string[],
): Requirement | undefined {
  return KEY.test(key) && values.every(value => VALUE.test(value))
    ? { key, operator, values }
    : undefined;
}
