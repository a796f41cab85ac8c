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

/** Gets, lists and watches with an unknown path or invalid parameters. */
export const REFUSED_READS: readonly Refusal[] = [
  {
    title: 'a missing custom object',
    request: ['GET', `${WIDGETS}/nope`],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'a missing core object',
    request: ['GET', `${CONFIG_MAPS}/nope`],
    expected: notFound('configmaps', 'nope'),
  },
  {
    title: 'an object in a missing namespace',
    request: ['GET', `${NAMESPACES}/nowhere/configmaps/a`],
    expected: notFound('configmaps', 'a'),
  },
  {
    title: 'a missing namespace',
    request: ['GET', `${NAMESPACES}/nowhere`],
    expected: notFound('namespaces', 'nowhere'),
  },
  {
    title: 'an unknown resource of a built-in version',
    request: ['GET', '/api/v1/gizmos'],
    expected: RESOURCE_NOT_FOUND,
  },
  {
    title: 'an unknown resource of a custom version',
    request: ['GET', `/apis/${GROUP}/v1/gizmos`],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'an unknown version of a group',
    request: ['GET', `/apis/${GROUP}/v7/widgets`],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'an unknown group',
    request: ['GET', '/apis/nothing.example/v1/things'],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'an unknown path',
    request: ['GET', '/nothing/here'],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'an unknown subresource of a core object',
    request: ['GET', `${CONFIG_MAPS}/existing/status`],
    expected: RESOURCE_NOT_FOUND,
  },
  {
    title: 'a subresource that a definition does not have',
    request: ['GET', `${WIDGETS}/existing/scale`],
    expected: notFound(WIDGET_RESOURCE, 'existing'),
  },
  {
    title: 'the status of a resource without this subresource',
    request: ['GET', `${GADGETS}/existing/status`],
    expected: notFound(`gadgets.${GROUP}`, 'existing'),
  },
  {
    title: 'a namespaced object without a namespace in the path',
    request: ['GET', `/apis/${GROUP}/v1/widgets/existing`],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'a cluster-scoped object with a namespace in the path',
    request: [
      'GET',
      `/apis/${GROUP}/v1/namespaces/${NAMESPACE}/gadgets/existing`,
    ],
    expected: PAGE_NOT_FOUND,
  },
  {
    title: 'an unsupported media type for the response',
    request: ['GET', CONFIG_MAPS, undefined, { accept: 'application/xml' }],
    expected: {
      status: 406,
      reason: 'NotAcceptable',
      message:
        '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml…',
    },
  },
  {
    title: 'an unsupported field selector',
    request: ['GET', `${CONFIG_MAPS}?fieldSelector=data.k%3Dv`],
    expected: badRequest(
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ),
  },
  {
    title: 'an unsupported field selector of a custom resource',
    request: ['GET', `${WIDGETS}?fieldSelector=spec.title%3Dabc`],
    expected: badRequest('field label not supported: spec.title'),
  },
  {
    title: 'a field selector with a syntax error',
    request: ['GET', `${CONFIG_MAPS}?fieldSelector=metadata.name`],
    expected: badRequest(
      "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
    ),
  },
  {
    title: 'a label selector with a syntax error',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%20is%20b`],
    expected: badRequest('unable to parse requirement: found …'),
  },
  {
    title: 'a label selector with an invalid value',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%3D%21%21`],
    expected: badRequest('unable to parse requirement: found …'),
  },
  {
    title: 'a label selector with an invalid key',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=-a%3Db`],
    expected: badRequest(
      "unable to parse requirement: <nil>: Invalid value: \"-a\": name part must consist of alphanumeric characters, '-', '_' or '.', and m…",
    ),
  },
  {
    title: 'an incomplete label selector',
    request: ['GET', `${CONFIG_MAPS}?labelSelector=a%20in%20(b`],
    expected: badRequest('unable to parse requirement: found …'),
  },
  {
    title: 'an invalid continue token',
    request: ['GET', `${CONFIG_MAPS}?limit=1&continue=xyz`],
    expected: badRequest(
      'invalid continue token: continue key is not valid: …',
    ),
  },
  {
    title: 'a limit that is not a number',
    request: ['GET', `${CONFIG_MAPS}?limit=many`],
    expected: badRequest('strconv.ParseInt: parsing "many": invalid syntax'),
  },
  {
    title: 'a list with a resourceVersion that is not a number',
    request: ['GET', `${CONFIG_MAPS}?resourceVersion=abc`],
    expected: badRequest(
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  },
  {
    title: 'a get with a resourceVersion that is not a number',
    request: ['GET', `${CONFIG_MAPS}/existing?resourceVersion=abc`],
    expected: internalError(
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  },
  {
    title: 'a list with a future resourceVersion',
    request: ['GET', `${CONFIG_MAPS}?resourceVersion=99999999`],
    expected: timeout(
      'Timeout: Too large resource version: 99999999, current: …',
    ),
  },
  {
    title: 'a list with an exact future resourceVersion',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=99999999&resourceVersionMatch=Exact`,
    ],
    expected: timeout(
      'Timeout: Too large resource version: 99999999, current: …',
    ),
  },
  {
    title: 'a resourceVersionMatch without a resourceVersion',
    request: ['GET', `${CONFIG_MAPS}?resourceVersionMatch=Exact`],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
    ]),
  },
  {
    title: 'an unknown resourceVersionMatch',
    request: [
      'GET',
      `${CONFIG_MAPS}?resourceVersion=1&resourceVersionMatch=Nearly`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueNotSupported resourceVersionMatch: Unsupported value: "Nearly": supported values: "Exact", "NotOlderThan", ""',
    ]),
  },
  {
    title: 'an exact match of resourceVersion 0',
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
    title: 'initial events without a resourceVersionMatch',
    request: ['GET', `${CONFIG_MAPS}?watch=1&sendInitialEvents=true`],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ]),
  },
  {
    title: 'initial events with an exact resourceVersionMatch',
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
    title: 'a watch with a resourceVersionMatch but without initial events',
    request: [
      'GET',
      `${CONFIG_MAPS}?watch=1&resourceVersion=1&resourceVersionMatch=NotOlderThan`,
    ],
    expected: invalid('ListOptions.meta.k8s.io', '', [
      'FieldValueForbidden resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ]),
  },
  {
    title: 'a watch with a resourceVersion that is not a number',
    request: ['GET', `${CONFIG_MAPS}?watch=1&resourceVersion=abc`],
    expected: internalError(
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ),
  },
  {
    title: 'a timeoutSeconds that is not a number',
    request: ['GET', `${CONFIG_MAPS}?watch=1&timeoutSeconds=soon`],
    expected: badRequest('strconv.ParseInt: parsing "soon": invalid syntax'),
  },
];
