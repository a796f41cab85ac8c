import { GROUP } from '../definitions';
import { APPLY, CONFIG_MAPS, WIDGETS } from '../hubUnderTest';
import {
  badRequest,
  conflict,
  internalError,
  invalid,
  notFound,
  OBJECT_MODIFIED,
  Refusal,
} from '../refusal';
import { WIDGET_RESOURCE } from '../testObjects';

/** Server-side applies that the hub refuses. */
export const REFUSED_APPLIES: readonly Refusal[] = [
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
    title: 'an apply of another kind than in the URL',
    request: [
      'PATCH',
      `${CONFIG_MAPS}/a?fieldManager=x`,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
      APPLY,
    ],
    expected: badRequest('invalid object type: /v1, Kind=Secret'),
  },
  {
    title: 'an apply of an unknown field',
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
    title: 'an apply of another name than in the URL',
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
    title: 'an apply with a UID to a missing object',
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
    title: 'an apply that is not YAML',
    request: ['PATCH', `${CONFIG_MAPS}/a?fieldManager=x`, '{', APPLY],
    expected: badRequest('error decoding …'),
  },
  {
    title: 'an apply to the status of a missing object',
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
];
