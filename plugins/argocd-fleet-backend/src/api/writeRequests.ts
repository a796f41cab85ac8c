import { InputError } from '@backstage/errors';
import {
  isNamespaceName,
  isObjectName,
  type ObjectRef,
  type PlacementSelection,
  type PullModelApplicationSet,
} from 'backstage-plugin-argocd-fleet-common';

/** Longest label value, and longest name part of a label's key. */
const MAX_LABEL = 63;
/** In the names of an ApplicationSet's Applications: the name of the cluster. Others are not known before. */
const CLUSTER_PLACEHOLDER = '{{name}}';
const LABEL_TEXT = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const NAMESPACE_RULE =
  'use at most 63 lower case letters, digits and hyphens, beginning and ending with a letter or digit';
const NAME_RULE =
  'use lower case letters, digits, hyphens and dots, beginning and ending with a letter or digit';
const LABEL_RULE =
  'use at most 63 letters, digits, and - _ . between them; a key may have a DNS name and a slash in front';

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
  query: Omit<PlacementSelection, 'matchLabels'> & {
    readonly matchLabels?: readonly string[];
  },
): PlacementSelection {
  const labels = new Map<string, string>();
  for (const label of query.matchLabels ?? []) {
    const [key, value, ...more] = label.split('=');
    if (value === undefined || more.length > 0) {
      throw new InputError(
        `matchLabels: ${JSON.stringify(label)} is invalid; write key=value`,
      );
    }
    if (labels.has(key) && labels.get(key) !== value) {
      throw new InputError(
        `matchLabels: ${JSON.stringify(key)} has two values, which no cluster can match; remove one`,
      );
    }
    labels.set(key, value);
  }
  const selection = { ...query, matchLabels: Object.fromEntries(labels) };
  check('namespace', namespace, isNamespaceName, NAMESPACE_RULE);
  checkSelection(selection);
  return selection;
}

function checkSelection(body: PlacementSelection) {
  for (const name of body.clusterSets ?? []) {
    check('clusterSets', name, isObjectName, NAME_RULE);
  }
  for (const [key, value] of Object.entries(body.matchLabels ?? {})) {
    check('matchLabels', key, isLabelKey, LABEL_RULE);
    check(`matchLabels.${key}`, value, isLabelValue, LABEL_RULE);
  }
}

/** @throws InputError as {@link checkApplicationSetRequest} */
export function checkRef({ namespace, name }: ObjectRef) {
  check('namespace', namespace, isNamespaceName, NAMESPACE_RULE);
  check('name', name, isObjectName, NAME_RULE);
}

/** A Placement's decisions have its name as a label value, so both rules apply. */
function checkPlacementName(field: string, name: string) {
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

function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= MAX_LABEL && LABEL_TEXT.test(text));
}

function isLabelKey(text: string): boolean {
  const parts = text.split('/');
  const name = parts.pop() ?? '';
  return (
    name !== '' &&
    isLabelValue(name) &&
    parts.length <= 1 &&
    parts.every(isObjectName)
  );
}
