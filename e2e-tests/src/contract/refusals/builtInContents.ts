import { CONFIG_MAPS, SECRETS } from '../hubUnderTest';
import { configMap } from '../testObjects';
import { badRequest, invalid, Refusal } from '../refusal';

/** ConfigMaps and Secrets with invalid content. */
export const REFUSED_BUILT_IN_CONTENTS: readonly Refusal[] = [
  {
    title: 'a data value that is not a string',
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
    expected: invalid('ConfigMap', 'a', [
      'FieldValueInvalid data[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…',
    ]),
  },
  {
    title: 'a key in both data and binaryData',
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
    title: 'binaryData that is not base64',
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
    title: 'Secret data that is not base64',
    request: ['POST', SECRETS, { ...configMap('a'), data: { k: '!' } }],
    expected: badRequest(
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 0',
    ),
  },
  {
    title: 'a Secret data key with a slash',
    request: ['POST', SECRETS, { ...configMap('a'), data: { 'a/b': '' } }],
    expected: invalid('Secret', 'a', [
      "FieldValueInvalid data[a/b]: Invalid value: \"a/b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.…",
    ]),
  },
  {
    title: 'a Secret without the key that its type requires',
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
    title: 'a basic-auth Secret without a user name',
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
    title: 'a TLS Secret without its keys',
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
