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

/** A subresource is allowed by its own name or by that of the subresource everywhere, and not by its resource's name alone. */
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

/** Whether the rule allows what is wanted. */
export function ruleAllows(
  rule: PolicyRule,
  wanted: ResourceAttributes | NonResourceAttributes,
): boolean {
  if (!has(rule.verbs, wanted.verb)) {
    return false;
  }
  if ('path' in wanted) {
    return coversPath(rule.nonResourceURLs, wanted.path);
  }
  const { group, resource, subresource, name } = wanted;
  return (
    has(rule.apiGroups, group) &&
    coversResource(
      rule,
      subresource ? `${resource}/${subresource}` : resource,
    ) &&
    coversName(rule, name)
  );
}

/** A rule that allows one thing: one verb on one resource, one object of it, or one path. */
function singleRights(rule: PolicyRule): PolicyRule[] {
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

function covers(rule: PolicyRule, right: PolicyRule): boolean {
  const [verb] = right.verbs!;
  if (!has(rule.verbs, verb)) {
    return false;
  }
  if (right.nonResourceURLs) {
    return coversPath(rule.nonResourceURLs, right.nonResourceURLs[0]);
  }
  return (
    has(rule.apiGroups, right.apiGroups![0]) &&
    coversResource(rule, right.resources![0]) &&
    (right.resourceNames
      ? coversName(rule, right.resourceNames[0])
      : !rule.resourceNames?.length)
  );
}

/** What the rules in `wanted` allow and those in `held` do not; the verbs of one resource together. */
export function rightsBeyond(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): PolicyRule[] {
  const beyond = new Map<string, PolicyRule>();
  for (const right of wanted.flatMap(singleRights)) {
    if (!held.some(rule => covers(rule, right))) {
      const { verbs, ...what } = right;
      const key = JSON.stringify(what);
      const before = beyond.get(key)?.verbs ?? [];
      beyond.set(key, { ...what, verbs: [...before, ...verbs!] });
    }
  }
  return [...beyond.values()];
}

const SHOWN = {
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

/** A rule as Kubernetes shows it in its refusals. */
export function ruleText(rule: PolicyRule): string {
  const parts = (Object.keys(SHOWN) as (keyof typeof SHOWN)[]).flatMap(field =>
    rule[field]?.length ? [`${SHOWN[field]}:${quotedList(rule[field])}`] : [],
  );
  return `{${parts.join(', ')}}`;
}
