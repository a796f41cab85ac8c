import { GROUP } from '../definitions';
import {
  APPLY,
  CONFIG_MAPS,
  JSON_PATCH,
  MERGE,
  STRATEGIC,
  WIDGETS,
} from '../hubUnderTest';
import { Refusal } from '../refusal';

/** Patches and applies that cannot be done. */
export const REFUSED_PATCHES: readonly Refusal[] = [
  {
    title: 'patching a collection',
    request: ['PATCH', CONFIG_MAPS, {}, MERGE],
    status: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
  },
  {
    title: 'a patch without a type that is known',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      {},
      { 'content-type': 'application/json' },
    ],
    status: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
  },
  {
    title: 'a strategic merge patch of a custom object',
    request: ['PATCH', `${WIDGETS}/existing`, {}, STRATEGIC],
    status: 415,
    reason: 'UnsupportedMediaType',
    message:
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-pa…',
  },
  {
    title: 'a patch of nothing',
    request: ['PATCH', `${CONFIG_MAPS}/nope`, { data: {} }, MERGE],
    status: 404,
    reason: 'NotFound',
    message: 'configmaps "nope" not found',
    details: { name: 'nope', kind: 'configmaps' },
  },
  {
    title: 'a merge patch that is a list',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, [], MERGE],
    status: 400,
    reason: 'BadRequest',
    message:
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  },
  {
    title: 'a merge patch that is no JSON',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, '{', MERGE],
    status: 400,
    reason: 'BadRequest',
    message: 'error decoding patch: …',
  },
  {
    title: 'a JSON patch that is no list',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, {}, JSON_PATCH],
    status: 400,
    reason: 'BadRequest',
    message:
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
  },
  {
    title: 'a JSON patch with an unknown operation',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'jump', path: '/data' }],
      JSON_PATCH,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    title: 'a JSON patch whose test fails',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'test', path: '/data/k', value: 'x' }],
      JSON_PATCH,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    title: 'a JSON patch that removes what is not there',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'remove', path: '/data/zzz' }],
      JSON_PATCH,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    title: 'a JSON patch into what is not there',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      [{ op: 'add', path: '/nope/zzz', value: 'x' }],
      JSON_PATCH,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'the server rejected our request due to an error in our request',
  },
  {
    title: 'a patch of the name',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { name: 'other' } },
      MERGE,
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'the name of the object (other) does not match the name on the URL (existing)',
  },
  {
    title: 'a patch of the namespace',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { namespace: 'other' } },
      MERGE,
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'the namespace of the provided object does not match the namespace sent on the request',
  },
  {
    title: 'a patch of the UID',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { uid: 'other' } },
      MERGE,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "existing" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.uid: Invalid value: "other": field is immutable',
    ],
    details: { name: 'existing', kind: 'ConfigMap' },
  },
  {
    title: 'a patch of the kind',
    request: ['PATCH', `${WIDGETS}/existing`, { kind: 'Gadget' }, MERGE],
    status: 422,
    reason: 'Invalid',
    message: 'Gadget.contract.argocd-fleet.example "existing" is invalid: …',
    causes: ['FieldValueInvalid kind: Invalid value: "Gadget": must be Widget'],
    details: {
      name: 'existing',
      group: 'contract.argocd-fleet.example',
      kind: 'Gadget',
    },
  },
  {
    title: 'a patch of the API version',
    request: ['PATCH', `${WIDGETS}/existing`, { apiVersion: 'v1' }, MERGE],
    status: 422,
    reason: 'Invalid',
    message: 'Widget "existing" is invalid: …',
    causes: [
      'FieldValueInvalid apiVersion: Invalid value: "v1": must be contract.argocd-fleet.example/v1',
    ],
    details: { name: 'existing', kind: 'Widget' },
  },
  {
    title: 'a patch with an old resourceVersion',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/existing`,
      { metadata: { resourceVersion: '1' } },
      MERGE,
    ],
    status: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on configmaps "existing": the object has been modified; please apply your changes to the latest version and try again',
    details: { name: 'existing', kind: 'configmaps' },
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
    status: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on configmaps "existing": the object has been modified; please apply your changes to the latest version and try again',
    details: { name: 'existing', kind: 'configmaps' },
  },
  {
    title: 'a patch that makes the object unreadable',
    request: ['PATCH', `${CONFIG_MAPS}/existing`, { data: { k: 5 } }, MERGE],
    status: 422,
    reason: 'Invalid',
    message: ' "" is invalid: …',
    causes: ['FieldValueInvalid patch: Invalid value: …'],
  },
  {
    title: 'a patch that makes the object invalid',
    request: [
      'PATCH',
      `${WIDGETS}/existing`,
      { spec: { title: 'ABC' } },
      MERGE,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "existing" is invalid: …',
    causes: [
      'FieldValueInvalid spec.title: Invalid value: "ABC": spec.title in body should match \'^[a-z]+$\'',
    ],
    details: {
      name: 'existing',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'force on a patch that is no apply',
    request: ['PATCH', `${CONFIG_MAPS}/existing?force=true`, {}, MERGE],
    status: 422,
    reason: 'Invalid',
    message: 'PatchOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueForbidden force: Forbidden: may not be specified for non-apply patch',
    ],
    details: { group: 'meta.k8s.io', kind: 'PatchOptions' },
  },
  {
    title: 'an apply without a field manager',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } },
      APPLY,
    ],
    status: 422,
    reason: 'Invalid',
    message: 'PatchOptions.meta.k8s.io "" is invalid: …',
    causes: [
      'FieldValueRequired fieldManager: Required value: is required for apply patch',
    ],
    details: { group: 'meta.k8s.io', kind: 'PatchOptions' },
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
    status: 400,
    reason: 'BadRequest',
    message: 'metadata.managedFields must be nil',
  },
  {
    title: 'an apply without a kind',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { metadata: { name: 'a' } },
      APPLY,
    ],
    status: 400,
    reason: 'BadRequest',
    message: 'invalid object type: /, Kind=',
  },
  {
    title: 'an apply of another kind',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
      APPLY,
    ],
    status: 400,
    reason: 'BadRequest',
    message: 'invalid object type: /v1, Kind=Secret',
  },
  {
    title: 'an apply of a field that there is not',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, dat: {} },
      APPLY,
    ],
    status: 500,
    message:
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .dat: field not declared in schema',
  },
  {
    title: 'an apply of another name',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
      APPLY,
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'the name of the object (b) does not match the name on the URL (a)',
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
    status: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on configmaps "existing": the object has been modified; please apply your changes to the latest version and try again',
    details: { name: 'existing', kind: 'configmaps' },
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
    status: 409,
    reason: 'Conflict',
    message:
      'Operation cannot be fulfilled on configmaps "fresh": uid mismatch: the provided object specified uid 123, and no existing object was found',
    details: { name: 'fresh', kind: 'configmaps' },
  },
  {
    title: 'an apply that is no YAML',
    request: ['PATCH', `${CONFIG_MAPS}/a?fieldManager=x`, '{', APPLY],
    status: 400,
    reason: 'BadRequest',
    message: 'error decoding …',
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
    title: 'an unknown field in a merge patch, strictly',
    request: [
      'PATCH',
      `${WIDGETS}/existing?fieldValidation=Strict`,
      { spec: { colour: 'red' } },
      MERGE,
    ],
    status: 422,
    reason: 'Invalid',
    message: ' "" is invalid: …',
    causes: ['FieldValueInvalid patch: Invalid value: …'],
  },
];
