import { CONFIG_MAPS, NAMESPACE, NAMESPACES, WIDGETS } from '../hubUnderTest';
import { configMap, widget, WIDGET_RESOURCE } from '../testObjects';
import {
  alreadyExists,
  conflict,
  internalError,
  invalid,
  METHOD_NOT_ALLOWED,
  notFound,
  Refusal,
} from '../refusal';

/** Creates and updates that the hub refuses for their path, name, version or options. */
export const REFUSED_WRITES: readonly Refusal[] = [
  {
    title: 'a create in a missing namespace',
    request: ['POST', `${NAMESPACES}/nowhere/configmaps`, configMap('a')],
    expected: notFound('namespaces', 'nowhere'),
  },
  {
    title: 'a create without a namespace in the path',
    request: [
      'POST',
      `/api/v1/configmaps`,
      configMap('a', { namespace: NAMESPACE }),
    ],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'a create at the path of a name',
    request: ['POST', `${CONFIG_MAPS}/a`, configMap('a')],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'an update of a collection',
    request: ['PUT', CONFIG_MAPS, configMap('a')],
    expected: METHOD_NOT_ALLOWED,
  },
  {
    title: 'a create of an existing core object',
    request: ['POST', CONFIG_MAPS, configMap('existing')],
    expected: alreadyExists('configmaps', 'existing'),
  },
  {
    title: 'a create of an existing custom object',
    request: ['POST', WIDGETS, widget({}, { name: 'existing' })],
    expected: alreadyExists(WIDGET_RESOURCE, 'existing'),
  },
  {
    title: 'a create of an existing namespace',
    request: ['POST', NAMESPACES, configMap('default')],
    expected: alreadyExists('namespaces', 'default'),
  },
  {
    title: 'an update of a missing object',
    request: [
      'PUT',
      `${WIDGETS}/nope`,
      widget({}, { name: 'nope', resourceVersion: '1' }),
    ],
    expected: notFound(WIDGET_RESOURCE, 'nope'),
  },
  {
    title: 'an update of a custom object without resourceVersion',
    request: ['PUT', `${WIDGETS}/existing`, widget({}, { name: 'existing' })],
    expected: invalid(WIDGET_RESOURCE, 'existing', [
      'FieldValueInvalid metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    ]),
  },
  {
    title: 'a too long field manager',
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
    title: 'an unknown fieldValidation',
    request: ['POST', `${WIDGETS}?fieldValidation=Maybe`, widget({})],
    expected: invalid('CreateOptions.meta.k8s.io', '', [
      'FieldValueNotSupported fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"',
    ]),
  },
  {
    title: 'a create with an unknown dryRun',
    request: ['POST', `${CONFIG_MAPS}?dryRun=Some`, configMap('a')],
    expected: invalid('CreateOptions.meta.k8s.io', '', [
      'FieldValueNotSupported dryRun: Unsupported value: ["Some"]: supported values: "All"',
    ]),
  },
  {
    title: 'an update with an unknown dryRun',
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
    title: 'a status update of a missing object',
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
    title: 'an update with a resourceVersion that is not a number',
    request: [
      'PUT',
      `${CONFIG_MAPS}/existing`,
      configMap('existing', { resourceVersion: 'abc' }),
    ],
    expected: internalError('strconv.ParseUint: parsing "abc": invalid syntax'),
  },
];
