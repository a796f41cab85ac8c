import { GROUP } from '../definitions';
import {
  CONFIG_MAPS,
  GADGETS,
  NAMESPACE,
  NAMESPACES,
  WIDGETS,
} from '../hubUnderTest';
import {
  badRequest,
  internalError,
  invalid,
  notFound,
  PAGE_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  timeout,
  Refusal,
} from '../refusal';
import { WIDGET_RESOURCE } from '../testObjects';

/** Addresses, selectors and parameters of reads that make no sense. */
export const REFUSED_READS: readonly Refusal[] = [
  {
    title: 'an object that is not there',
    request: ['GET', `${WIDGETS}/nope`],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'a core object that is not there',
    request: ['GET', `${CONFIG_MAPS}/nope`],
    expected: notFound('configmaps', 'nope'),
  },
  {
    title: 'an object in a namespace that is not there',
    request: ['GET', `${NAMESPACES}/nowhere/configmaps/a`],
    expected: notFound('configmaps', 'a'),
  },
  {
    title: 'a namespace that is not there',
    request: ['GET', `${NAMESPACES}/nowhere`],
    expected: notFound('namespaces', 'nowhere'),
  },
  {
    title: 'a resource that a built-in version does not have',
    request: ['GET', '/api/v1/gizmos'],
    expected: RESOURCE_NOT_FOUND,
  },
  {
    title: 'a resource that a custom version does not have',
    request: ['GET', `/apis/${GROUP}/v1/gizmos`],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a version that a group does not have',
    request: ['GET', `/apis/${GROUP}/v7/widgets`],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a group that is not served',
    request: ['GET', '/apis/nothing.example/v1/things'],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a path that leads nowhere',
    request: ['GET', '/nothing/here'],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a subresource that there is none of',
    request: ['GET', `${CONFIG_MAPS}/existing/status`],
    expected: RESOURCE_NOT_FOUND,
  },
  {
    title: 'a subresource that a definition has not',
    request: ['GET', `${WIDGETS}/existing/scale`],
    expected: notFound(WIDGET_RESOURCE, 'existing'),
  },
  {
    title: 'the status of a resource without one',
    request: ['GET', `${GADGETS}/existing/status`],
    expected: notFound(`gadgets.${GROUP}`, 'existing'),
  },
  {
    title: 'getting without a namespace in the path',
    request: ['GET', `/apis/${GROUP}/v1/widgets/existing`],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a cluster-wide resource inside a namespace',
    request: [
      'GET',
      `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/gadgets/existing`,
    ],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a form of answer that is not on offer',
    request: ['GET', CONFIG_MAPS, undefined, { accept: 'application/xml' }],
    expected: {
      status: 406,
      reason: 'NotAcceptable',
      message:
        '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml…',
    },
  },
  {
    title: 'a field selector that is not on offer',
    request: ['GET', `${CONFIG_MAPS}?fieldSelector=data.k%3Dv`],
    expected: badRequest(
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ),
  },
  {
    title: 'a custom field selector that is not on offer',
    request: ['GET', `${WIDGETS}?fieldSelector=spec.title%3Dabc`],
    expected: badRequest('field label not supported: spec.title'),
  },
  {
    title: 'a field selector that cannot be read',
    request: ['GET', `${CONFIG_MAPS}?fieldSelector=metadata.name`],
    expected: badRequest(
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    ),
  },
  {
    title: 'a label selector that cannot be read',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%20is%20b`],
    expected: badRequest('unable to parse requirement: found …'),
  },
  {
    title: 'a label selector with an illegal value',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%3D%21%21`],
    expected: badRequest('unable to parse requirement: found …'),
  },
  {
    title: 'a label selector with an illegal key',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=-a%3Db`],
    expected: badRequest(
      "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and m…",
    ),
  },
  {
    title: 'a label selector that does not end',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%20in%20(b`],
    expected: badRequest('unable to parse requirement: found …'),
  },
  {
    title: 'a continue token that is none',
    request: ['GET', `${CONFIG_MAPS}?limit=1&continue=xyz`],
    expected: badRequest(
      'invalid continue token: continue key is not valid: …',
    ),
  },
  {
    title: 'a limit that is no number',
    request: ['GET', `${CONFIG_MAPS}?limit=many`],
    expected: badRequest('strconv.ParseInt: parsing "many": invalid syntax'),
  },
  {
    title: 'a resourceVersion that is no number',
    request: ['GET', `${CONFIG_MAPS}?resourceVersion=abc`],
    expected: badRequest(
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  },
  {
    title: 'a resourceVersion that is no number of a get',
    request: ['GET', `${CONFIG_MAPS}/existing?resourceVersion=abc`],
    expected: internalError(
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  },
  {
    title: 'a resourceVersion from the future',
    request: ['GET', `${CONFIG_MAPS}?resourceVersion=99999999`],
    expected: timeout(
      'Timeout: Too large resource version: 99999999, current: …',
    ),
  },
  {
    title: 'a resourceVersion from the future, exactly',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=99999999&resourceVersionMatch=Exact`,
    ],
    expected: timeout(
      'Timeout: Too large resource version: 99999999, current: …',
    ),
  },
  {
    title: 'a match without a resourceVersion',
    request: ['GET', `${CONFIG_MAPS}?resourceVersionMatch=Exact`],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ]),
  },
  {
    title: 'an unknown match',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=1&resourceVersionMatch=Nearly`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueNotSupported resourceVersionMatch: Unsupported value: "Nearly": supported values: "Exact", "NotOlderThan", ""',
    ]),
  },
  {
    title: 'exactly resourceVersion 0',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=0&resourceVersionMatch=Exact`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ]),
  },
  {
    title: 'a continue token with a resourceVersion',
    request: ['GET', `${CONFIG_MAPS}?limit=1&continue=xyz&resourceVersion=5`],
    expected: badRequest(
      'invalid continue token: continue key is not valid: …',
    ),
  },
  {
    title: 'initial events without a match',
    request: ['GET', `${CONFIG_MAPS}?watch=1&sendInitialEvents=true`],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ]),
  },
  {
    title: 'initial events that match exactly',
    request: [
      'GET',
      `${CONFIG_MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      'FieldValueNotSupported resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
    ]),
  },
  {
    title: 'initial events of a list',
    request: [
      'GET',
      `${CONFIG_MAPS}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      'FieldValueForbidden sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ]),
  },
  {
    title: 'a match of a watch',
    request: [
      'GET',
      `${CONFIG_MAPS}?watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ]),
  },
  {
    title: 'a watch from no number',
    request: ['GET', `${CONFIG_MAPS}?watch=1&resourceVersion=abc`],
    expected: internalError(
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  },
  {
    title: 'a timeout that is no number',
    request: ['GET', `${CONFIG_MAPS}?watch=1&timeoutSeconds=soon`],
    expected: badRequest('strconv.ParseInt: parsing "soon": invalid syntax'),
  },
];
