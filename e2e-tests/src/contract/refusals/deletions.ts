import { CONFIG_MAPS, NAMESPACES, WIDGETS } from '../hubUnderTest';
import { WIDGET_RESOURCE } from '../testObjects';
import {
  badRequest,
  conflict,
  forbidden,
  invalid,
  METHOD_NOT_ALLOWED,
  notFound,
  Refusal,
} from '../refusal';

/** Deletions that the hub refuses. */
export const REFUSED_DELETIONS: readonly Refusal[] = [
  {
    title: 'a deletion of all namespaces',
    request: ['DELETE', NAMESPACES],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'a deletion with an unknown dryRun',
    request: ['DELETE', `${CONFIG_MAPS}/existing?dryRun=Some`],
    expected: invalid('DeleteOptions.meta.k8s.io', '', [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ]),
  },
  {
    title: 'a deletion of a missing core object',
    request: ['DELETE', `${CONFIG_MAPS}/nope`],
    expected: notFound('configmaps', 'nope'),
  },
  {
    title: 'a deletion of a missing custom object',
    request: ['DELETE', `${WIDGETS}/nope`],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'a deletion with another UID as precondition',
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
    title: 'a deletion with another resourceVersion as precondition',
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
    title: 'a propagation policy with orphanDependents',
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
    title: 'delete options that are a list',
    request: ['DELETE', `${CONFIG_MAPS}/existing`, []],
    expected: badRequest(
      'couldn\'t get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\…',
    ),
  },
  {
    title: 'a grace period that is not a number',
    request: ['DELETE', `${CONFIG_MAPS}/existing?gracePeriodSeconds=x`],
    expected: badRequest('strconv.ParseInt: parsing "x": invalid syntax'),
  },
  {
    title: 'a deletion of the namespace default',
    request: ['DELETE', `${NAMESPACES}/default`],
    expected: forbidden(
      'namespaces',
      'default',
      'this namespace may not be deleted',
    ),
  },
  {
    title: 'a deletion of the namespace kube-system',
    request: ['DELETE', `${NAMESPACES}/kube-system`],
    expected: forbidden(
      'namespaces',
      'kube-system',
      'this namespace may not be deleted',
    ),
  },
];
