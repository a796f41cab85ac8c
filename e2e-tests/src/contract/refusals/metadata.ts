import { CONFIG_MAPS, WIDGETS } from '../hubUnderTest';
import { configMap, ownedBy, widget, WIDGET_TYPE } from '../testObjects';
import { badRequest, internalError, invalid, Refusal } from '../refusal';

/** Objects with invalid labels, annotations, finalizers, owner references or other metadata. */
export const REFUSED_METADATA: readonly Refusal[] = [
  {
    title: 'a resourceVersion on a new object',
    request: ['POST', CONFIG_MAPS, configMap('a', { resourceVersion: '5' })],
    expected: internalError(
      'resourceVersion should not be set on objects to be created',
    ),
  },
  {
    title: 'a label value with a space',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: { k: 'a b' } })],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.labels: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characte…',
    ]),
  },
  {
    title: 'a label value of 64 characters',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { k: 'x'.repeat(64) } }),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 63 bytes',
    ]),
  },
  {
    title: 'a label key with two slashes',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { 'a/b/c': 'x' } }),
    ],
    expected: invalid('ConfigMap', 'a', [
      "FieldValueInvalid metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or …",
    ]),
  },
  {
    title: 'a label key with capital letters in its prefix',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { 'A.b/c': 'x' } }),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.labels: Invalid value: "A.b/c": prefix part a lowercase RFC 1123 subdomain must consist of lower case a…',
    ]),
  },
  {
    title: 'a label key of 64 characters',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { ['x'.repeat(64)]: 'x' } }),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": name part mu…',
    ]),
  },
  {
    title: 'a label that is a number',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: { k: 1 } })],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field …',
    ),
  },
  {
    title: 'a custom object label that is a number',
    request: ['POST', WIDGETS, widget({}, { labels: { k: 1 } })],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field …',
    ),
  },
  {
    title: 'labels that are a list',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: ['k'] })],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field …',
    ),
  },
  {
    title: 'an annotation key with a space',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { annotations: { 'a b': 'x' } }),
    ],
    expected: invalid('ConfigMap', 'a', [
      "FieldValueInvalid metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', …",
    ]),
  },
  {
    title: 'annotations over 256 KiB',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { annotations: { k: 'x'.repeat(262144) } }),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueTooLong metadata.annotations: Too long: may not be more than 262144 bytes',
    ]),
  },
  {
    title: 'metadata that is a string',
    request: ['POST', CONFIG_MAPS, { metadata: 'a' }],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field …',
    ),
  },
  {
    title: 'custom object metadata that is a string',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: 'a', spec: { title: 'abc' } },
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal string into Go …',
    ),
  },
  {
    title: 'a finalizer without a domain',
    request: ['POST', CONFIG_MAPS, configMap('a', { finalizers: ['hold'] })],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
    ]),
  },
  {
    title: 'an invalid finalizer',
    request: ['POST', CONFIG_MAPS, configMap('a', { finalizers: ['a b/c'] })],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.finalizers: Invalid value: "a b/c": prefix part a lowercase RFC 1123 subdomain must consist of lower ca…',
    ]),
  },
  {
    title: 'both finalizers of the garbage collector',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { finalizers: ['orphan', 'foregroundDeletion'] }),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ]),
  },
  {
    title: 'two controller owner references',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy(
        ['x', 'y'].map(name => ({
          apiVersion: 'v1',
          kind: 'Secret',
          name,
          uid: name,
          controller: true,
        })),
      ),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Secret","name":"x","uid":"x","controller":t…',
    ]),
  },
  {
    title: 'an owner reference without a UID',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'v1', kind: 'Secret', name: 'x' }]),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ]),
  },
  {
    title: 'an owner reference without a name',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'v1', kind: 'Secret', uid: 'x' }]),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.ownerReferences.name: Invalid value: "": must not be empty',
    ]),
  },
  {
    title: 'an owner reference without an API version',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ kind: 'Secret', name: 'x', uid: 'x' }]),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    ]),
  },
  {
    title: 'an owner reference to an Event',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'v1', kind: 'Event', name: 'x', uid: 'x' }]),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"x"}: /v1, Kind=Even…',
    ]),
  },
  {
    title: 'an owner reference with an invalid API version',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'a/b/c', kind: 'Secret', name: 'x', uid: 'x' }]),
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    ]),
  },
  {
    title: 'a creationTimestamp that is not a time',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { creationTimestamp: 'yesterday' }),
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse …',
    ),
  },
];
