import { GROUP } from '../definitions';
import { CONFIG_MAPS, NAMESPACE, NAMESPACES, WIDGETS } from '../hubUnderTest';
import { configMap, widget } from '../objects';
import { Refusal } from '../refusal';

/** Creates, updates and deletes that cannot be done as they are asked for. */
export const REFUSED_WRITES: readonly Refusal[] = [
  {
    title: 'a duplicate field, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"twice"},"spec":{"title":"abc","title":"abd"}}`,
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.title"',
  },
  {
    title: 'creating in a namespace that is not there',
    request: ['POST', `${NAMESPACES}/nowhere/configmaps`, configMap('a')],
    status: 404,
    reason: 'NotFound',
    message: 'namespaces "nowhere" not found',
    details: { name: 'nowhere', kind: 'namespaces' },
  },
  {
    title: 'creating without a namespace in the path',
    request: [
      'POST',
      `/api/v1/configmaps`,
      configMap('a', { namespace: NAMESPACE }),
    ],
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'creating at a name',
    request: ['POST', `${CONFIG_MAPS}/a`, configMap('a')],
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'updating a collection',
    request: ['PUT', CONFIG_MAPS, configMap('a')],
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'deleting all namespaces',
    request: ['DELETE', NAMESPACES],
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'a name that is there already',
    request: ['POST', CONFIG_MAPS, configMap('existing')],
    status: 409,
    reason: 'AlreadyExists',
    message: 'configmaps "existing" already exists',
    details: { name: 'existing', kind: 'configmaps' },
  },
  {
    title: 'a custom name that is there already',
    request: ['POST', WIDGETS, widget({}, { name: 'existing' })],
    status: 409,
    reason: 'AlreadyExists',
    message: 'widgets.contract.argocd-fleet.example "existing" already exists',
    details: {
      name: 'existing',
      group: 'contract.argocd-fleet.example',
      kind: 'widgets',
    },
  },
  {
    title: 'a namespace that is there already',
    request: ['POST', NAMESPACES, configMap('default')],
    status: 409,
    reason: 'AlreadyExists',
    message: 'namespaces "default" already exists',
    details: { name: 'default', kind: 'namespaces' },
  },
  {
    title: 'a body that is no JSON',
    request: ['POST', CONFIG_MAPS, '{"metadata":'],
    status: 400,
    reason: 'BadRequest',
    message:
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: …",
  },
  {
    title: 'a custom body that is no JSON',
    request: ['POST', WIDGETS, '{"metadata":'],
    status: 400,
    reason: 'BadRequest',
    message:
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: …",
  },
  {
    title: 'a body that is a list',
    request: ['POST', CONFIG_MAPS, []],
    status: 400,
    reason: 'BadRequest',
    message:
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value …",
  },
  {
    title: 'no body at all',
    request: ['POST', CONFIG_MAPS],
    status: 400,
    reason: 'BadRequest',
    message:
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  },
  {
    title: 'no kind in a custom object',
    request: [
      'POST',
      WIDGETS,
      { metadata: { name: 'w' }, spec: { title: 'abc' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '…",
  },
  {
    title: 'no API version in a custom object',
    request: [
      'POST',
      WIDGETS,
      { kind: 'Widget', metadata: { name: 'w' }, spec: { title: 'abc' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'the API version in the data () does not match the expected API version (contract.argocd-fleet.example/v1)',
  },
  {
    title: 'no custom body at all',
    request: ['POST', WIDGETS],
    status: 400,
    reason: 'BadRequest',
    message:
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
  },
  {
    title: 'another kind than the URL says',
    request: [
      'POST',
      CONFIG_MAPS,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message: 'Secret in version "v1" cannot be handled as a ConfigMap: …',
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
    status: 422,
    reason: 'Invalid',
    message: 'Gadget.contract.argocd-fleet.example "a" is invalid: …',
    causes: ['FieldValueInvalid kind: Invalid value: "Gadget": must be Widget'],
    details: {
      name: 'a',
      group: 'contract.argocd-fleet.example',
      kind: 'Gadget',
    },
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
    status: 400,
    reason: 'BadRequest',
    message:
      'the API version in the data (contract.argocd-fleet.example/v1beta1) does not match the expected API version (contract.argocd-fleet.example/v1)',
  },
  {
    title: 'another group than the URL says',
    request: [
      'POST',
      CONFIG_MAPS,
      { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1"…',
  },
  {
    title: 'another namespace than the URL says',
    request: ['POST', CONFIG_MAPS, configMap('a', { namespace: 'default' })],
    status: 400,
    reason: 'BadRequest',
    message:
      'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    title: 'another name than the URL says',
    request: ['PUT', `${CONFIG_MAPS}/existing`, configMap('b')],
    status: 400,
    reason: 'BadRequest',
    message:
      'the name of the object (b) does not match the name on the URL (existing)',
  },
  {
    title: 'an update of nothing',
    request: [
      'PUT',
      `${WIDGETS}/nope`,
      widget({}, { name: 'nope', resourceVersion: '1' }),
    ],
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
    title: 'a custom update without resourceVersion',
    request: ['PUT', `${WIDGETS}/existing`, widget({}, { name: 'existing' })],
    status: 422,
    reason: 'Invalid',
    message: 'widgets.contract.argocd-fleet.example "existing" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ],
    details: {
      name: 'existing',
      group: 'contract.argocd-fleet.example',
      kind: 'widgets',
    },
  },
  {
    title: 'an update without a name',
    request: ['PUT', `${CONFIG_MAPS}/existing`, { data: { a: 'b' } }],
    status: 400,
    reason: 'BadRequest',
    message:
      'the name of the object (existing based on URL) was undeterminable: name must be provided',
  },
  {
    title: 'a media type that nobody knows',
    request: ['POST', CONFIG_MAPS, 'hello', { 'content-type': 'text/plain' }],
    status: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/v…',
  },
  {
    title: 'a field manager that is too long',
    request: [
      'POST',
      `${CONFIG_MAPS}?fieldManager=${'x'.repeat(129)}`,
      configMap('a'),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'CreateOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueTooLong fieldManager: Too long: may not be more than 128 bytes',
    ],
    details: { group: 'meta.k8s.io', kind: 'CreateOptions' },
  },
  {
    title: 'an unknown field validation',
    request: ['POST', `${WIDGETS}?fieldValidation=Maybe`, widget({})],
    status: 422,
    reason: 'Invalid',
    message: 'CreateOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueNotSupported fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
    ],
    details: { group: 'meta.k8s.io', kind: 'CreateOptions' },
  },
  {
    title: 'an unknown dry run',
    request: ['POST', `${CONFIG_MAPS}?dryRun=Some`, configMap('a')],
    status: 422,
    reason: 'Invalid',
    message: 'CreateOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    details: { group: 'meta.k8s.io', kind: 'CreateOptions' },
  },
  {
    title: 'an unknown dry run of an update',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing?dryRun=Some`,
      configMap('existing'),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'UpdateOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    details: { group: 'meta.k8s.io', kind: 'UpdateOptions' },
  },
  {
    title: 'an unknown dry run of a delete',
    request: ['DELETE', `${CONFIG_MAPS}/existing?dryRun=Some`],
    status: 422,
    reason: 'Invalid',
    message: 'DeleteOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ],
    details: { group: 'meta.k8s.io', kind: 'DeleteOptions' },
  },
  {
    title: 'an unknown field, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      widget({ colour: 'red' }),
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour"',
  },
  {
    title: 'two unknown fields, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      widget({ colour: 'red', parts: [{ name: 'a', weight: 1 }] }),
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour", unknown field "spec.parts[0].weight"',
  },
  {
    title: 'an unknown field of a built-in kind, strictly',
    request: [
      'POST',
      `${CONFIG_MAPS}?fieldValidation=Strict`,
      { ...configMap('a'), dat: {} },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dat"',
  },
  {
    title: 'an unknown metadata field, strictly',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      { ...widget({}), metadata: { name: 'w', nam: 'x' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.nam"',
  },
  {
    title: 'deleting nothing',
    request: ['DELETE', `${CONFIG_MAPS}/nope`],
    status: 404,
    reason: 'NotFound',
    message: 'configmaps "nope" not found',
    details: { name: 'nope', kind: 'configmaps' },
  },
  {
    title: 'deleting nothing of a definition',
    request: ['DELETE', `${WIDGETS}/nope`],
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
    title: 'deleting under another UID',
    request: [
      'DELETE',
      `${CONFIG_MAPS}/existing`,
      { preconditions: { uid: 'other' } },
    ],
    status: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on ConfigMap "existing": the UID in the precondition (other) does not match the UID in record (…',
    details: { name: 'existing', kind: 'ConfigMap' },
  },
  {
    title: 'deleting under another resourceVersion',
    request: [
      'DELETE',
      `${CONFIG_MAPS}/existing`,
      { preconditions: { resourceVersion: '1' } },
    ],
    status: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on ConfigMap "existing": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (…',
    details: { name: 'existing', kind: 'ConfigMap' },
  },
  {
    title: 'an unknown propagation policy',
    request: ['DELETE', `${CONFIG_MAPS}/existing?propagationPolicy=Sideways`],
    status: 422,
    reason: 'Invalid',
    message: 'DeleteOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueNotSupported propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    details: { group: 'meta.k8s.io', kind: 'DeleteOptions' },
  },
  {
    title: 'a propagation policy and orphanDependents',
    request: [
      'DELETE',
      `${CONFIG_MAPS}/existing`,
      { propagationPolicy: 'Orphan', orphanDependents: true },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'DeleteOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueInvalid propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    details: { group: 'meta.k8s.io', kind: 'DeleteOptions' },
  },
  {
    title: 'delete options that are none',
    request: ['DELETE', `${CONFIG_MAPS}/existing`, []],
    status: 400,
    reason: 'BadRequest',
    message:
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\…',
  },
  {
    title: 'a negative grace period',
    request: ['DELETE', `${CONFIG_MAPS}/existing?gracePeriodSeconds=x`],
    status: 400,
    reason: 'BadRequest',
    message: 'strconv.ParseInt: parsing "x": invalid syntax',
  },
  {
    title: 'deleting a namespace that a cluster needs',
    request: ['DELETE', `${NAMESPACES}/default`],
    status: 403,
    reason: 'Forbidden',
    message:
      'namespaces "default" is forbidden: this namespace may not be deleted',
    details: { name: 'default', kind: 'namespaces' },
  },
  {
    title: 'deleting kube-system',
    request: ['DELETE', `${NAMESPACES}/kube-system`],
    status: 403,
    reason: 'Forbidden',
    message:
      'namespaces "kube-system" is forbidden: this namespace may not be deleted',
    details: { name: 'kube-system', kind: 'namespaces' },
  },
  {
    title: 'an update with another UID',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing`,
      configMap('existing', { uid: 'other' }),
    ],
    status: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on configmaps "existing": StorageError: invalid object, Code: 4, Key: /registry/configmaps/${NAMESPACE}/existing, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: other…`,
    details: { name: 'existing', kind: 'configmaps' },
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
    title: 'a resourceVersion that is no number in an update',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing`,
      configMap('existing', { resourceVersion: 'abc' }),
    ],
    status: 500,
    message: 'strconv.ParseUint: parsing "abc": invalid syntax',
  },
];
