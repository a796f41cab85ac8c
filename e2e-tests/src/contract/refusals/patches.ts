import { GROUP } from '../definitions';
import {
  APPLY,
  CONFIG_MAPS,
  JSON_PATCH,
  MERGE,
  STRATEGIC,
  WIDGETS,
} from '../hubUnderTest';
import {
  badRequest,
  conflict,
  internalError,
  invalid,
  METHOD_NOT_ALLOWED,
  notFound,
  OBJECT_MODIFIED,
  REQUEST_REJECTED,
  unsupportedMediaType,
  Refusal,
} from '../refusal';
import { WIDGET_KIND, WIDGET_RESOURCE } from '../testObjects';

/** Patches and applies that cannot be done. */
export const REFUSED_PATCHES: readonly Refusal[] = [
  {
    title: 'patching a collection',
    request: ['PATCH', CONFIG_MAPS, {}, MERGE],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'a patch without a type that is known',
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
    title: 'a patch of nothing',
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
    title: 'a merge patch that is no JSON',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, '{', MERGE],
    expected: badRequest('error decoding patch: …'),
  },
  {
    title: 'a JSON patch that is no list',
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
    title: 'a JSON patch that removes what is not there',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'remove', path: '/data/zzz' }],
      JSON_PATCH,
    ],
    expected: REQUEST_REJECTED,
  },
  {
    title: 'a JSON patch into what is not there',
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
    title: 'a patch that makes the object unreadable',
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
    title: 'force on a patch that is no apply',
    request: ['PATCH', `${CONFIG_MAPS}/existing?force=true`, {}, MERGE],
    expected: invalid('PatchOptions.meta.k8s.io', '', [
      'FieldValueForbidden force: Forbidden: may not be specified for non-apply patch',
    ]),
  },
  {
    title: 'an apply without a field manager',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      APPLY,
    ],
    expected: invalid('PatchOptions.meta.k8s.io', '', [
      'FieldValueRequired fieldManager: Required value: is required for apply patch',
    ]),
  },
  {
    title: 'an apply with managed fields',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', managedFields: [{ manager: 'x' }] },
      },
      APPLY,
    ],
    expected: badRequest('metadata.managedFields must be nil'),
  },
  {
    title: 'an apply without a kind',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { metadata: { name: 'a' } },
      APPLY,
    ],
    expected: badRequest('invalid object type: /, Kind='),
  },
  {
    title: 'an apply of another kind',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
      APPLY,
    ],
    expected: badRequest('invalid object type: /v1, Kind=Secret'),
  },
  {
    title: 'an apply of a field that there is not',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, dat: {} },
      APPLY,
    ],
    expected: internalError(
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .dat: field not declared in schema',
    ),
  },
  {
    title: 'an apply of another name',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
      APPLY,
    ],
    expected: badRequest(
      'the name of the object (b) does not match the name on the URL (a)',
    ),
  },
  {
    title: 'an apply with an old resourceVersion',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing?fieldManager=x`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'existing', resourceVersion: '1' },
      },
      APPLY,
    ],
    expected: conflict('configmaps', 'existing', OBJECT_MODIFIED),
  },
  {
    title: 'an apply with a UID to nothing',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/fresh?fieldManager=x`,
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'fresh', uid: '123' },
      },
      APPLY,
    ],
    expected: conflict(
      'configmaps',
      'fresh',
      'uid mismatch: the provided object specified uid 123, and no existing object was found',
    ),
  },
  {
    title: 'an apply that is no YAML',
    request: ['PATCH', `${CONFIG_MAPS}/a?fieldManager=x`, '{', APPLY],
    expected: badRequest('error decoding …'),
  },
  {
    title: 'an apply to the status of nothing',
    request: [
      'PATCH',
      `${WIDGETS}/nope/status?fieldManager=x`,
      {
        apiVersion: `${GROUP}/v1`,
        kind: 'Widget',
        metadata: { name: 'nope' },
        status: {},
      },
      APPLY,
    ],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'an unknown field in a merge patch, strictly',
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
