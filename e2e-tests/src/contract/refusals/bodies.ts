import { GROUP } from '../definitions';
import { CONFIG_MAPS, WIDGETS } from '../hubUnderTest';
import { configMap, widget } from '../testObjects';
import { badRequest, invalid, unsupportedMediaType, Refusal } from '../refusal';

/** Bodies that the hub cannot decode or that do not fit the URL. */
export const REFUSED_BODIES: readonly Refusal[] = [
  {
    title: 'a duplicate field with strict validation',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"twice"},"spec":{"title":"abc","title":"abd"}}`,
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.title"',
    ),
  },
  {
    title: 'a body that is not JSON',
    request: ['POST', CONFIG_MAPS, '{"metadata":'],
    expected: badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: …",
    ),
  },
  {
    title: 'a custom object body that is not JSON',
    request: ['POST', WIDGETS, '{"metadata":'],
    expected: badRequest(
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: …",
    ),
  },
  {
    title: 'a body that is a list',
    request: ['POST', CONFIG_MAPS, []],
    expected: badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value …",
    ),
  },
  {
    title: 'a create without a body',
    request: ['POST', CONFIG_MAPS],
    expected: badRequest(
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ),
  },
  {
    title: 'a custom object without a kind',
    request: [
      'POST',
      WIDGETS,
      { metadata: { name: 'w' }, spec: { title: 'abc' } },
    ],
    expected: badRequest(
      "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '…",
    ),
  },
  {
    title: 'a custom object without an API version',
    request: [
      'POST',
      WIDGETS,
      { kind: 'Widget', metadata: { name: 'w' }, spec: { title: 'abc' } },
    ],
    expected: badRequest(
      'the API version in the data () does not match the expected API version (contract.argocd-fleet.example/v1)',
    ),
  },
  {
    title: 'a create of a custom object without a body',
    request: ['POST', WIDGETS],
    expected: badRequest(
      "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error: unexpected end of JSON input (<empty>)",
    ),
  },
  {
    title: 'another kind than in the URL',
    request: [
      'POST',
      CONFIG_MAPS,
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } },
    ],
    expected: badRequest(
      'Secret in version "v1" cannot be handled as a ConfigMap: …',
    ),
  },
  {
    title: 'another custom kind than in the URL',
    request: [
      'POST',
      WIDGETS,
      {
        apiVersion: `${GROUP}/v1`,
        kind: 'Gadget',
        metadata: { name: 'a' },
        spec: { title: 'abc' },
      },
    ],
    expected: invalid(`Gadget.${GROUP}`, 'a', [
      'FieldValueInvalid kind: Invalid value: "Gadget": must be Widget',
    ]),
  },
  {
    title: 'another version than in the URL',
    request: [
      'POST',
      WIDGETS,
      {
        apiVersion: `${GROUP}/v1beta1`,
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { title: 'abc' },
      },
    ],
    expected: badRequest(
      'the API version in the data (contract.argocd-fleet.example/v1beta1) does not match the expected API version (contract.argocd-fleet.example/v1)',
    ),
  },
  {
    title: 'another group than in the URL',
    request: [
      'POST',
      CONFIG_MAPS,
      { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'a' } },
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v1"…',
    ),
  },
  {
    title: 'another namespace than in the URL',
    request: ['POST', CONFIG_MAPS, configMap('a', { namespace: 'default' })],
    expected: badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    ),
  },
  {
    title: 'another name than in the URL',
    request: ['PUT', `${CONFIG_MAPS}/existing`, configMap('b')],
    expected: badRequest(
      'the name of the object (b) does not match the name on the URL (existing)',
    ),
  },
  {
    title: 'an update without a name',
    request: ['PUT', `${CONFIG_MAPS}/existing`, { data: { a: 'b' } }],
    expected: badRequest(
      'the name of the object (existing based on URL) was undeterminable: name must be provided',
    ),
  },
  {
    title: 'an unknown media type of the body',
    request: ['POST', CONFIG_MAPS, 'hello', { 'content-type': 'text/plain' }],
    expected: unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/v…',
    ),
  },
  {
    title: 'an unknown field with strict validation',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      widget({ colour: 'red' }),
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour"',
    ),
  },
  {
    title: 'two unknown fields with strict validation',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      widget({ colour: 'red', parts: [{ name: 'a', weight: 1 }] }),
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "spec.colour", unknown field "spec.parts[0].weight"',
    ),
  },
  {
    title: 'an unknown field of a built-in kind with strict validation',
    request: [
      'POST',
      `${CONFIG_MAPS}?fieldValidation=Strict`,
      { ...configMap('a'), dat: {} },
    ],
    expected: badRequest(
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dat"',
    ),
  },
  {
    title: 'an unknown metadata field with strict validation',
    request: [
      'POST',
      `${WIDGETS}?fieldValidation=Strict`,
      { ...widget({}), metadata: { name: 'w', nam: 'x' } },
    ],
    expected: badRequest(
      'Widget in version "v1" cannot be handled as a Widget: strict decoding error: unknown field "metadata.nam"',
    ),
  },
];
