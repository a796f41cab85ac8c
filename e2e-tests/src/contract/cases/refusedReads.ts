import { GROUP } from '../definitions';
import {
  CONFIG_MAPS,
  GADGETS,
  NAMESPACE,
  NAMESPACES,
  WIDGETS,
} from '../hubUnderTest';
import { Refusal } from '../refusal';

/** Addresses, selectors and parameters of reads that make no sense. */
export const REFUSED_READS: readonly Refusal[] = [
  {
    title: 'an object that is not there',
    request: ['GET', `${WIDGETS}/nope`],
    status: 404,
    reason: 'NotFound',
    message: 'widgets.contract.argocd-fleet.example "nope" not found',
    details: {
      name: 'nope',
      group: 'contract.argocd-fleet.example',
      kind: 'widgets',
    },
  },
  {
    title: 'a core object that is not there',
    request: ['GET', `${CONFIG_MAPS}/nope`],
    status: 404,
    reason: 'NotFound',
    message: 'configmaps "nope" not found',
    details: { name: 'nope', kind: 'configmaps' },
  },
  {
    title: 'an object in a namespace that is not there',
    request: ['GET', `${NAMESPACES}/nowhere/configmaps/a`],
    status: 404,
    reason: 'NotFound',
    message: 'configmaps "a" not found',
    details: { name: 'a', kind: 'configmaps' },
  },
  {
    title: 'a namespace that is not there',
    request: ['GET', `${NAMESPACES}/nowhere`],
    status: 404,
    reason: 'NotFound',
    message: 'namespaces "nowhere" not found',
    details: { name: 'nowhere', kind: 'namespaces' },
  },
  {
    title: 'a resource that a built-in version does not have',
    request: ['GET', '/api/v1/gizmos'],
    status: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
  {
    title: 'a resource that a custom version does not have',
    request: ['GET', `/apis/${GROUP}/v1/gizmos`],
    status: 404,
    text: '404 page not found\n',
  },
  {
    title: 'a version that a group does not have',
    request: ['GET', `/apis/${GROUP}/v7/widgets`],
    status: 404,
    text: '404 page not found\n',
  },
  {
    title: 'a group that is not served',
    request: ['GET', '/apis/nothing.example/v1/things'],
    status: 404,
    text: '404 page not found\n',
  },
  {
    title: 'a path that leads nowhere',
    request: ['GET', '/nothing/here'],
    status: 404,
    text: '404 page not found\n',
  },
  {
    title: 'a subresource that there is none of',
    request: ['GET', `${CONFIG_MAPS}/existing/status`],
    status: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
  },
  {
    title: 'a subresource that a definition has not',
    request: ['GET', `${WIDGETS}/existing/scale`],
    status: 404,
    reason: 'NotFound',
    message: 'widgets.contract.argocd-fleet.example "existing" not found',
    details: {
      name: 'existing',
      group: 'contract.argocd-fleet.example',
      kind: 'widgets',
    },
  },
  {
    title: 'the status of a resource without one',
    request: ['GET', `${GADGETS}/existing/status`],
    status: 404,
    reason: 'NotFound',
    message: 'gadgets.contract.argocd-fleet.example "existing" not found',
    details: {
      name: 'existing',
      group: 'contract.argocd-fleet.example',
      kind: 'gadgets',
    },
  },
  {
    title: 'getting without a namespace in the path',
    request: ['GET', `/apis/${GROUP}/v1/widgets/existing`],
    status: 404,
    text: '404 page not found\n',
  },
  {
    title: 'a cluster-wide resource inside a namespace',
    request: [
      'GET',
      `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/gadgets/existing`,
    ],
    status: 404,
    text: '404 page not found\n',
  },
  {
    title: 'a form of answer that is not on offer',
    request: ['GET', CONFIG_MAPS, undefined, { accept: 'application/xml' }],
    status: 406,
    reason: 'NotAcceptable',
    message:
      '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml…',
  },
  {
    title: 'a field selector that is not on offer',
    request: ['GET', `${CONFIG_MAPS}?fieldSelector=data.k%3Dv`],
    status: 400,
    reason: 'BadRequest',
    message:
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
  },
  {
    title: 'a custom field selector that is not on offer',
    request: ['GET', `${WIDGETS}?fieldSelector=spec.title%3Dabc`],
    status: 400,
    reason: 'BadRequest',
    message: 'field label not supported: spec.title',
  },
  {
    title: 'a field selector that cannot be read',
    request: ['GET', `${CONFIG_MAPS}?fieldSelector=metadata.name`],
    status: 400,
    reason: 'BadRequest',
    message:
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
  },
  {
    title: 'a label selector that cannot be read',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%20is%20b`],
    status: 400,
    reason: 'BadRequest',
    message: 'unable to parse requirement: found …',
  },
  {
    title: 'a label selector with an illegal value',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%3D%21%21`],
    status: 400,
    reason: 'BadRequest',
    message: 'unable to parse requirement: found …',
  },
  {
    title: 'a label selector with an illegal key',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=-a%3Db`],
    status: 400,
    reason: 'BadRequest',
    message:
      "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and m…",
  },
  {
    title: 'a label selector that does not end',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%20in%20(b`],
    status: 400,
    reason: 'BadRequest',
    message: 'unable to parse requirement: found …',
  },
  {
    title: 'a continue token that is none',
    request: ['GET', `${CONFIG_MAPS}?limit=1&continue=xyz`],
    status: 400,
    reason: 'BadRequest',
    message: 'invalid continue token: continue key is not valid: …',
  },
  {
    title: 'a limit that is no number',
    request: ['GET', `${CONFIG_MAPS}?limit=many`],
    status: 400,
    reason: 'BadRequest',
    message: 'strconv.ParseInt: parsing "many": invalid syntax',
  },
  {
    title: 'a resourceVersion that is no number',
    request: ['GET', `${CONFIG_MAPS}?resourceVersion=abc`],
    status: 400,
    reason: 'BadRequest',
    message:
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  },
  {
    title: 'a resourceVersion that is no number of a get',
    request: ['GET', `${CONFIG_MAPS}/existing?resourceVersion=abc`],
    status: 500,
    message:
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  },
  {
    title: 'a resourceVersion from the future',
    request: ['GET', `${CONFIG_MAPS}?resourceVersion=99999999`],
    status: 504,
    reason: 'Timeout',
    message: 'Timeout: Too large resource version: 99999999, current: …',
  },
  {
    title: 'a resourceVersion from the future, exactly',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=99999999&resourceVersionMatch=Exact`,
    ],
    status: 504,
    reason: 'Timeout',
    message: 'Timeout: Too large resource version: 99999999, current: …',
  },
  {
    title: 'a match without a resourceVersion',
    request: ['GET', `${CONFIG_MAPS}?resourceVersionMatch=Exact`],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'an unknown match',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=1&resourceVersionMatch=Nearly`,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueNotSupported resourceVersionMatch: Unsupported value: "Nearly": supported values: "Exact", "NotOlderThan", ""',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'exactly resourceVersion 0',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=0&resourceVersionMatch=Exact`,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'a continue token with a resourceVersion',
    request: ['GET', `${CONFIG_MAPS}?limit=1&continue=xyz&resourceVersion=5`],
    status: 400,
    reason: 'BadRequest',
    message: 'invalid continue token: continue key is not valid: …',
  },
  {
    title: 'initial events without a match',
    request: ['GET', `${CONFIG_MAPS}?watch=1&sendInitialEvents=true`],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'initial events that match exactly',
    request: [
      'GET',
      `${CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      'FieldValueNotSupported resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'initial events of a list',
    request: [
      'GET',
      `${CONFIG_MAPS}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      'FieldValueForbidden sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'a match of a watch',
    request: [
      'GET',
      `${CONFIG_MAPS}?watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan`,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ListOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    details: { group: 'meta.k8s.io', kind: 'ListOptions' },
  },
  {
    title: 'a watch from no number',
    request: ['GET', `${CONFIG_MAPS}?watch=1&resourceVersion=abc`],
    status: 500,
    message:
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  },
  {
    title: 'a timeout that is no number',
    request: ['GET', `${CONFIG_MAPS}?watch=1&timeoutSeconds=soon`],
    status: 400,
    reason: 'BadRequest',
    message: 'strconv.ParseInt: parsing "soon": invalid syntax',
  },
];
