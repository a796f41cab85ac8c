import { InputError } from '@backstage/errors';
import {
  isNamespaceName,
  isObjectName,
  type ObjectRef,
  type PlacementSelection,
  type PullModelApplicationSet,
  type RequestedRollingSync,
} from 'backstage-plugin-argocd-fleet-common';
import { isLabelKey, isLabelValue, MAX_LABEL } from '../model/placement';

/** In the names of an ApplicationSet's Applications: the name of the cluster. Others are not known before. */
const CLUSTER_PLACEHOLDER = '{{name}}';

/** They decide what becomes of an Application, or whose part an object is. */
const RESERVED_LABELS = [
  'apps.open-cluster-management.io/',
  'argocd.argoproj.io/',
  'app.kubernetes.io/',
];

const NAMESPACE_RULE =
  'use at most 63 lower case letters, digits and hyphens, beginning and ending with a letter or digit';
const NAME_RULE =
  'use lower case letters, digits, hyphens and dots, beginning and ending with a letter or digit';
const LABEL_RULE =
  'use at most 63 letters, digits, and - _ . between them; a key may have a DNS name and a slash in front';
const TAINT_RULE = `write key, or key=value; ${LABEL_RULE}`;

/**
 * Checks names that neither the API's schema nor the hub's API server checks well: names in the URL of a request, and
 * names that a controller would reject only later, in a status elsewhere.
 * @throws InputError with the field, its value and the rule
 */
export function checkApplicationSetRequest(
  ref: ObjectRef,
  body: PullModelApplicationSet,
): void {
  checkRef(ref);
  checkPlacementName('placement', body.placement);
  check(
    'destinationNamespace',
    body.destinationNamespace,
    isNamespaceName,
    NAMESPACE_RULE,
  );
  if (body.project !== undefined) {
    check('project', body.project, isObjectName, NAME_RULE);
  }
  if (body.applicationName !== undefined) {
    check(
      'applicationName',
      body.applicationName,
      isNameTemplate,
      `${NAME_RULE}; the only placeholder is {{name}}, for the cluster`,
    );
  }
  if (body.rollingSync) {
    checkRollingSync(body.rollingSync);
    // With it they would be Go templates, which can make any text of what was checked as another.
    for (const [field, text] of Object.entries(body.source)) {
      check(
        `source.${field}`,
        text,
        value => !value.includes('{{'),
        'it has a placeholder, which is not possible beside rollingSync; leave out one of them',
      );
    }
  }
}

/** Argo CD would sync no cluster after a step that it cannot read, and say so in a status only. */
function checkRollingSync({ label, values }: RequestedRollingSync) {
  check('rollingSync.label', label, isLabelKey, LABEL_RULE);
  check(
    'rollingSync.label',
    label,
    key => !RESERVED_LABELS.some(prefix => key.startsWith(prefix)),
    `labels of ${RESERVED_LABELS.map(prefix => prefix.slice(0, -1)).join(' and ')} have a meaning on an Application; choose another label of the clusters`,
  );
  values.forEach((value, index) => {
    check('rollingSync.values', value, isLabelValue, LABEL_RULE);
    check(
      'rollingSync.values',
      value,
      () => values.indexOf(value) === index,
      'it is there twice, and a cluster is in one step only; remove one',
    );
  });
}

/** The name of an ApplicationSet's Application on a cluster, before a request is sent. */
export function applicationNameOn(
  cluster: string,
  ref: ObjectRef,
  { applicationName }: PullModelApplicationSet,
): string {
  return (applicationName ?? `${CLUSTER_PLACEHOLDER}-${ref.name}`).replaceAll(
    CLUSTER_PLACEHOLDER,
    cluster,
  );
}

/** As {@link checkApplicationSetRequest}, for a Placement. */
export function checkPlacementRequest(
  ref: ObjectRef,
  body: PlacementSelection,
): void {
  checkRef(ref);
  checkPlacementName('name', ref.name);
  checkSelection(body);
}

/**
 * Reads the query of a preview, whose labels are `key=value`, and checks it as {@link checkPlacementRequest} does.
 * @throws InputError with the field, its value and the rule
 */
export function readSelection(
  namespace: string,
  query: Omit<PlacementSelection, 'matchLabels' | 'matchClaims'> & {
    readonly matchLabels?: readonly string[];
    readonly matchClaims?: readonly string[];
  },
): PlacementSelection {
  const selection = {
    ...query,
    matchLabels: readPairs('matchLabels', query.matchLabels),
    matchClaims: readPairs('matchClaims', query.matchClaims),
  };
  check('namespace', namespace, isNamespaceName, NAMESPACE_RULE);
  checkSelection(selection);
  return selection;
}

function readPairs(
  field: string,
  texts: readonly string[] = [],
): Record<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const [key, value, ...more] = text.split('=');
    if (value === undefined || more.length > 0) {
      throw new InputError(
        `${field}: ${JSON.stringify(text)} is invalid; write key=value`,
      );
    }
    if (pairs.has(key) && pairs.get(key) !== value) {
      throw new InputError(
        `${field}: ${JSON.stringify(key)} has two values, which no cluster can match; remove one`,
      );
    }
    pairs.set(key, value);
  }
  return Object.fromEntries(pairs);
}

function checkSelection(body: PlacementSelection) {
  for (const name of body.clusterSets ?? []) {
    check('clusterSets', name, isObjectName, NAME_RULE);
  }
  for (const field of ['matchLabels', 'matchClaims'] as const) {
    for (const [key, value] of Object.entries(body[field] ?? {})) {
      check(field, key, isLabelKey, LABEL_RULE);
      check(`${field}.${key}`, value, isLabelValue, LABEL_RULE);
    }
  }
  for (const taint of body.tolerations ?? []) {
    check('tolerations', taint, isTaint, TAINT_RULE);
  }
}

/** @throws InputError as {@link checkApplicationSetRequest} */
export function checkRef({ namespace, name }: ObjectRef) {
  check('namespace', namespace, isNamespaceName, NAMESPACE_RULE);
  check('name', name, isObjectName, NAME_RULE);
}

/**
 * A Placement's decisions have its name as a label value, so both rules apply.
 * @throws InputError as {@link checkApplicationSetRequest}
 */
export function checkPlacementName(field: string, name: string) {
  check(
    field,
    name,
    text => isObjectName(text) && isLabelValue(text),
    `${NAME_RULE}, at most ${MAX_LABEL} of them`,
  );
}

function check(
  field: string,
  value: string,
  isLegal: (text: string) => boolean,
  rule: string,
) {
  if (!isLegal(value)) {
    throw new InputError(
      `${field}: ${JSON.stringify(value)} is invalid; ${rule}`,
    );
  }
}

function isNameTemplate(text: string): boolean {
  return isObjectName(text.replaceAll(CLUSTER_PLACEHOLDER, 'x'));
}

function isTaint(text: string): boolean {
  const [key, value = '', ...more] = text.split('=');
  return isLabelKey(key) && isLabelValue(value) && more.length === 0;
}
