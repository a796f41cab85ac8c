import { GROUP } from '../definitions';
import { CONFIG_MAPS, NAMESPACE, NAMESPACES, WIDGETS } from '../hubUnderTest';
import { configMap, widget, WIDGET_RESOURCE } from '../testObjects';
import {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  internalError,
  invalid,
  METHOD_NOT_ALLOWED,
  notFound,
  unsupportedMediaType,
  Refusal,
} from '../refusal';

/** Creates, updates and deletes that cannot be done as they are asked for. */
export const REFUSED_WRITES: readonly Refusal[] = [
  {
    title: 'a duplicate field, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"twice"},"spec":{"title":"abc","title":"abd"}}`,
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.title"',
    ),
  },
  {
    title: 'creating in a namespace that is not there',
    request: ['POST', `${NAMESPACES}/nowhere/configmaps`, configMap('a')],
    expected: notFound('namespaces', 'nowhere'),
  },
  {
    title: 'creating without a namespace in the path',
    request: [
      'POST',
      `/api/v1/configmaps`,
      configMap('a', { namespace: NAMESPACE }),
    ],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'creating at a name',
    request: ['POST', `${CONFIG_MAPS}/a`, configMap('a')],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'updating a collection',
    request: ['PUT', CONFIG_MAPS, configMap('a')],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'deleting all namespaces',
    request: ['DELETE', NAMESPACES],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'a name that is there already',
    request: ['POST', CONFIG_MAPS, configMap('existing')],
    expected: alreadyExists('configmaps', 'existing'),
  },
  {
    title: 'a custom name that is there already',
    request: ['POST', WIDGETS, widget({}, { name: 'existing' })],
    expected: alreadyExists(WIDGET_RESOURCE, 'existing'),
  },
  {
    title: 'a namespace that is there already',
    request: ['POST', NAMESPACES, configMap('default')],
    expected: alreadyExists('namespaces', 'default'),
  },
  {
    title: 'a body that is no JSON',
    request: ['POST', CONFIG_MAPS, '{"metadata":'],
    expected: badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: …",
    ),
  },
  {
    title: 'a custom body that is no JSON',
    request: ['POST', WIDGETS, '{"metadata":'],
    expected: badRequest(
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: …",
    ),
  },
  {
    title: 'a body that is a list',
    request: ['POST', CONFIG_MAPS, []],
    expected: badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value …",
    ),
  },
  {
    title: 'no body at all',
    request: ['POST', CONFIG_MAPS],
    expected: badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ),
  },
  {
    title: 'no kind in a custom object',
    request: [
      'POST',
      WIDGETS,
      { metadata: { name: 'w' }, spec: { title: 'abc' } },
    ],
    expected: badRequest(
      "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '…",
    ),
  },
  {
    title: 'no API version in a custom object',
    request: [
      'POST',
      WIDGETS,
      { kind: 'Widget', metadata: { name: 'w' }, spec: { title: 'abc' } },
    ],
    expected: badRequest(
      'the API version in the data () does not match the expected API version (contract.argocd-fleet.example/v1)',
    ),
  },
  {
    title: 'no custom body at all',
    request: ['POST', WIDGETS],
    expected: badRequest(
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ),
  },
  {
    title: 'another kind than the URL says',
    request: [
      'POST',
      CONFIG_MAPS,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
    ],
    expected: badRequest(
      'Secret in version "v1" cannot be handled as a ConfigMap: …',
    ),
  },
  {
    title: 'another kind than the custom URL says',
    request: [
      'POST',
      WIDGETS,
      {
        apiVersion: `${GROUP}/v1`,
        kind: 'Gadget',
        metadata: { name: 'a' },
        spec: { title: 'abc' },
      },
    ],
    expected: invalid(`Gadget.${GROUP}`, 'a', [
      'FieldValueInvalid kind: Invalid value: "Gadget": must be Widget',
    ]),
  },
  {
    title: 'another version than the URL says',
    request: [
      'POST',
      WIDGETS,
      {
        apiVersion: `${GROUP}/v1beta1`,
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { title: 'abc' },
      },
    ],
    expected: badRequest(
      'the API version in the data (contract.argocd-fleet.example/v1beta1) does not match the expected API version (contract.argocd-fleet.example/v1)',
    ),
  },
  {
    title: 'another group than the URL says',
    request: [
      'POST',
      CONFIG_MAPS,
      { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1"…',
    ),
  },
  {
    title: 'another namespace than the URL says',
    request: ['POST', CONFIG_MAPS, configMap('a', { namespace: 'default' })],
    expected: badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    ),
  },
  {
    title: 'another name than the URL says',
    request: ['PUT', `${CONFIG_MAPS}/existing`, configMap('b')],
    expected: badRequest(
      'the name of the object (b) does not match the name on the URL (existing)',
    ),
  },
  {
    title: 'an update of nothing',
    request: [
      'PUT',
      `${WIDGETS}/nope`,
      widget({}, { name: 'nope', resourceVersion: '1' }),
    ],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'a custom update without resourceVersion',
    request: ['PUT', `${WIDGETS}/existing`, widget({}, { name: 'existing' })],
    expected: invalid(WIDGET_RESOURCE, 'existing', [
      'FieldValueInvalid metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]),
  },
  {
    title: 'an update without a name',
    request: ['PUT', `${CONFIG_MAPS}/existing`, { data: { a: 'b' } }],
    expected: badRequest(
      'the name of the object (existing based on URL) was undeterminable: name must be provided',
    ),
  },
  {
    title: 'a media type that nobody knows',
    request: ['POST', CONFIG_MAPS, 'hello', { 'content-type': 'text/plain' }],
    expected: unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/v…',
    ),
  },
  {
    title: 'a field manager that is too long',
    request: [
      'POST',
      `${CONFIG_MAPS}?fieldManager=${'x'.repeat(129)}`,
      configMap('a'),
    ],
    expected: invalid('CreateOptions.meta.k8s.io', '', [
      'FieldValueTooLong fieldManager: Too long: may not be more than 128 bytes',
    ]),
  },
  {
    title: 'an unknown field validation',
    request: ['POST', `${WIDGETS}?fieldValidation=Maybe`, widget({})],
    expected: invalid('CreateOptions.meta.k8s.io', '', [
      'FieldValueNotSupported fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
    ]),
  },
  {
    title: 'an unknown dry run',
    request: ['POST', `${CONFIG_MAPS}?dryRun=Some`, configMap('a')],
    expected: invalid('CreateOptions.meta.k8s.io', '', [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ]),
  },
  {
    title: 'an unknown dry run of an update',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing?dryRun=Some`,
      configMap('existing'),
    ],
    expected: invalid('UpdateOptions.meta.k8s.io', '', [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ]),
  },
  {
    title: 'an unknown dry run of a delete',
    request: ['DELETE', `${CONFIG_MAPS}/existing?dryRun=Some`],
    expected: invalid('DeleteOptions.meta.k8s.io', '', [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ]),
  },
  {
    title: 'an unknown field, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      widget({ colour: 'red' }),
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour"',
    ),
  },
  {
    title: 'two unknown fields, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      widget({ colour: 'red', parts: [{ name: 'a', weight: 1 }] }),
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour", unknown field "spec.parts[0].weight"',
    ),
  },
  {
    title: 'an unknown field of a built-in kind, strictly',
    request: [
      'POST',
      `${CONFIG_MAPS}?fieldValidation=Strict`,
      { ...configMap('a'), dat: {} },
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dat"',
    ),
  },
  {
    title: 'an unknown metadata field, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      { ...widget({}), metadata: { name: 'w', nam: 'x' } },
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.nam"',
    ),
  },
  {
    title: 'deleting nothing',
    request: ['DELETE', `${CONFIG_MAPS}/nope`],
    expected: notFound('configmaps', 'nope'),
  },
  {
    title: 'deleting nothing of a definition',
    request: ['DELETE', `${WIDGETS}/nope`],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'deleting under another UID',
    request: [
      'DELETE',
      `${CONFIG_MAPS}/existing`,
      { preconditions: { uid: 'other' } },
    ],
    expected: conflict(
      'ConfigMap',
      'existing',
      'the UID in the precondition (other) does not match the UID in record (…',
    ),
  },
  {
    title: 'deleting under another resourceVersion',
    request: [
      'DELETE',
      `${CONFIG_MAPS}/existing`,
      { preconditions: { resourceVersion: '1' } },
    ],
    expected: conflict(
      'ConfigMap',
      'existing',
      'the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (…',
    ),
  },
  {
    title: 'an unknown propagation policy',
    request: ['DELETE', `${CONFIG_MAPS}/existing?propagationPolicy=Sideways`],
    expected: invalid('DeleteOptions.meta.k8s.io', '', [
      'FieldValueNotSupported propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    ]),
  },
  {
    title: 'a propagation policy and orphanDependents',
    request: [
      'DELETE',
      `${CONFIG_MAPS}/existing`,
      { propagationPolicy: 'Orphan', orphanDependents: true },
    ],
    expected: invalid('DeleteOptions.meta.k8s.io', '', [
      'FieldValueInvalid propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ]),
  },
  {
    title: 'delete options that are none',
    request: ['DELETE', `${CONFIG_MAPS}/existing`, []],
    expected: badRequest(
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\…',
    ),
  },
  {
    title: 'a negative grace period',
    request: ['DELETE', `${CONFIG_MAPS}/existing?gracePeriodSeconds=x`],
    expected: badRequest('strconv.ParseInt: parsing "x": invalid syntax'),
  },
  {
    title: 'deleting a namespace that a cluster needs',
    request: ['DELETE', `${NAMESPACES}/default`],
    expected: forbidden(
      'namespaces',
      'default',
      'this namespace may not be deleted',
    ),
  },
  {
    title: 'deleting kube-system',
    request: ['DELETE', `${NAMESPACES}/kube-system`],
    expected: forbidden(
      'namespaces',
      'kube-system',
      'this namespace may not be deleted',
    ),
  },
  {
    title: 'an update with another UID',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing`,
      configMap('existing', { uid: 'other' }),
    ],
    expected: conflict(
      'configmaps',
      'existing',
      `StorageError: invalid object, Code: 4, Key: /registry/configmaps/${NAMESPACE}/existing, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other…`,
    ),
  },
  {
    title: 'a status update of nothing',
    request: [
      'PUT',
      `${WIDGETS}/nope/status`,
      {
        ...widget({}, { name: 'nope', resourceVersion: '1' }),
        status: { phase: 'x' },
      },
    ],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'a resourceVersion that is no number in an update',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing`,
      configMap('existing', { resourceVersion: 'abc' }),
    ],
    expected: internalError('strconv.ParseUint: parsing "abc": invalid syntax'),
  },
];
