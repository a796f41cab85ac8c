import { labelValueProblem, qualifiedNameProblem } from 'apimachinery';

import { isJsonObject } from '../kubernetes/json';
import { LabelSelector } from '../kubernetes/clusterTypes';
import { matchesLabels } from '../placement/labelSelector';
import { goText, GoStringMap } from './goValues';
import { TemplateParams } from './renderTemplate';

/** True when a selector selects by anything at all. */
export function hasRequirements(selector: LabelSelector): boolean {
  return (
    Object.keys(selector.matchLabels ?? {}).length > 0 ||
    (selector.matchExpressions ?? []).length > 0
  );
}

/**
 * Why Kubernetes would not take a selector, or undefined. The values of labels
 * are restricted; those of a generator's parameters, such as URLs, are not.
 */
export function selectorMistake(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  about: 'labels' | 'parameters',
): string | undefined {
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]) => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...matchExpressions,
  ];
  for (const { key, operator, values = [] } of requirements) {
    const takesValues = operator === 'In' || operator === 'NotIn';
    if (!takesValues && operator !== 'Exists' && operator !== 'DoesNotExist') {
      return `"${operator}" is not a valid label selector operator`;
    }
    if (qualifiedNameProblem(key)) {
      return `key: Invalid value: ${JSON.stringify(key)}: it is no legal label key`;
    }
    if (takesValues && values.length === 0) {
      return `values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`;
    }
    if (!takesValues && values.length > 0) {
      return `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`;
    }
    const illegal = values.find(labelValueProblem);
    if (about === 'labels' && illegal !== undefined) {
      return `values: Invalid value: ${JSON.stringify(illegal)}: it is no legal label value`;
    }
  }
  return undefined;
}

/** Whether a generator's `selector` takes a set of parameters: it looks at them as if they were labels. */
export function selectsParams(
  selector: LabelSelector,
  params: TemplateParams,
): boolean {
  const labels: Record<string, string> = {};
  const visit = (value: unknown, path: string) => {
    const inside = (key: string | number) =>
      path ? `${path}.${key}` : `${key}`;
    if (Array.isArray(value)) {
      value.forEach((nested, index) => visit(nested, inside(index)));
    } else if (isJsonObject(value) && !(value instanceof GoStringMap)) {
      Object.entries(value).forEach(([key, nested]) =>
        visit(nested, inside(key)),
      );
    } else {
      labels[path] = goText(value);
    }
  };
  visit(params, '');
  return matchesLabels(selector, labels);
}
