import { GROUP } from '../definitions';
import {
  CONFIG_MAPS,
  JSON_PATCH,
  MERGE,
  STRATEGIC,
  WIDGETS,
} from '../hubUnderTest';
import {
  badRequest,
  conflict,
  invalid,
  METHOD_NOT_ALLOWED,
  notFound,
  OBJECT_MODIFIED,
  REQUEST_REJECTED,
  unsupportedMediaType,
  Refusal,
} from '../refusal';
import { WIDGET_KIND } from '../testObjects';

/** Other patches that the hub refuses. */
export const REFUSED_PATCHES: readonly Refusal[] = [
  {
    title: 'a patch of a collection',
    request: ['PATCH', CONFIG_MAPS, {}, MERGE],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'a patch with an unknown media type',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      {},
      { 'content-type': 'application/json' },
    ],
    expected: unsupportedMediaType('415: Unsupported Media Type'),
  },
  {
    title: 'a strategic merge patch of a custom object',
    request: ['PATCH', `${WIDGETS}/existing`, {}, STRATEGIC],
    expected: unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-pa…',
    ),
  },
  {
    title: 'a patch of a missing object',
    request: ['PATCH', `${CONFIG_MAPS}/nope`, { data: {} }, MERGE],
    expected: notFound('configmaps', 'nope'),
  },
  {
    title: 'a merge patch that is a list',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, [], MERGE],
    expected: badRequest(
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ),
  },
  {
    title: 'a merge patch that is not JSON',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, '{', MERGE],
    expected: badRequest('error decoding patch: …'),
  },
  {
    title: 'a JSON patch that is not a list',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, {}, JSON_PATCH],
    expected: badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ),
  },
  {
    title: 'a JSON patch with an unknown operation',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'jump', path: '/data' }],
      JSON_PATCH,
    ],
    expected: REQUEST_REJECTED,
  },
  {
    title: 'a JSON patch whose test fails',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'test', path: '/data/k', value: 'x' }],
      JSON_PATCH,
    ],
    expected: REQUEST_REJECTED,
  },
  {
    title: 'a JSON patch that removes a missing value',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'remove', path: '/data/zzz' }],
      JSON_PATCH,
    ],
    expected: REQUEST_REJECTED,
  },
  {
    title: 'a JSON patch that adds to a missing parent',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'add', path: '/nope/zzz', value: 'x' }],
      JSON_PATCH,
    ],
    expected: REQUEST_REJECTED,
  },
  {
    title: 'a patch of the name',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { name: 'other' } },
      MERGE,
    ],
    expected: badRequest(
      'the name of the object (other) does not match the name on the URL (existing)',
    ),
  },
  {
    title: 'a patch of the namespace',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { namespace: 'other' } },
      MERGE,
    ],
    expected: badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    ),
  },
  {
    title: 'a patch of the UID',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { uid: 'other' } },
      MERGE,
    ],
    expected: invalid('ConfigMap', 'existing', [
      'FieldValueInvalid metadata.uid: Invalid value: "other": field is immutable',
    ]),
  },
  {
    title: 'a patch of the kind',
    request: ['PATCH', `${WIDGETS}/existing`, { kind: 'Gadget' }, MERGE],
    expected: invalid(`Gadget.${GROUP}`, 'existing', [
      'FieldValueInvalid kind: Invalid value: "Gadget": must be Widget',
    ]),
  },
  {
    title: 'a patch of the API version',
    request: ['PATCH', `${WIDGETS}/existing`, { apiVersion: 'v1' }, MERGE],
    expected: invalid('Widget', 'existing', [
      'FieldValueInvalid apiVersion: Invalid value: "v1": must be contract.argocd-fleet.example/v1',
    ]),
  },
  {
    title: 'a patch with an old resourceVersion',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { resourceVersion: '1' } },
      MERGE,
    ],
    expected: conflict('configmaps', 'existing', OBJECT_MODIFIED),
  },
  {
    title: 'a JSON patch with an old resourceVersion',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [
        { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
        { op: 'add', path: '/data', value: { k: 'v' } },
      ],
      JSON_PATCH,
    ],
    expected: conflict('configmaps', 'existing', OBJECT_MODIFIED),
  },
  {
    title: 'a patch after which the object cannot be decoded',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, { data: { k: 5 } }, MERGE],
    expected: {
      status: 422,
      reason: 'Invalid',
      message: ' "" is invalid: …',
      causes: ['FieldValueInvalid patch: Invalid value: …'],
    },
  },
  {
    title: 'a patch that makes the object invalid',
    request: [
      'PATCH',
      `${WIDGETS}/existing`,
      { spec: { title: 'ABC' } },
      MERGE,
    ],
    expected: invalid(WIDGET_KIND, 'existing', [
      'FieldValueInvalid spec.title: Invalid value: "ABC": spec.title in body should match \'^[a-z]+$\'',
    ]),
  },
  {
    title: 'force on a patch other than apply',
    request: ['PATCH', `${CONFIG_MAPS}/existing?force=true`, {}, MERGE],
    expected: invalid('PatchOptions.meta.k8s.io', '', [
      'FieldValueForbidden force: Forbidden: may not be specified for non-apply patch',
    ]),
  },
  {
    title: 'a merge patch with an unknown field and strict validation',
    request: [
      'PATCH',
      `${WIDGETS}/existing?fieldValidation=Strict`,
      { spec: { colour: 'red' } },
      MERGE,
    ],
    expected: {
      status: 422,
      reason: 'Invalid',
      message: ' "" is invalid: …',
      causes: ['FieldValueInvalid patch: Invalid value: …'],
    },
  },
];
