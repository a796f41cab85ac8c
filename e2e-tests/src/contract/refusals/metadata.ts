import { CONFIG_MAPS, NAMESPACES, SECRETS, WIDGETS } from '../hubUnderTest';
import {
  configMap,
  ownedBy,
  widget,
  WIDGET_TYPE,
  WIDGET_KIND,
} from '../testObjects';
import { badRequest, internalError, invalid, Refusal } from '../refusal';

/** Objects whose metadata or built-in content is illegal. */
export const REFUSED_METADATA: readonly Refusal[] = [
  {
    title: 'no name',
    request: ['POST', CONFIG_MAPS, { metadata: {} }],
    expected: invalid('ConfigMap', '', [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
    ]),
  },
  {
    title: 'no metadata',
    request: ['POST', CONFIG_MAPS, {}],
    expected: invalid('ConfigMap', '', [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
    ]),
  },
  {
    title: 'capital letters in a name',
    request: ['POST', CONFIG_MAPS, configMap('Bad')],
    expected: invalid('ConfigMap', 'Bad', [
      'FieldValueInvalid metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ]),
  },
  {
    title: 'a slash in a name',
    request: ['POST', CONFIG_MAPS, configMap('a/b')],
    expected: invalid('ConfigMap', 'a/b', [
      'FieldValueInvalid metadata.name: Invalid value: "a/b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ]),
  },
  {
    title: 'a dot as a name',
    request: ['POST', CONFIG_MAPS, configMap('.')],
    expected: invalid('ConfigMap', '.', [
      'FieldValueInvalid metadata.name: Invalid value: ".": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric charac…',
    ]),
  },
  {
    title: 'a name of 254 characters',
    request: ['POST', CONFIG_MAPS, configMap('a'.repeat(254))],
    expected: {
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…',
      causes: [
        'FieldValueInvalid metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…',
      ],
    },
  },
  {
    title: 'capital letters in a custom name',
    request: ['POST', WIDGETS, widget({}, { name: 'Bad' })],
    expected: invalid(WIDGET_KIND, 'Bad', [
      'FieldValueInvalid metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ]),
  },
  {
    title: 'a dot in the name of a namespace',
    request: ['POST', NAMESPACES, configMap('a.b')],
    expected: invalid('Namespace', 'a.b', [
      'FieldValueInvalid metadata.name: Invalid value: "a.b": must not contain dots',
    ]),
  },
  {
    title: '64 characters for a namespace',
    request: ['POST', NAMESPACES, configMap('a'.repeat(64))],
    expected: {
      status: 422,
      reason: 'Invalid',
      message:
        'Namespace "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is invalid: …',
      causes: [
        'FieldValueInvalid metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
        'FieldValueInvalid metadata.labels: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
      ],
    },
  },
  {
    title: 'capital letters in a generateName',
    request: ['POST', CONFIG_MAPS, { metadata: { generateName: 'Bad-' } }],
    expected: {
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "Bad-…',
      causes: [
        'FieldValueInvalid metadata.generateName: Invalid value: "Bad-": a lowercase RFC 1123 subdomain must consist of lower case alphanum…',
        'FieldValueInvalid metadata.name: Invalid value: "Bad-…',
      ],
    },
  },
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
    expected: {
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "a" is invalid: …',
      causes: [
        'FieldValueInvalid metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 63 bytes',
      ],
    },
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
    title: 'a label key with a capital prefix',
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
    expected: {
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "a" is invalid: …',
      causes: [
        'FieldValueInvalid metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": name part mu…',
      ],
    },
  },
  {
    title: 'a label that is a number',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: { k: 1 } })],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field …',
    ),
  },
  {
    title: 'a custom label that is a number',
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
    title: 'a name that is a number',
    request: ['POST', CONFIG_MAPS, { metadata: { name: 5 } }],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field …',
    ),
  },
  {
    title: 'a custom name that is a number',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 5 }, spec: { title: 'abc' } },
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field …',
    ),
  },
  {
    title: 'metadata that is text',
    request: ['POST', CONFIG_MAPS, { metadata: 'a' }],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field …',
    ),
  },
  {
    title: 'custom metadata that is text',
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
    title: 'an illegal finalizer',
    request: ['POST', CONFIG_MAPS, configMap('a', { finalizers: ['a b/c'] })],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid metadata.finalizers: Invalid value: "a b/c": prefix part a lowercase RFC 1123 subdomain must consist of lower ca…',
    ]),
  },
  {
    title: 'both of the finalizers of the garbage collector',
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
    title: 'two controllers among the owners',
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
    title: 'an owner without a UID',
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
    title: 'an owner without a name',
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
    title: 'an owner without an API version',
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
    title: 'an Event as an owner',
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
    title: 'an owner with an illegal API version',
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
    title: 'a creation time that is no time',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { creationTimestamp: 'yesterday' }),
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse …',
    ),
  },
  {
    title: 'data that is not text',
    request: ['POST', CONFIG_MAPS, { ...configMap('a'), data: { k: 5 } }],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data…',
    ),
  },
  {
    title: 'data that is a list',
    request: ['POST', CONFIG_MAPS, { ...configMap('a'), data: ['k'] }],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ConfigMap.data…',
    ),
  },
  {
    title: 'a data key with a slash',
    request: ['POST', CONFIG_MAPS, { ...configMap('a'), data: { 'a/b': '' } }],
    expected: invalid('ConfigMap', 'a', [
      "FieldValueInvalid data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.…",
    ]),
  },
  {
    title: 'a data key of 254 characters',
    request: [
      'POST',
      CONFIG_MAPS,
      { ...configMap('a'), data: { ['a'.repeat(254)]: '' } },
    ],
    expected: {
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "a" is invalid: …',
      causes: ['FieldValueInvalid data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'],
    },
  },
  {
    title: 'a data key in data and in binaryData',
    request: [
      'POST',
      CONFIG_MAPS,
      { ...configMap('a'), data: { k: 'v' }, binaryData: { k: 'dg==' } },
    ],
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid data[k]: Invalid value: "k": duplicate of key present in binaryData',
    ]),
  },
  {
    title: 'binary data that is no base64',
    request: [
      'POST',
      CONFIG_MAPS,
      { ...configMap('a'), binaryData: { k: '!' } },
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
    ),
  },
  {
    title: 'secret data that is no base64',
    request: ['POST', SECRETS, { ...configMap('a'), data: { k: '!' } }],
    expected: badRequest(
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0',
    ),
  },
  {
    title: 'a secret key with a slash',
    request: ['POST', SECRETS, { ...configMap('a'), data: { 'a/b': '' } }],
    expected: invalid('Secret', 'a', [
      "FieldValueInvalid data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.…",
    ]),
  },
  {
    title: 'a secret of a type that needs a key',
    request: [
      'POST',
      SECRETS,
      { ...configMap('a'), type: 'kubernetes.io/dockerconfigjson' },
    ],
    expected: invalid('Secret', 'a', [
      'FieldValueRequired data[.dockerconfigjson]: Required value',
    ]),
  },
  {
    title: 'a basic-auth secret without a user',
    request: [
      'POST',
      SECRETS,
      { ...configMap('a'), type: 'kubernetes.io/basic-auth' },
    ],
    expected: invalid('Secret', 'a', [
      'FieldValueRequired data[username]: Required value',
      'FieldValueRequired data[password]: Required value',
    ]),
  },
  {
    title: 'a TLS secret without its keys',
    request: [
      'POST',
      SECRETS,
      { ...configMap('a'), type: 'kubernetes.io/tls' },
    ],
    expected: invalid('Secret', 'a', [
      'FieldValueRequired data[tls.crt]: Required value',
      'FieldValueRequired data[tls.key]: Required value',
    ]),
  },
];
