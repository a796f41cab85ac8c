import { NonResourceAttributes, ResourceAttributes } from '../api/access';

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const ALL = '*';

function has(values: readonly string[] | undefined, value: string): boolean {
  return values?.some(each => each === ALL || each === value) ?? false;
}

function coversPath(
  patterns: readonly string[] | undefined,
  path: string,
): boolean {
  return (
    patterns?.some(
      pattern =>
        pattern === path ||
        (pattern.endsWith(ALL) && path.startsWith(pattern.slice(0, -1))),
    ) ?? false
  );
}

/**
 * `<resource>/<subresource>` is allowed by that name or by a star in place of the resource, not by the resource alone.
 */
function coversResource(rule: PolicyRule, resource: string): boolean {
  const [, subresource] = resource.split('/');
  return (
    has(rule.resources, resource) ||
    (subresource !== undefined &&
      (rule.resources?.includes(`${ALL}/${subresource}`) ?? false))
  );
}

function coversName(rule: PolicyRule, name: string): boolean {
  return !rule.resourceNames?.length || rule.resourceNames.includes(name);
}

/** Whether the rule allows a request. */
export function ruleAllows(
  rule: PolicyRule,
  attributes: ResourceAttributes | NonResourceAttributes,
): boolean {
  if (!has(rule.verbs, attributes.verb)) {
    return false;
  }
  if ('path' in attributes) {
    return coversPath(rule.nonResourceURLs, attributes.path);
  }
  const { group, resource, subresource, name } = attributes;
  return (
    has(rule.apiGroups, group) &&
    coversResource(
      rule,
      subresource ? `${resource}/${subresource}` : resource,
    ) &&
    coversName(rule, name)
  );
}

/** Splits a rule into rules of one verb on one resource, one object or one path. */
function splitRule(rule: PolicyRule): PolicyRule[] {
  const { verbs = [], apiGroups = [], resources = [] } = rule;
  const names = rule.resourceNames?.length ? rule.resourceNames : [undefined];
  return verbs.flatMap(verb => [
    ...apiGroups.flatMap(group =>
      resources.flatMap(resource =>
        names.map(name => ({
          apiGroups: [group],
          resources: [resource],
          ...(name === undefined ? {} : { resourceNames: [name] }),
          verbs: [verb],
        })),
      ),
    ),
    ...(rule.nonResourceURLs ?? []).map(url => ({
      nonResourceURLs: [url],
      verbs: [verb],
    })),
  ]);
}

/** Whether a rule allows all that another one does, which is a result of {@link splitRule}. */
function covers(rule: PolicyRule, single: PolicyRule): boolean {
  const [verb] = single.verbs!;
  if (!has(rule.verbs, verb)) {
    return false;
  }
  if (single.nonResourceURLs) {
    return coversPath(rule.nonResourceURLs, single.nonResourceURLs[0]);
  }
  return (
    has(rule.apiGroups, single.apiGroups![0]) &&
    coversResource(rule, single.resources![0]) &&
    (single.resourceNames
      ? coversName(rule, single.resourceNames[0])
      : !rule.resourceNames?.length)
  );
}

/** The part of the rules in `granted` that those in `held` do not allow; one rule for all verbs of a resource. */
export function rulesNotCovered(
  held: readonly PolicyRule[],
  granted: readonly PolicyRule[],
): PolicyRule[] {
  const missing = new Map<string, PolicyRule>();
  for (const single of granted.flatMap(splitRule)) {
    if (!held.some(rule => covers(rule, single))) {
      const { verbs, ...target } = single;
      const key = JSON.stringify(target);
      const before = missing.get(key)?.verbs ?? [];
      missing.set(key, { ...target, verbs: [...before, ...verbs!] });
    }
  }
  return [...missing.values()];
}

const GO_NAMES = {
  apiGroups: 'APIGroups',
  resources: 'Resources',
  nonResourceURLs: 'NonResourceURLs',
  resourceNames: 'ResourceNames',
  verbs: 'Verbs',
} as const;

/** Strings as Go prints them: `["get" "list"]`. */
export function quotedList(values: readonly string[]): string {
  return `[${values.map(value => JSON.stringify(value)).join(' ')}]`;
}

/** A rule as Kubernetes prints it in errors. */
export function ruleText(rule: PolicyRule): string {
  const parts = (Object.keys(GO_NAMES) as (keyof typeof GO_NAMES)[]).flatMap(
    field =>
      rule[field]?.length
        ? [`${GO_NAMES[field]}:${quotedList(rule[field])}`]
        : [],
  );
  return `{${parts.join(', ')}}`;
}
