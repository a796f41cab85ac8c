import { CONFIG_MAPS, NAMESPACES, SECRETS, WIDGETS } from '../hubUnderTest';
import { configMap, ownedBy, widget, WIDGET_TYPE } from '../objects';
import { Refusal } from '../refusal';

/** Objects whose metadata or built-in content is illegal. */
export const REFUSED_METADATA: readonly Refusal[] = [
  {
    title: 'no name',
    request: ['POST', CONFIG_MAPS, { metadata: {} }],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "" is invalid: …',
    causes: [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
    ],
    details: { kind: 'ConfigMap' },
  },
  {
    title: 'no metadata',
    request: ['POST', CONFIG_MAPS, {}],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "" is invalid: …',
    causes: [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
    ],
    details: { kind: 'ConfigMap' },
  },
  {
    title: 'capital letters in a name',
    request: ['POST', CONFIG_MAPS, configMap('Bad')],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "Bad" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ],
    details: { name: 'Bad', kind: 'ConfigMap' },
  },
  {
    title: 'a slash in a name',
    request: ['POST', CONFIG_MAPS, configMap('a/b')],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a/b" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: "a/b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ],
    details: { name: 'a/b', kind: 'ConfigMap' },
  },
  {
    title: 'a dot as a name',
    request: ['POST', CONFIG_MAPS, configMap('.')],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "." is invalid: …',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: ".": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric charac…',
    ],
    details: { name: '.', kind: 'ConfigMap' },
  },
  {
    title: 'a name of 254 characters',
    request: ['POST', CONFIG_MAPS, configMap('a'.repeat(254))],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…',
    ],
  },
  {
    title: 'capital letters in a custom name',
    request: ['POST', WIDGETS, widget({}, { name: 'Bad' })],
    status: 422,
    reason: 'Invalid',
    message: 'Widget.contract.argocd-fleet.example "Bad" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ],
    details: {
      name: 'Bad',
      group: 'contract.argocd-fleet.example',
      kind: 'Widget',
    },
  },
  {
    title: 'a dot in the name of a namespace',
    request: ['POST', NAMESPACES, configMap('a.b')],
    status: 422,
    reason: 'Invalid',
    message: 'Namespace "a.b" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: "a.b": must not contain dots',
    ],
    details: { name: 'a.b', kind: 'Namespace' },
  },
  {
    title: '64 characters for a namespace',
    request: ['POST', NAMESPACES, configMap('a'.repeat(64))],
    status: 422,
    reason: 'Invalid',
    message:
      'Namespace "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      'FieldValueInvalid metadata.labels: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
    ],
  },
  {
    title: 'capital letters in a generateName',
    request: ['POST', CONFIG_MAPS, { metadata: { generateName: 'Bad-' } }],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "Bad-…',
    causes: [
      'FieldValueInvalid metadata.generateName: Invalid value: "Bad-": a lowercase RFC 1123 subdomain must consist of lower case alphanum…',
      'FieldValueInvalid metadata.name: Invalid value: "Bad-…',
    ],
  },
  {
    title: 'a resourceVersion on a new object',
    request: ['POST', CONFIG_MAPS, configMap('a', { resourceVersion: '5' })],
    status: 500,
    message: 'resourceVersion should not be set on objects to be created',
  },
  {
    title: 'a label value with a space',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: { k: 'a b' } })],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.labels: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characte…',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'a label value of 64 characters',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { k: 'x'.repeat(64) } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": must be no more than 63 bytes',
    ],
  },
  {
    title: 'a label key with two slashes',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { 'a/b/c': 'x' } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      "FieldValueInvalid metadata.labels: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or …",
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'a label key with a capital prefix',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { 'A.b/c': 'x' } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.labels: Invalid value: "A.b/c": prefix part a lowercase RFC 1123 subdomain must consist of lower case a…',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'a label key of 64 characters',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { labels: { ['x'.repeat(64)]: 'x' } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.labels: Invalid value: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": name part mu…',
    ],
  },
  {
    title: 'a label that is a number',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: { k: 1 } })],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field …',
  },
  {
    title: 'a custom label that is a number',
    request: ['POST', WIDGETS, widget({}, { labels: { k: 1 } })],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field …',
  },
  {
    title: 'labels that are a list',
    request: ['POST', CONFIG_MAPS, configMap('a', { labels: ['k'] })],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field …',
  },
  {
    title: 'an annotation key with a space',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { annotations: { 'a b': 'x' } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      "FieldValueInvalid metadata.annotations: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', …",
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'annotations over 256 KiB',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { annotations: { k: 'x'.repeat(262144) } }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueTooLong metadata.annotations: Too long: may not be more than 262144 bytes',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'a name that is a number',
    request: ['POST', CONFIG_MAPS, { metadata: { name: 5 } }],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field …',
  },
  {
    title: 'a custom name that is a number',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 5 }, spec: { title: 'abc' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field …',
  },
  {
    title: 'metadata that is text',
    request: ['POST', CONFIG_MAPS, { metadata: 'a' }],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct field …',
  },
  {
    title: 'custom metadata that is text',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: 'a', spec: { title: 'abc' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal string into Go …',
  },
  {
    title: 'a finalizer without a domain',
    request: ['POST', CONFIG_MAPS, configMap('a', { finalizers: ['hold'] })],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'an illegal finalizer',
    request: ['POST', CONFIG_MAPS, configMap('a', { finalizers: ['a b/c'] })],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.finalizers: Invalid value: "a b/c": prefix part a lowercase RFC 1123 subdomain must consist of lower ca…',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'both of the finalizers of the garbage collector',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { finalizers: ['orphan', 'foregroundDeletion'] }),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
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
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"Secret","name":"x","uid":"x","controller":t…',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'an owner without a UID',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'v1', kind: 'Secret', name: 'x' }]),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'an owner without a name',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'v1', kind: 'Secret', uid: 'x' }]),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.ownerReferences.name: Invalid value: "": must not be empty',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'an owner without an API version',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ kind: 'Secret', name: 'x', uid: 'x' }]),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'an Event as an owner',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'v1', kind: 'Event', name: 'x', uid: 'x' }]),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"x","uid":"x"}: /v1, Kind=Even…',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'an owner with an illegal API version',
    request: [
      'POST',
      CONFIG_MAPS,
      ownedBy([{ apiVersion: 'a/b/c', kind: 'Secret', name: 'x', uid: 'x' }]),
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid metadata.ownerReferences.apiVersion: Invalid value: "a/b/c": version must not be empty',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'a creation time that is no time',
    request: [
      'POST',
      CONFIG_MAPS,
      configMap('a', { creationTimestamp: 'yesterday' }),
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse …',
  },
  {
    title: 'data that is not text',
    request: ['POST', CONFIG_MAPS, { ...configMap('a'), data: { k: 5 } }],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data…',
  },
  {
    title: 'data that is a list',
    request: ['POST', CONFIG_MAPS, { ...configMap('a'), data: ['k'] }],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal array into Go struct field ConfigMap.data…',
  },
  {
    title: 'a data key with a slash',
    request: ['POST', CONFIG_MAPS, { ...configMap('a'), data: { 'a/b': '' } }],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      "FieldValueInvalid data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.…",
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'a data key of 254 characters',
    request: [
      'POST',
      CONFIG_MAPS,
      { ...configMap('a'), data: { ['a'.repeat(254)]: '' } },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: ['FieldValueInvalid data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'],
  },
  {
    title: 'a data key in data and in binaryData',
    request: [
      'POST',
      CONFIG_MAPS,
      { ...configMap('a'), data: { k: 'v' }, binaryData: { k: 'dg==' } },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'ConfigMap "a" is invalid: …',
    causes: [
      'FieldValueInvalid data[k]: Invalid value: "k": duplicate of key present in binaryData',
    ],
    details: { name: 'a', kind: 'ConfigMap' },
  },
  {
    title: 'binary data that is no base64',
    request: [
      'POST',
      CONFIG_MAPS,
      { ...configMap('a'), binaryData: { k: '!' } },
    ],
    status: 400,
    reason: 'BadRequest',
    message:
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: illegal base64 data at input byte 0',
  },
  {
    title: 'secret data that is no base64',
    request: ['POST', SECRETS, { ...configMap('a'), data: { k: '!' } }],
    status: 400,
    reason: 'BadRequest',
    message:
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0',
  },
  {
    title: 'a secret key with a slash',
    request: ['POST', SECRETS, { ...configMap('a'), data: { 'a/b': '' } }],
    status: 422,
    reason: 'Invalid',
    message: 'Secret "a" is invalid: …',
    causes: [
      "FieldValueInvalid data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.…",
    ],
    details: { name: 'a', kind: 'Secret' },
  },
  {
    title: 'a secret of a type that needs a key',
    request: [
      'POST',
      SECRETS,
      { ...configMap('a'), type: 'kubernetes.io/dockerconfigjson' },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Secret "a" is invalid: …',
    causes: ['FieldValueRequired data[.dockerconfigjson]: Required value'],
    details: { name: 'a', kind: 'Secret' },
  },
  {
    title: 'a basic-auth secret without a user',
    request: [
      'POST',
      SECRETS,
      { ...configMap('a'), type: 'kubernetes.io/basic-auth' },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Secret "a" is invalid: …',
    causes: [
      'FieldValueRequired data[username]: Required value',
      'FieldValueRequired data[password]: Required value',
    ],
    details: { name: 'a', kind: 'Secret' },
  },
  {
    title: 'a TLS secret without its keys',
    request: [
      'POST',
      SECRETS,
      { ...configMap('a'), type: 'kubernetes.io/tls' },
    ],
    status: 422,
    reason: 'Invalid',
    message: 'Secret "a" is invalid: …',
    causes: [
      'FieldValueRequired data[tls.crt]: Required value',
      'FieldValueRequired data[tls.key]: Required value',
    ],
    details: { name: 'a', kind: 'Secret' },
  },
];
