import { CONFIG_MAPS, NAMESPACES, WIDGETS } from '../hubUnderTest';
import { configMap, widget, WIDGET_TYPE, WIDGET_KIND } from '../testObjects';
import { badRequest, invalid, Refusal } from '../refusal';

/** Objects with an invalid name or generateName. */
export const REFUSED_NAMES: readonly Refusal[] = [
  {
    title: 'an object without a name',
    request: ['POST', CONFIG_MAPS, { metadata: {} }],
    expected: invalid('ConfigMap', '', [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
    ]),
  },
  {
    title: 'an object without metadata',
    request: ['POST', CONFIG_MAPS, {}],
    expected: invalid('ConfigMap', '', [
      'FieldValueRequired metadata.name: Required value: name or generateName is required',
    ]),
  },
  {
    title: 'a name with capital letters',
    request: ['POST', CONFIG_MAPS, configMap('Bad')],
    expected: invalid('ConfigMap', 'Bad', [
      'FieldValueInvalid metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ]),
  },
  {
    title: 'a name with a slash',
    request: ['POST', CONFIG_MAPS, configMap('a/b')],
    expected: invalid('ConfigMap', 'a/b', [
      'FieldValueInvalid metadata.name: Invalid value: "a/b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ]),
  },
  {
    title: 'a name that is a dot',
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
    title: 'a custom object name with capital letters',
    request: ['POST', WIDGETS, widget({}, { name: 'Bad' })],
    expected: invalid(WIDGET_KIND, 'Bad', [
      'FieldValueInvalid metadata.name: Invalid value: "Bad": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric char…',
    ]),
  },
  {
    title: 'a namespace name with a dot',
    request: ['POST', NAMESPACES, configMap('a.b')],
    expected: invalid('Namespace', 'a.b', [
      'FieldValueInvalid metadata.name: Invalid value: "a.b": must not contain dots',
    ]),
  },
  {
    title: 'a namespace name of 64 characters',
    request: ['POST', NAMESPACES, configMap('a'.repeat(64))],
    expected: invalid('Namespace', 'a'.repeat(64), [
      'FieldValueInvalid metadata.name: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 characters',
      'FieldValueInvalid metadata.labels: Invalid value: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": must be no more than 63 bytes',
    ]),
  },
  {
    title: 'a generateName with capital letters',
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
    title: 'a name that is a number',
    request: ['POST', CONFIG_MAPS, { metadata: { name: 5 } }],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field …',
    ),
  },
  {
    title: 'a custom object name that is a number',
    request: [
      'POST',
      WIDGETS,
      { ...WIDGET_TYPE, metadata: { name: 5 }, spec: { title: 'abc' } },
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal number into Go struct field …',
    ),
  },
];
